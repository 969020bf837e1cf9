import assert from 'node:assert/strict';
import type { FoundResponses, ResponseReferences } from '../../../../src/gateway/core/responseStore.ts';
import { Upstreams } from '../../../../src/gateway/routing/upstreams.ts';
import { MemoryResponseStore } from '../../../../src/gateway/translation/memoryResponseStore.ts';
import { ModelServer } from '../../../support/modelServer/modelServer.ts';
import { json, open, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

const SCRIPT = () => ({ parts: [{ text: 'Four.' }] });

/** A store like one on another machine, which answers when the test says so. */
class DistantStore extends MemoryResponseStore {
  readonly asked: ResponseReferences[] = [];
  readonly #arrivals: (() => void)[] = [];
  ready: Promise<void> = Promise.resolve();

  override async find(localKeyId: string, references: ResponseReferences): Promise<FoundResponses> {
    this.asked.push(references);
    for (const arrived of this.#arrivals.splice(0)) arrived();
    await this.ready;
    return super.find(localKeyId, references);
  }

  nextQuestion(): Promise<void> {
    return new Promise((resolve) => this.#arrivals.push(resolve));
  }
}

function callOf(port: number, request: object) {
  return { port, path: '/api/v1/responses', body: JSON.stringify({ model: 'a', ...request }) };
}

describe('earlier responses that a request names', () => {
  afterEach(closeAll);

  async function start(
    formats: readonly ['chat-completions' | 'responses'],
    options: Parameters<typeof startRouter>[2] = {},
  ) {
    const store = new DistantStore();
    const { port, servers, nextRecord } = await startRouter([{ formats, script: SCRIPT }], {}, options, {}, store);
    const ask = (request: object) => send(callOf(port, request));
    return { store, port, ask, requests: () => servers[0]?.requests ?? [], nextRecord };
  }

  it('are looked up before an upstream is called', async () => {
    const { store, ask, requests } = await start(['chat-completions']);
    const { id } = json(await ask({ input: 'Two and two?' })) as { id: string };
    const found = Promise.withResolvers<void>();
    store.ready = found.promise;
    const questioned = store.nextQuestion();
    const answer = ask({ input: 'And one?', previous_response_id: id });
    await questioned;
    assert.equal(requests().length, 1);
    found.resolve();
    assert.equal((await answer).status, 200);
    assert.match(requests()[1]?.text ?? '', /Two and two\?.*Four\..*And one\?/);
  });

  it('are not looked up if a request names none, or if its upstream stores them itself', async () => {
    const translated = await start(['chat-completions']);
    assert.equal((await translated.ask({ input: 'Two and two?' })).status, 200);
    assert.deepEqual(translated.store.asked, []);
    const passedOn = await start(['responses']);
    assert.equal((await passedOn.ask({ input: 'And one?', previous_response_id: 'resp_1' })).status, 200);
    assert.deepEqual(passedOn.store.asked, []);
  });

  it('are looked up together: the previous answer and the items', async () => {
    const { store, ask } = await start(['chat-completions']);
    const input = [{ type: 'item_reference', id: 'msg_1' }, { id: 'msg_2' }, { role: 'user', content: 'Go.' }];
    assert.equal((await ask({ input, previous_response_id: 'resp_1' })).status, 400);
    assert.deepEqual(store.asked, [{ previousResponseId: 'resp_1', itemIds: ['msg_1', 'msg_2'] }]);
  });

  it('are refused if an item is named many times, because a short request would become very long', async () => {
    const { ask, requests } = await start(['chat-completions']);
    const { output } = json(await ask({ input: 'Two and two?' })) as { output: { id: string }[] };
    const reference = { type: 'item_reference', id: output[0]?.id };
    const { status, body } = await ask({ input: [reference, reference, { role: 'user', content: 'Go.' }] });
    assert.equal(status, 400);
    assert.match(body.toString(), /is referenced more than once/);
    assert.equal((await ask({ input: [reference, { role: 'user', content: 'Go.' }] })).status, 200);
    assert.equal(requests().length, 2);
  });

  it('are refused if they are longer than a request can be', async () => {
    const { store, ask, requests } = await start(['chat-completions']);
    const long = { type: 'text', text: 'x'.repeat(33 * 1024 * 1024) } as const;
    const messages = [{ role: 'user', parts: [long] } as const];
    const conversation = { system: [], messages, inputTools: { tools: [], hostedTools: [] } };
    for (const found of [
      { conversation, items: new Map() },
      { items: new Map(), isTooLong: true },
    ]) {
      store.find = async () => found;
      const { status, body } = await ask({ input: 'And one?', previous_response_id: 'resp_1' });
      assert.equal(status, 400);
      assert.match(body.toString(), /have more than 32 MB/);
    }
    assert.equal(requests().length, 0);
  });

  it('count toward the memory for requests in progress', async () => {
    const text = { type: 'text', text: 'x'.repeat(20 * 1024 * 1024) } as const;
    const messages = [{ role: 'user', parts: [text] } as const];
    const conversation = { system: [], messages, inputTools: { tools: [], hostedTools: [] } };
    const { store, port } = await start(['chat-completions'], { heldMegabytes: 64 });
    store.find = async () => ({ conversation, items: new Map() });
    const { status, headers } = await send(callOf(port, { input: 'And one?', previous_response_id: 'resp_1' }));
    assert.deepEqual([status, headers['retry-after']], [503, '2']);
  });

  it('cause no request to an upstream if the client has disconnected meanwhile', async () => {
    const { store, port, ask, requests, nextRecord } = await start(['chat-completions']);
    const { id } = json(await ask({ input: 'Two and two?' })) as { id: string };
    const found = Promise.withResolvers<void>();
    store.ready = found.promise;
    const questioned = store.nextQuestion();
    const call = callOf(port, { input: 'And one?', previous_response_id: id });
    const leaving = open(call);
    leaving.on('error', () => undefined).end(call.body);
    await questioned;
    const noticed = nextRecord();
    leaving.destroy();
    await noticed;
    found.resolve();
    // Nothing was sent for the client that left: the next request that the upstream receives is this later one.
    assert.equal((await ask({ input: 'Something else' })).status, 200);
    assert.match(requests()[1]?.text ?? '', /Something else/);
    assert.equal(requests().length, 2);
  });

  it('are answered with 500 if the store cannot be reached', async () => {
    const { store, ask, requests } = await start(['chat-completions']);
    store.ready = Promise.reject(new Error('The database is away.'));
    store.ready.catch(() => undefined);
    const { status, body } = await ask({ input: 'And one?', previous_response_id: 'resp_1' });
    assert.equal(status, 500);
    assert.match(body.toString(), /The database is away\./);
    assert.equal(requests().length, 0);
  });

  it('are still known after the upstreams change', async () => {
    const server = await ModelServer.start(SCRIPT);
    closeLater(() => server.close());
    const upstreams = new Upstreams();
    closeLater(() => upstreams.close());
    const opened = () =>
      upstreams.open({
        kind: 'routed',
        upstreams: [{ id: 'local', baseUrl: server.baseUrl, formats: ['chat-completions'], models: ['*'] }],
      });
    const before = await startGateway({ upstream: await opened() });
    const { id } = json(await send(callOf(before.port, { input: 'Two and two?' }))) as { id: string };
    const after = await startGateway({ upstream: await opened() });
    assert.equal((await send(callOf(after.port, { input: 'And one?', previous_response_id: id }))).status, 200);
    assert.match(server.requests[1]?.text ?? '', /Two and two\?.*Four\..*And one\?/);
  });
});
