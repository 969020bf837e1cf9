import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import type { ListenCommand } from '../../../../src/gateway/sharing/protocol.ts';
import type {
  AskCommand,
  HostMessage,
  WorkerMessage,
  WorkerSettings,
} from '../../../../src/gateway/worker/protocol.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { ledgerPath, removeFolders } from '../../ledger/files.ts';
import { buildWorker, startWorker } from '../support/builtWorker.ts';
import { get, json, LOCAL_KEY, open, read, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY } from '../support/gateway.ts';
import { answerAnyFormat, type ScriptedService, startService } from '../support/scriptedService.ts';

type MessageOf<Type extends WorkerMessage['type']> = Extract<WorkerMessage, { type: Type }>;

class Host {
  readonly worker: Worker;
  readonly messages: WorkerMessage[] = [];
  readonly #waiting = new Set<() => void>();

  constructor(settings?: WorkerSettings) {
    this.worker = startWorker(settings);
    this.worker.on('message', (message: WorkerMessage) => {
      this.messages.push(message);
      for (const look of this.#waiting) look();
    });
  }

  post(message: HostMessage): void {
    this.worker.postMessage(message);
  }

  /** Closes the gateway and forgets earlier messages. Messages arrive in order, so none of them follows. */
  async reset(): Promise<void> {
    this.post({ type: 'close', graceMs: 0 });
    await this.take('closed');
    this.messages.length = 0;
  }

  /** Waits for the first message of this type and removes it. */
  take<Type extends WorkerMessage['type']>(type: Type): Promise<MessageOf<Type>> {
    return new Promise((resolve) => {
      const look = () => {
        const at = this.messages.findIndex((message) => message.type === type);
        if (at === -1) return;
        this.#waiting.delete(look);
        resolve(this.messages.splice(at, 1)[0] as MessageOf<Type>);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Returns the complete answer to a request of the extension itself. */
  async ask(question: Omit<AskCommand, 'type'>): Promise<{ status: number; body: string }> {
    this.post({ type: 'ask', ...question });
    const { status } = await this.take('answerStart');
    const { requestId } = await this.take('answerEnd');
    assert.equal(requestId, question.requestId);
    const chunks = this.messages.filter((message) => message.type === 'answerData');
    for (const chunk of chunks) this.messages.splice(this.messages.indexOf(chunk), 1);
    return { status, body: Buffer.concat(chunks.map(({ chunk }) => chunk)).toString() };
  }

  async listen(command: Partial<ListenCommand> = {}): Promise<MessageOf<'listening'>> {
    this.post({ ...SANDBOX, ...command });
    return this.take('listening');
  }
}

const SANDBOX: ListenCommand = {
  type: 'listen',
  port: 0,
  localKeys: [{ id: 'tests', name: 'tests', secret: LOCAL_KEY, createdAt: 0 }],
  upstream: { kind: 'sandbox' },
  sandbox: { delayMs: 0 },
};

const QUESTION = '{"model":"familya-haiku-4.5","max_tokens":50,"messages":[{"role":"user","content":"Hello"}]}';

describe("the gateway's worker", () => {
  let host: Host;
  let service: ScriptedService | undefined;

  before(async () => {
    await buildWorker();
    host = new Host();
  });
  after(() => host.worker.terminate());
  // Starting a worker takes longer than most of the tests.
  beforeEach(() => host.reset());
  afterEach(async () => {
    await closeAll();
    await service?.close();
    service = undefined;
    removeFolders();
  });

  /** Returns another worker, for what happens when one starts or ends. */
  const newHost = (settings?: WorkerSettings) => {
    const created = new Host(settings);
    closeLater(() => created.worker.terminate());
    return created;
  };
  const remaining = async (port: number): Promise<number> => {
    const { balance } = json(await get({ port, path: '/api/v1/balance' })) as { balance: number };
    return balance;
  };

  it('listens, answers, and reports the exchange', async () => {
    const { address, port } = await host.listen();
    assert.equal(address, `http://127.0.0.1:${port}/api/v1`);
    const answer = await send({ port, path: '/api/v1/messages', body: QUESTION });
    assert.equal(answer.status, 200, answer.body.toString());
    const { record } = await host.take('exchange');
    assert.deepEqual([record.localKeyId, record.model, record.upstream], ['tests', 'familya-haiku-4.5', 'sandbox']);
  });

  it('keeps the sandbox’s credit over restarts and shares it with other windows, until it is restored', async () => {
    const sandboxAccount = join(dirname(dirname(ledgerPath())), 'sandbox-account');
    const balanceIn = async (window: Host) =>
      (JSON.parse((await window.ask({ requestId: 1, endpoint: '/balance' })).body) as { balance: number }).balance;
    const ended = newHost({ sandboxAccount });
    await ended.ask({ requestId: 2, endpoint: '/messages', body: QUESTION });
    const left = await balanceIn(ended);
    assert.ok(left < 25);
    await ended.worker.terminate();
    const [window, other] = [newHost({ sandboxAccount }), newHost({ sandboxAccount })];
    assert.equal(await balanceIn(window), left);
    await other.ask({ requestId: 3, endpoint: '/messages', body: QUESTION });
    assert.ok((await balanceIn(window)) < left);
    window.post({ type: 'restartSandbox' });
    assert.equal(await balanceIn(window), 25);
    assert.equal(await balanceIn(other), 25);
  });

  it('answers the extension over its message port, with the same credit as the gateway', async () => {
    const { port } = await host.listen();
    await send({ port, path: '/api/v1/messages', body: QUESTION });
    const left = await remaining(port);
    const { status, body } = await host.ask({ requestId: 1, endpoint: '/balance' });
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body).balance, left);
    await host.ask({ requestId: 2, endpoint: '/messages', body: QUESTION });
    assert.ok((await remaining(port)) < left);
  });

  it('answers the extension without a listener, as a stream on request', async () => {
    const streamed = QUESTION.replace('{', '{"stream":true,');
    const { body } = await host.ask({ requestId: 1, endpoint: '/messages', body: streamed });
    assert.match(body, /^event: message_start/);
    assert.match(body, /event: message_stop/);
  });

  it('pauses between the events of a stream as long as the extension says, from the next stream on', async () => {
    const streamed = QUESTION.replace('{', '{"stream":true,');
    host.post({ type: 'setSandboxDelay', delayMs: 60_000 });
    host.post({ type: 'ask', requestId: 1, endpoint: '/messages', body: streamed });
    await host.take('answerData');
    host.post({ type: 'setSandboxDelay', delayMs: 0 });
    const { body } = await host.ask({ requestId: 2, endpoint: '/messages', body: streamed });
    assert.match(body, /event: message_stop/);
    assert.ok(!host.messages.some((message) => message.type === 'answerEnd' && message.requestId === 1));
    host.post({ type: 'cancel', requestId: 1 });
  });

  it('has one credit even if the extension sends a request before the gateway listens', async () => {
    const started = newHost();
    await started.ask({ requestId: 1, endpoint: '/messages', body: QUESTION });
    const { port } = await started.listen();
    const { body } = await started.ask({ requestId: 2, endpoint: '/balance' });
    assert.equal(await remaining(port), JSON.parse(body).balance);
    assert.ok((await remaining(port)) < 25);
  });

  it('stops a cancelled answer to the extension', async () => {
    const stalled = QUESTION.replace('haiku-4.5"', 'haiku-4.5+stall","stream":true');
    host.post({ type: 'ask', requestId: 1, endpoint: '/messages', body: stalled });
    await host.take('answerData');
    host.post({ type: 'cancel', requestId: 1 });
    // Answers arrive in order, so nothing of the first one can follow the next one.
    await host.ask({ requestId: 2, endpoint: '/models' });
    assert.ok(!host.messages.some((message) => message.type === 'answerEnd' && message.requestId === 1));
  });

  describe('asked for a route by the extension', () => {
    /** The first model of the route is not in the sandbox, which answers with 404. */
    const routed = (use: readonly string[]): NonNullable<AskCommand['route']> => ({
      name: 'mine',
      upstream: { kind: 'routed', upstreams: [], service: { kind: 'sandbox' }, routes: { mine: { use: [...use] } } },
    });
    const toRoute = QUESTION.replace('familya-haiku-4.5', 'mine').replace('{', '{"stream":true,');

    it('asks its models in turn, and reports who answers before the answer, and its cost after it', async () => {
      const route = routed(['missing', 'familya-haiku-4.5']);
      host.post({ type: 'ask', requestId: 1, endpoint: '/messages', body: toRoute, route });
      const { status, facts: first } = await host.take('answerStart');
      assert.deepEqual([status, first?.answeredBy, first?.isFinal], [200, 'familya-haiku-4.5', false]);
      const { facts } = await host.take('answerEnd');
      const { upstream, attempts = [], prices, usage, cost = 0 } = facts?.entry ?? {};
      assert.deepEqual(
        [facts?.isFinal, upstream, attempts.map(({ model }) => model)],
        [true, 'sandbox', ['missing', 'familya-haiku-4.5']],
      );
      assert.ok(prices?.inputPrice !== undefined && usage !== undefined && cost > 0);
      assert.equal(facts?.cost, cost / 1e9);
      assert.ok(!host.messages.some(({ type }) => type === 'exchange' || type === 'entered'));
    });

    it('returns the failure of all its models', async () => {
      const route = routed(['missing', 'missing-too']);
      const { status, body } = await host.ask({ requestId: 1, endpoint: '/messages', body: toRoute, route });
      assert.equal(status, 404, body);
    });

    it('stops a cancelled answer', async () => {
      const route = routed(['familya-haiku-4.5+stall']);
      host.post({ type: 'ask', requestId: 1, endpoint: '/messages', body: toRoute, route });
      await host.take('answerData');
      host.post({ type: 'cancel', requestId: 1 });
      assert.equal((await host.take('answerFail')).facts?.isFinal, true);
    });

    it('says that an upstream cannot be opened', async () => {
      const route = { name: 'mine', upstream: { kind: 'hosted', baseAddress: 'nonsense', serviceKey: 'k' } } as const;
      const { status } = await host.ask({ requestId: 1, endpoint: '/messages', body: toRoute, route });
      assert.equal(status, 400);
    });
  });

  it('has written the ledger when it is closed, and reports the cost of an exchange', async () => {
    const ledger = ledgerPath();
    const { port } = await host.listen({ ledger });
    await send({ port, path: '/api/v1/messages', body: QUESTION });
    const { record } = await host.take('exchange');
    assert.ok(record.cost !== undefined && record.cost > 0);
    host.post({ type: 'close' });
    await host.take('closed');
    const reader = new LedgerReader(ledger);
    const { exchanges, cost, sampleCost } = reader.exchanges({ filter: {}, limit: 0 });
    reader.close();
    assert.deepEqual([exchanges, cost + sampleCost], [1, record.cost]);
  });

  it('logs that the ledger cannot be opened, and listens', async () => {
    const { port } = await host.listen({ ledger: tmpdir() });
    const { level, message } = await host.take('log');
    assert.equal(level, 'warn');
    assert.match(message, /^The ledger /);
    assert.equal((await send({ port, path: '/api/v1/messages', body: QUESTION })).status, 200);
  });

  it('reports which port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    host.post({ ...SANDBOX, port });
    const failed = await host.take('failed');
    other.close();
    assert.equal(failed.code, 'EADDRINUSE');
    await host.listen();
  });

  it('reports an unusable base address', async () => {
    host.post({ ...SANDBOX, upstream: { kind: 'hosted', baseAddress: 'nonsense', serviceKey: SERVICE_KEY } });
    const failed = await host.take('failed');
    assert.ok(!failed.message.includes(SERVICE_KEY));
  });

  it('applies a changed service key while the port stays open', async () => {
    service = await startService(answerAnyFormat);
    const { baseAddress } = service;
    const { port } = await host.listen({ upstream: { kind: 'hosted', baseAddress, serviceKey: 'key_old' } });
    await send({ port, path: '/v1/messages' });
    host.post({ type: 'change', settings: { upstream: { kind: 'hosted', baseAddress, serviceKey: 'key_new' } } });
    const localKeys = [{ id: 'b', name: 'b', secret: 'key_b', createdAt: 0 }];
    host.post({ type: 'change', settings: { localKeys, revokedKeys: { ids: ['tests'] } } });
    // Commands are executed in order, so the failure of this one shows that earlier ones are done.
    host.post({ type: 'change', settings: { upstream: { kind: 'hosted', baseAddress: '', serviceKey: '' } } });
    await host.take('failed');
    const headers = { 'x-api-key': 'key_b', 'content-type': 'application/json' };
    assert.equal((await send({ port, path: '/v1/messages' })).status, 401);
    assert.equal((await send({ port, path: '/v1/messages', headers })).status, 200);
    const sent = service.requests.map((request) => request.headers.authorization);
    assert.deepEqual(sent, ['Bearer key_old', 'Bearer key_new']);
  });

  it('keeps its upstream if the new one is unusable', async () => {
    const { port } = await host.listen();
    host.post({ type: 'change', settings: { upstream: { kind: 'hosted', baseAddress: 'x', serviceKey: 'k' } } });
    await host.take('failed');
    assert.equal((await send({ port, path: '/v1/messages', body: QUESTION })).status, 200);
  });

  it('still answers the extension after its listener was closed', async () => {
    const { port } = await host.listen();
    host.post({ type: 'close' });
    await host.take('closed');
    await assert.rejects(get({ port, path: '/health' }), { code: 'ECONNREFUSED' });
    assert.equal((await host.ask({ requestId: 1, endpoint: '/models' })).status, 200);
  });

  it('can listen again on the port that it released', async () => {
    const { port } = await host.listen();
    host.post({ type: 'close' });
    await host.take('closed');
    assert.equal((await host.listen({ port })).port, port);
  });

  it('replaces its listener when it is asked to listen again', async () => {
    const first = await host.listen();
    const second = await host.listen({ port: first.port });
    assert.equal(second.port, first.port);
  });

  it('ends a stream in progress with an error event when it is closed', async () => {
    const { port } = await host.listen();
    const request = open({ port, path: '/v1/messages' });
    request.end(QUESTION.replace('haiku-4.5"', 'haiku-4.5+stall","stream":true'));
    const [response] = await once(request, 'response');
    host.post({ type: 'close', graceMs: 10 });
    const { body } = await read(response);
    await host.take('closed');
    assert.match(body.toString(), /event: error\ndata: .*stopping/);
  });

  it('exits once it is stopped', async () => {
    const stopped = newHost();
    await stopped.listen();
    stopped.post({ type: 'stop', graceMs: 0 });
    const [code] = await once(stopped.worker, 'exit');
    assert.equal(code, 0);
    assert.equal(stopped.messages.filter(({ type }) => type === 'closed').length, 1);
  });

  it('reports an internal error and continues', async () => {
    const { port } = await host.listen();
    host.worker.postMessage(null);
    const { level } = await host.take('log');
    assert.equal(level, 'error');
    assert.equal((await get({ port, path: '/health' })).status, 200);
  });
});
