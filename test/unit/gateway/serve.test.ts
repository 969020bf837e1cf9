import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { LedgerReader } from '../../../src/gateway/ledger/ledgerReader.ts';
import { get, json, open, read, send } from './support/client.ts';
import { SERVICE_KEY } from './support/gateway.ts';
import { startService } from './support/scriptedService.ts';

const SERVE = fileURLToPath(new URL('../../../src/gateway/serve.ts', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../../../scripts/gateway.cjs', import.meta.url));

interface Served {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
}

describe('the gateway without an editor', () => {
  const children: ChildProcess[] = [];

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  });

  const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}, script = SERVE): Served => {
    const { MODEL_ACCESS_KEY: _, MODEL_ACCESS_LOCAL_KEY: __, ...inherited } = process.env;
    const child = spawn(process.execPath, [script, ...args], { env: { ...inherited, ...environment } });
    children.push(child);
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    return { child, output: () => output, errors: () => errors };
  };

  const start = async (args: readonly string[] = [], environment: NodeJS.ProcessEnv = {}, script = SERVE) => {
    const served = run(['--port', '0', ...args], environment, script);
    assert.ok(served.child.stdout);
    const [line] = (await once(createInterface(served.child.stdout), 'line')) as [string];
    const { address, key } = JSON.parse(line) as { address: string; key: string };
    const { port } = new URL(address);
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return { ...served, address, key, port: Number(port), headers };
  };

  it('prints its address and a new key, and answers', async () => {
    const { address, key, port, headers } = await start();
    assert.match(address, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    assert.match(key, /^key_[\w-]{43}$/);
    assert.equal((await get({ port, path: '/api/v1/models', headers })).status, 200);
    assert.equal((await get({ port, path: '/api/v1/models', headers: {} })).status, 401);
  });

  it('runs as one built file too, and stops on SIGTERM', async function () {
    this.timeout(60_000);
    const { child, port, headers, errors } = await start([], {}, LAUNCHER);
    assert.equal((await get({ port, path: '/api/v1/models', headers })).status, 200);
    assert.equal(errors(), '');
    if (process.platform === 'win32') this.skip();
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });

  for (const [form, script] of [
    ['from its sources', SERVE],
    ['as one built file', LAUNCHER],
  ] as const) {
    it(`counts tokens with its tokenizer where the service does not, ${form}`, async function () {
      this.timeout(60_000);
      const service = await startService((response) => response.writeHead(404).end());
      const args = ['--upstream', `hosted:${service.baseAddress}`];
      const { port, headers, errors } = await start(args, { MODEL_ACCESS_KEY: SERVICE_KEY }, script);
      const body = '{"model":"familyc-5.4","messages":[{"role":"user","content":"Hello there"}]}';
      const answer = await send({ port, path: '/v1/messages/count_tokens', headers, body });
      assert.deepEqual(json(answer), { input_tokens: 9 });
      assert.equal(answer.headers['x-model-access-estimate'], 'exact');
      assert.equal(errors(), '');
      await service.close();
    });
  }

  it('gives the credit that it is told to', async () => {
    const { port, headers } = await start(['--credit', '1.5']);
    const { balance } = json(await get({ port, path: '/v1/balance', headers })) as { balance: number };
    assert.equal(balance, 1.5);
  });

  it('stands in front of a hosted service', async () => {
    const service = await startService();
    const { port, headers, output, errors } = await start(['--upstream', `hosted:${service.baseAddress}`], {
      MODEL_ACCESS_KEY: SERVICE_KEY,
    });
    assert.equal((await send({ port, path: '/v1/messages', headers })).status, 200);
    assert.equal(service.requests[0]?.headers.authorization, `Bearer ${SERVICE_KEY}`);
    await service.close();
    assert.equal((await send({ port, path: '/v1/messages', headers })).status, 502);
    assert.ok(!`${output()}${errors()}`.includes(SERVICE_KEY));
  });

  describe('with a ledger', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'ledger-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const QUESTION = '{"model":"familya-haiku-4.5","messages":[{"role":"user","content":"Hello"}]}';

    it('writes every exchange into it before it ends', async function () {
      if (process.platform === 'win32') this.skip();
      const path = join(folder, 'ledger.sqlite');
      const { child, port, headers } = await start(['--ledger', path]);
      for (let nth = 0; nth < 3; nth++) await send({ port, path: '/v1/chat/completions', headers, body: QUESTION });
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      const reader = new LedgerReader(path);
      const { exchanges, cost } = reader.spend({ from: 0, to: Number.MAX_SAFE_INTEGER }, [])[0] ?? {};
      reader.close();
      assert.equal(exchanges, 3);
      assert.ok(cost !== undefined && cost > 0);
    });

    it('says in one line that it cannot be opened, and answers', async () => {
      const { port, headers, errors } = await start(['--ledger', folder]);
      assert.equal((await send({ port, path: '/v1/chat/completions', headers, body: QUESTION })).status, 200);
      assert.match(errors(), /^The ledger [^\n]+ cannot be used: [^\n]+\n$/);
    });
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`ends with exit code 0 on ${signal}`, async function () {
      if (process.platform === 'win32') this.skip();
      const { child } = await start();
      child.kill(signal);
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    });
  }

  it('lets a stream finish before it ends', async function () {
    if (process.platform === 'win32') this.skip();
    const { child, port, headers } = await start(['--delay', '5']);
    const request = open({ port, path: '/v1/chat/completions', headers });
    request.end('{"model":"familya-haiku-4.5","stream":true,"messages":[{"role":"user","content":"Hello"}]}');
    const [response] = await once(request, 'response');
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    const answer = await read(response);
    assert.match(answer.body.toString(), /data: \[DONE\]\n\n$/);
    assert.deepEqual(await exited, [0, null]);
  });

  it('prints its help', async () => {
    const { child, output } = run(['--help']);
    assert.deepEqual(await once(child, 'close'), [0, null]);
    for (const option of ['--port', '--upstream', '--key', '--delay', 'MODEL_ACCESS_KEY'])
      assert.ok(output().includes(option));
  });

  it('refuses what makes no sense with one line and exit code 2', async () => {
    const { child, output, errors } = run(['--port', 'x']);
    assert.deepEqual(await once(child, 'close'), [2, null]);
    assert.equal(output(), '');
    assert.match(errors(), /^--port [^\n]+\n$/);
  });

  it('says in one line when its port is taken, with exit code 1', async () => {
    const { port } = await start();
    const second = run(['--port', String(port)]);
    assert.deepEqual(await once(second.child, 'close'), [1, null]);
    assert.match(second.errors(), /^[^\n]*EADDRINUSE[^\n]*\n$/);
  });
});
