import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { packageGateway } from '../../scripts/lib/gatewayPackage.ts';
import { ROOT } from '../../scripts/lib/paths.ts';
import { runNpm } from '../../scripts/lib/processes.ts';
import { execForm, instruction } from '../support/containerfile.ts';
import { freshDatabase } from '../support/postgres/postgresServer.ts';

const WINDOWS = process.platform === 'win32';
const MODEL = 'familya-haiku-4.5';
const MESSAGES = [{ role: 'user' as const, content: 'echo: hello' }];
/** Another Node.js than the one that runs the tests, such as the oldest one that the package supports. */
const NODE = process.env.PACKAGE_NODE ?? process.execPath;

describe('the CLI npm package installed offline', () => {
  let folder: string;
  let child: ChildProcess | undefined;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'npm-package-'));
    const archive = await packageGateway(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await runNpm(['install', archive, '--offline', '--no-audit', '--no-fund', '--loglevel', 'error'], { cwd: folder });
  });
  afterEach(async () => {
    if (child?.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * The command as a shell finds it. On Windows that is a batch file, which would receive signals instead of the
   * gateway.
   */
  const start = (...args: string[]) => {
    const name = 'model-access-gateway';
    const installed = join(folder, 'node_modules', name, 'bin', `${name}.cjs`);
    const [command, first] = WINDOWS ? [NODE, [installed]] : [join(folder, 'node_modules', '.bin', name), []];
    return spawn(command, [...first, ...args], { env: env() });
  };
  // The shebang selects the first Node.js on the PATH.
  const env = () => ({
    PATH: `${dirname(NODE)}${delimiter}${process.env.PATH}`,
    SystemRoot: process.env.SystemRoot,
    MODEL_ACCESS_LOCAL_KEY: 'key_of-the-packed-gateway',
  });

  it('answers official SDKs, keeps a ledger, and exits on SIGTERM', async () => {
    const ledger = join(folder, 'ledger.sqlite');
    child = start('--port', '0', '--delay', '1', '--ledger', ledger);
    assert.ok(child.stdout);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { address, key: apiKey } = JSON.parse(line) as { address: string; key: string };
    const completion = await new OpenAI({ baseURL: address, apiKey }).chat.completions.create({
      model: MODEL,
      messages: MESSAGES,
    });
    assert.match(completion.choices[0]?.message.content ?? '', /hello/);
    const anthropic = new Anthropic({ baseURL: address.replace(/\/v1$/, ''), apiKey });
    const message = await anthropic.messages.create({ model: MODEL, max_tokens: 50, messages: MESSAGES });
    assert.match(JSON.stringify(message.content), /hello/);
    if (WINDOWS) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
    assert.match(readFileSync(ledger).toString('latin1'), /familya-haiku-4\.5/);
  });

  it('counts tokens in its worker thread with the bundled vocabulary', async () => {
    const config = join(folder, 'upstreams.json');
    // Nothing listens there, so the gateway must count itself.
    const upstream = { id: 'none', baseUrl: 'http://127.0.0.1:9/v1', formats: ['chat-completions'] };
    writeFileSync(config, JSON.stringify({ upstreams: [upstream] }));
    child = start('--port', '0', '--config', config);
    assert.ok(child.stdout);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { address, key } = JSON.parse(line) as { address: string; key: string };
    const answer = await fetch(`${address}/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.5', messages: [{ role: 'user', content: 'hello '.repeat(1000) }] }),
    });
    assert.equal(answer.status, 200);
    const { input_tokens: tokens } = (await answer.json()) as { input_tokens: number };
    assert.ok(tokens > 990 && tokens < 1100, `${tokens} tokens`);
  });

  it('runs with the command of the container image and passes its health check', async () => {
    const installed = join(folder, 'node_modules', 'model-access-gateway');
    const local = (args: readonly string[]) => args.map((arg) => arg.replace(/^\/app(?=\/)/, installed));
    const [, ...args] = local(execForm(instruction('ENTRYPOINT')));
    const [, listen = ''] = instruction('ENV')?.split('MODEL_ACCESS_LISTEN=') ?? [];
    // Tests do not listen on other interfaces.
    const here = { MODEL_ACCESS_LISTEN: listen.replace('0.0.0.0:8787', '127.0.0.1:0') };
    child = spawn(NODE, [...args, '--allow-host', 'localhost'], { env: { ...env(), ...here } });
    assert.ok(child.stdout);
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const { port } = new URL((JSON.parse(line) as { address: string }).address);
    const [, program = '', address = ''] = local(execForm(instruction('HEALTHCHECK')));
    const check = async () => {
      const [code] = await once(spawn(NODE, [program, address.replace(':8787', `:${port}`)]), 'exit');
      return code;
    };
    assert.equal(await check(), 0);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    assert.equal(await check(), 1);
  });

  it('stores keys in PostgreSQL with the bundled driver', async () => {
    child = start('keys', 'create', '--name', 'ci', '--json', '--database', await freshDatabase());
    assert.ok(child.stdout);
    const { key } = JSON.parse((await child.stdout.toArray()).join('')) as { key: string };
    assert.match(key, /^key_/);
  });

  it('prints its version, and the required version if Node.js is too old', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    child = start('--version');
    assert.ok(child.stdout);
    assert.equal(
      (await child.stdout.toArray()).join(''),
      `${version}
`,
    );
    // The same files with a requirement that no Node.js meets.
    const demanding = join(folder, 'demanding');
    cpSync(join(folder, 'node_modules', 'model-access-gateway'), demanding, { recursive: true });
    const manifest = JSON.parse(readFileSync(join(demanding, 'package.json'), 'utf8'));
    writeFileSync(join(demanding, 'package.json'), JSON.stringify({ ...manifest, engines: { node: '>=999.13' } }));
    const refused = spawnSync(NODE, [join(demanding, 'bin/model-access-gateway.cjs')], { encoding: 'utf8' });
    assert.equal(refused.status, 1);
    assert.match(refused.stderr, /^model-access-gateway needs Node\.js 999\.13 or later\. This is Node\.js [^\n]+\n$/);
  });
});
