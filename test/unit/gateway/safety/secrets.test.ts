/**
 * Every possible fault, with marked keys, in real processes. All of their output and files are then searched for the
 * keys.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { readServeOptions, UsageError } from '../../../../packages/gateway/src/cli/options.ts';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { UpstreamSettings } from '../../../../src/gateway/routing/upstreams.ts';
import type { HostMessage, WorkerMessage } from '../../../../src/gateway/worker/protocol.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { FAULTS as sandboxFaults } from '../../../../src/sandbox/faultNames.ts';
import { buildWorker, startWorker } from '../support/builtWorker.ts';
import { type Call, open, read, sendRaw } from '../support/client.ts';
import { faultsQuoting } from '../support/faults.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { startProxy } from '../support/proxy.ts';
import { answerAnyFormat, type ScriptedService, startService } from '../support/scriptedService.ts';
import { runServed, type Served, startServed } from '../support/served.ts';

const SERVICE_KEY = 'key_canaryOfTheService-0f8e1d2c3b4a59687f6e';
const LOCAL_KEY = 'key_canaryOfThisMachine-5a4b3c2d1e0f98716253';
const PASSWORD = 'canaryOfTheProxy-1a2b3c4d5e6f';
const SECRETS = [SERVICE_KEY, LOCAL_KEY, PASSWORD];

/** Plain, and as encoded in addresses and in headers. */
const SOUGHT = SECRETS.flatMap((secret) => [
  secret.replace('key_', ''),
  Buffer.from(secret).toString('base64').slice(0, -4),
  Buffer.from(`user:${secret}`).toString('base64').slice(0, -4),
  Buffer.from(secret).toString('hex'),
]);

function assertNoSecret(where: string, said: string | Buffer): void {
  const bytes = Buffer.from(said);
  for (const secret of SOUGHT) {
    const at = bytes.indexOf(secret);
    assert.equal(at, -1, `${where}: ${bytes.subarray(Math.max(0, at - 200), at + 200)}`);
  }
}

describe('secrets', function () {
  // Each test starts processes, on machines that may be busy.
  this.timeout(120_000);
  let folder: string;

  before(buildWorker);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(async () => {
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const serve = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<Served> => {
    const served = await startServed(['--ledger', join(folder, 'ledger.sqlite'), ...args], {
      MODEL_ACCESS_LOCAL_KEY: LOCAL_KEY,
      ...environment,
    });
    closeLater(() => served.stop());
    return served;
  };

  /**
   * Searches everything, while it runs and once it has ended.
   * @returns the number of exchanges in the ledger.
   */
  const search = async (served: Served): Promise<number> => {
    const searchFiles = () => {
      for (const file of readdirSync(folder)) {
        if (!file.endsWith('.json')) assertNoSecret(file, readFileSync(join(folder, file)));
      }
    };
    searchFiles();
    await served.stop();
    searchFiles();
    assertNoSecret('the output', served.output());
    assertNoSecret('the errors', served.errors());
    const reader = new LedgerReader(join(folder, 'ledger.sqlite'));
    const { exchanges } = reader.exchanges({ filter: {}, limit: 0 });
    reader.close();
    return exchanges;
  };

  it('of the service are not disclosed if the service fails in any way', async () => {
    const { service, fail } = await failingService();
    const { pathname, host } = new URL(service.baseAddress);
    const upstream = `hosted:http://user:${PASSWORD}@${host}${pathname}`;
    const served = await serve(['--upstream', upstream], { MODEL_ACCESS_KEY: SERVICE_KEY });
    const asked = await fail(served.port);
    await service.close();
    const afterwards = await askAll(served.port);
    assert.equal(await search(served), asked + afterwards.length);
  });

  it('are not disclosed by a refusal of the gateway', async () => {
    const served = await serve(['--upstream', 'sandbox', '--allow-origin', 'http://allowed.example']);
    const { port } = served;
    const right = { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' };
    for (const headers of [
      { ...right, host: 'evil.example' },
      { ...right, origin: 'http://evil.example' },
      { ...right, 'sec-fetch-site': 'cross-site' },
      { ...right, authorization: `Bearer ${LOCAL_KEY}x` },
      { ...right, authorization: `Basic ${LOCAL_KEY}` },
      { 'x-api-key': `${SERVICE_KEY}` },
      { ...right, 'content-type': 'text/plain' },
      { ...right, origin: 'http://allowed.example', 'access-control-request-headers': 'x-api-key' },
    ]) {
      for (const path of [
        '/v1/messages',
        '/v1/chat/completions',
        `/v1/nothing?key=${LOCAL_KEY}`,
        '/health',
        '/v1/models',
      ]) {
        for (const method of ['POST', 'GET', 'OPTIONS']) await ask(port, { path, method, headers });
      }
    }
    const head = `Host: localhost\r\nAuthorization: Bearer ${LOCAL_KEY}\r\n`;
    for (const raw of [
      `GET /v1/responses HTTP/1.1\r\n${head}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `GET /v1/models HTTP/1.1\r\n${head}X-Long: ${LOCAL_KEY.repeat(3000)}\r\n\r\n`,
      `GET /v1/models HTTP/1.1\r\n${head}Bad\0: ${LOCAL_KEY}\r\n\r\n`,
      `CONNECT ${LOCAL_KEY}:443 HTTP/1.1\r\n${head}\r\n`,
      `${LOCAL_KEY}\r\n\r\n`,
    ]) {
      assertNoSecret('an answer', await sendRaw(port, raw));
    }
    // Unknown senders leave nothing in the ledger.
    const entered = await search(served);
    assert.ok(entered > 0 && entered < 40, `${entered} exchanges`);
  });

  it('are not disclosed by a fault of the sandbox', async () => {
    const served = await serve(['--delay', '0']);
    let asked = 0;
    for (const fault of sandboxFaults) {
      // These take long, so the client disconnects.
      const leaves = fault === 'stall' || fault === 'slow';
      asked += (await askAll(served.port, everyCall(`familya-haiku-4.5+${fault}`), leaves)).length;
    }
    assert.equal(await search(served), asked);
  });

  it('are not disclosed if requests are translated and upstreams fail in any way', async () => {
    const { service, fail } = await failingService();
    const config = join(folder, 'upstreams.json');
    const upstreams = FORMAT_NAMES.flatMap((format) => {
      const upstream = { baseUrl: service.baseAddress, formats: [format], apiKeyEnv: 'UPSTREAM_KEY' };
      return [
        { id: format, ...upstream, models: [`for-${format}`] },
        { id: `${format}-too`, ...upstream },
      ];
    });
    const aliases = Object.fromEntries(FORMAT_NAMES.map((format) => [`fast-${format}`, `${format}-too/m`]));
    writeFileSync(config, JSON.stringify({ upstreams, aliases }));
    const served = await serve(['--config', config], { UPSTREAM_KEY: SERVICE_KEY });
    await fail(served.port, (nth) => FORMAT_NAMES.flatMap((format, at) => callsInTurn(nth + at, `for-${format}`)));
    for (const body of [
      '{',
      '[]',
      '{"model":"m"}',
      '{"model":"none/x"}',
      ...Object.keys(aliases).map((model) => JSON.stringify({ model, messages: {}, input: {} })),
    ]) {
      await askAll(
        served.port,
        everyPost().map((call) => ({ ...call, body })),
      );
    }
    await service.close();
    for (const format of FORMAT_NAMES) await askAll(served.port, everyCall(`for-${format}`));
    assert.ok((await search(served)) > 150);
  });

  it('of a proxy are not disclosed, whether it works or fails', async () => {
    const service = await startService(answerAnyFormat);
    closeLater(() => service.close());
    const right = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
    const upstream = `hosted:http://service.test:${service.port}/api/v1`;
    for (const [credentials, status] of [
      [right, 200],
      ['Basic of-another', 502],
      [undefined, 502],
    ] as const) {
      const proxy = await startProxy(credentials);
      if (credentials === undefined) await proxy.close();
      else closeLater(() => proxy.close());
      const address = proxy.address.replace('//', `//user:${PASSWORD}@`);
      const served = await serve(['--upstream', upstream, '--allow-plain-http'], {
        MODEL_ACCESS_KEY: SERVICE_KEY,
        HTTP_PROXY: address,
      });
      // The gateway counts tokens itself if the service cannot be reached.
      const expected = everyCall().map(({ path }) => (path === '/v1/messages/count_tokens' ? 200 : status));
      assert.deepEqual(await askAll(served.port), expected);
      await search(served);
    }
  });

  it('are not disclosed if the gateway cannot start', async () => {
    const environment = { MODEL_ACCESS_KEY: SERVICE_KEY, MODEL_ACCESS_LOCAL_KEY: LOCAL_KEY };
    const hosted = ['--port', '0', '--upstream', 'hosted:https://service.test/api/v1'];
    const config = join(folder, 'bad.json');
    writeFileSync(
      config,
      '{"upstreams":[{"id":"x","baseUrl":"http://x/","formats":["y"],"apiKeyEnv":"MODEL_ACCESS_KEY"}]}',
    );
    for (const args of [
      ['--upstream', `hosted:ftp://user:${PASSWORD}@host/`],
      ['--port', 'x', '--key', LOCAL_KEY],
      ['--config', config],
    ]) {
      assert.throws(
        () => readServeOptions(args, environment),
        (error) => {
          assertNoSecret('the error', inspect(error));
          return error instanceof UsageError;
        },
      );
    }
    const attempts = [
      [['--upstream', `hosted:http://user:${PASSWORD}@:99999/`], {}],
      [hosted, { HTTPS_PROXY: `http://user:${PASSWORD}@host:99999` }],
      [hosted, { HTTPS_PROXY: `socks4://user:${PASSWORD}@127.0.0.1:9` }],
      [hosted, { HTTPS_PROXY: `user:${PASSWORD}` }],
    ] as const;
    const ended = attempts.map(([args, further]) => runServed(args, { ...environment, ...further }));
    for (const { output, errors } of await Promise.all(ended)) {
      assertNoSecret('the output', output);
      assertNoSecret('the errors', errors);
      assert.notEqual(errors.trim(), '');
    }
  });

  it('do not leave the worker', async () => {
    const { service, fail } = await failingService();
    const worker = startWorker();
    closeLater(() => worker.terminate());
    const messages: WorkerMessage[] = [];
    worker.on('message', (message: WorkerMessage) => messages.push(message));
    const post = (message: HostMessage) => worker.postMessage(message);
    const received = async (type: WorkerMessage['type']) => {
      for (;;) {
        const message = messages.find((each) => each.type === type);
        if (message !== undefined) return message;
        await once(worker, 'message');
      }
    };
    const hosted = (baseAddress: string, proxy?: string): UpstreamSettings => ({
      kind: 'hosted',
      baseAddress,
      serviceKey: SERVICE_KEY,
      ...(proxy !== undefined && { network: { proxy, proxyAuthorization: `Basic ${PASSWORD}` } }),
    });
    const localKeys = [{ id: 'a', name: 'a', secret: LOCAL_KEY, createdAt: 0 }];
    const ledger = join(folder, 'ledger.sqlite');
    post({ type: 'listen', port: 0, localKeys, upstream: hosted(service.baseAddress), ledger });
    const listening = await received('listening');
    assert.ok(listening.type === 'listening');
    await fail(listening.port, callsInTurn);
    const unreachable = hosted('http://service.test/api/v1', 'http://127.0.0.1:9');
    for (const upstream of [
      unreachable,
      hosted(`nonsense ${PASSWORD}`),
      hosted('http://x/', `http://${PASSWORD}:x:y`),
    ]) {
      post({ type: 'change', settings: { upstream } });
      await askAll(listening.port);
    }
    worker.postMessage({ type: 'ask', endpoint: 'constructor', body: LOCAL_KEY });
    post({ type: 'close' });
    await received('closed');
    assert.ok(messages.filter(({ type }) => type === 'exchange').length > 40);
    assert.ok(messages.some(({ type }) => type === 'failed'));
    assertNoSecret('a message', JSON.stringify(messages));
    for (const file of readdirSync(folder)) assertNoSecret(file, readFileSync(join(folder, file)));
  });
});

type Calls = readonly Omit<Call, 'port'>[];

interface FailingService {
  readonly service: ScriptedService;
  /**
   * Makes it fail in all ways, one after the other, and sends the requests for each.
   * @returns how many were sent.
   */
  fail(port: number, callsFor?: (nth: number) => Calls): Promise<number>;
}

async function failingService(): Promise<FailingService> {
  const service = await startService();
  closeLater(async () => service.close().catch(() => undefined));
  const fail = async (port: number, callsFor: (nth: number) => Calls = () => everyCall()) => {
    let asked = 0;
    for (const [nth, script] of Object.values(faultsQuoting(SERVICE_KEY)).entries()) {
      service.script = script;
      asked += (await askAll(port, callsFor(nth))).length;
    }
    return asked;
  };
  return { service, fail };
}

/** Returns a request to each endpoint of an answer, with and without a stream. */
function everyPost(model = 'm'): Calls {
  return FORMAT_NAMES.flatMap((name) =>
    [true, false].map((stream) => {
      const messages = [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }] as const;
      const body = wireFormats[name].encodeRequest({ model, maxTokens: 10, system: [], messages, stream });
      return { path: `/v1${wireFormats[name].path}`, body: JSON.stringify(body) };
    }),
  );
}

/** Returns the requests of one format, with and without a stream: of another one for each turn. */
function callsInTurn(turn: number, model = 'm'): Calls {
  const at = (turn % FORMAT_NAMES.length) * 2;
  return everyPost(model).slice(at, at + 2);
}

/** Returns a request to each endpoint, with and without a stream. */
function everyCall(model = 'm'): Calls {
  const count = { path: '/v1/messages/count_tokens', body: JSON.stringify({ model, messages: [] }) };
  const gets = ['/v1/models', '/v1/models/m', '/v1/balance'].map((path) => ({ path, method: 'GET' }));
  return [...everyPost(model), count, ...gets];
}

/** Sends all requests in parallel, because many of them wait for the gateway's retries. */
function askAll(port: number, calls: Calls = everyCall(), leaves = false): Promise<readonly number[]> {
  return Promise.all(calls.map((call) => ask(port, call, leaves)));
}

/** @returns the status of the answer, which is checked to contain no secret. */
async function ask(port: number, call: Omit<Call, 'port'>, leaves = false): Promise<number> {
  const headers: OutgoingHttpHeaders = { 'x-api-key': LOCAL_KEY, 'content-type': 'application/json' };
  const request = open({ port, headers, ...call }).on('error', () => undefined);
  request.end(call.body);
  // A connection that is cut has no answer.
  const [response] = (await once(request, 'response').catch(() => [])) as [IncomingMessage?];
  if (response === undefined) return 0;
  if (leaves && response.statusCode === 200) {
    response.on('error', () => undefined).destroy();
    return 200;
  }
  const { status, rawHeaders, body } = await read(response);
  assertNoSecret(`the answer to ${call.path}`, `${rawHeaders.join('\n')}\n${body}`);
  return status;
}
