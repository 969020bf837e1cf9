import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** The file that `npm run gateway` runs: one built file, which starts in a quarter of the time of its sources. */
export const LAUNCHER = fileURLToPath(new URL('../../../../scripts/gateway.cjs', import.meta.url));
/** The gateway's sources. */
export const SOURCES = fileURLToPath(new URL('../../../../packages/gateway/src/cli/serve.ts', import.meta.url));
const NOT_INHERITED = /^(?:MODEL_ACCESS_|OTEL_|(?:https?|no)_proxy$)/i;

const children = new Set<ChildProcess>();

/** Kills what is still running. Call in `afterEach`. */
export async function killServed(): Promise<void> {
  await Promise.all([...children].map((child) => end(child, 'SIGKILL')));
}

/** The gateway in a process of its own. */
export interface Served {
  readonly child: ChildProcess;
  readonly address: string;
  readonly port: number;
  readonly key: string;
  /** Newly created keys of a configuration, by name. */
  readonly keys: Readonly<Record<string, string>>;
  /** The newly created key of `--metrics`. */
  readonly metricsKey: string | undefined;
  /** Headers of a request with its key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Everything on its standard output except the first line, which contains the local key on purpose. */
  output(): string;
  errors(): string;
  /** Ends it as a terminal does. */
  stop(): Promise<void>;
}

type FirstLine = Pick<Served, 'address' | 'key' | 'metricsKey'> & Partial<Pick<Served, 'keys'>>;

export async function startServed(
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  script = LAUNCHER,
  listening: readonly string[] = ['--port', '0'],
): Promise<Served> {
  const { child, output, errors } = run([...listening, ...args], environment, script);
  if (child.stdout === null) throw new Error('It has no output.');
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { address, key, keys, metricsKey } = JSON.parse(line) as FirstLine;
  return {
    child,
    address,
    port: Number(new URL(address).port),
    key,
    keys: keys ?? {},
    metricsKey,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    output: () => output().slice(line.length),
    errors,
    stop: () => end(child, 'SIGTERM'),
  };
}

/** The result of a process that exited by itself. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

export async function runServed(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  script = LAUNCHER,
): Promise<Ended> {
  const { child, output, errors } = run(args, environment, script);
  await once(child, 'close');
  return { code: child.exitCode, output: output(), errors: errors() };
}

function run(args: readonly string[], environment: NodeJS.ProcessEnv, script: string) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !NOT_INHERITED.test(name)));
  const child = spawn(process.execPath, [script, ...args], { env: { ...inherited, ...environment } });
  children.add(child);
  child.once('close', () => children.delete(child));
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  return { child, output: () => output, errors: () => errors };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  child.kill(signal);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
}
