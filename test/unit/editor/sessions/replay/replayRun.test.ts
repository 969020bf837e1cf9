import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { RecordedRequest, ReplayableRow } from '../../../../../src/editor/sessions/replay/recordedRequest.ts';
import { type ReplayOptions, ReplayRun } from '../../../../../src/editor/sessions/replay/replayRun.ts';
import type { ExchangeRecord } from '../../../../../src/gateway/core/exchangeRecord.ts';
import type { ReplayedRequest } from '../../../../../src/pages/session/replay/protocol.ts';
import { eventually } from '../../../../support/eventually.ts';
import { row } from '../rows.ts';

const MODEL = { id: 'other', inputPrice: 1, outputPrice: 1, raw: {} };
const USAGE = { inputTokens: 1_000, outputTokens: 10, cachedInputTokens: 500 };

interface Asked {
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly model: string; readonly thinking?: unknown };
}

/** Stands in for the gateway: answers each request, and reports its record. */
class ScriptedGateway {
  readonly asked: Asked[] = [];
  readonly #server: Server;
  readonly #listeners = new Set<(record: ExchangeRecord) => void>();

  constructor(answer: (asked: Asked, response: ServerResponse, number: number) => void, cost = 0.01) {
    this.#server = createServer(async (request, response) => {
      const asked = { headers: request.headers, body: JSON.parse(await text(request)) };
      this.asked.push(asked);
      const number = this.asked.length;
      const report = () => this.#report(asked, number, response.statusCode < 400 ? cost : undefined);
      answer(asked, response, number);
      // A whole answer is reported before its client can have read it.
      if (response.writableEnded) report();
      else response.on('close', report);
    });
  }

  async start(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/api/v1`;
  }

  readonly onExchange: ReplayOptions['onExchange'] = (listener) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get listeners(): number {
    return this.#listeners.size;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #report({ headers }: Asked, number: number, cost: number | undefined): void {
    const record = {
      id: `x${number}`,
      userAgent: headers['user-agent'],
      sessionId: 'replayed-session',
      ...(cost !== undefined && { usage: USAGE, cost }),
    };
    for (const listener of this.#listeners) listener(record as ExchangeRecord);
  }
}

const said = (response: ServerResponse, content: string) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end(
    JSON.stringify({
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'other',
      content: [{ type: 'text', text: content }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  );
const refused = (response: ServerResponse, status: number, message: string) =>
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }));

function recorded(turn: number, members: Partial<RecordedRequest> = {}): RecordedRequest {
  const of = row({ usage: USAGE, cost: 0.02 });
  return {
    row: { ...of, usage: USAGE, callerFormat: 'messages', turn } satisfies ReplayableRow,
    body: { model: 'familya-opus-4.6', thinking: { type: 'enabled' }, messages: [] },
    headers: { 'anthropic-beta': 'b' },
    question: '',
    results: 0,
    answer: { text: 'Hello', calls: [] },
    ...members,
  };
}

describe('a replay', () => {
  let gateway: ScriptedGateway;
  let changes: (ReplayedRequest | undefined)[];

  async function start(
    answer: ConstructorParameters<typeof ScriptedGateway>[0],
    requests: readonly RecordedRequest[],
    more: Partial<ReplayOptions> = {},
  ): Promise<ReplayRun> {
    gateway = new ScriptedGateway(answer);
    changes = [];
    return new ReplayRun({
      model: MODEL,
      requests,
      cost: { low: 0.1, high: 0.2, max: 1 },
      address: await gateway.start(),
      secret: 'sk-local',
      onExchange: gateway.onExchange,
      onChange: (step) => changes.push(step),
      ...more,
    });
  }

  afterEach(() => gateway.close());

  const states = (run: ReplayRun) => run.state.steps.map(({ state }) => state);

  it('sends the recorded bodies to another model, in a separate session, and keeps both answers', async () => {
    const run = await start(
      (_, response, number) => said(response, number === 1 ? 'Hello' : 'Bye'),
      [recorded(1), recorded(2)],
    );
    assert.equal(gateway.asked.length, 0);
    await run.run();
    const [first, second] = gateway.asked;
    assert.deepEqual(first?.body, { model: 'other', thinking: { type: 'enabled' }, messages: [] });
    const { headers } = first ?? {};
    assert.deepEqual(
      [headers?.authorization, headers?.['anthropic-beta'], headers?.['x-model-access-turn']],
      ['Bearer sk-local', 'b', '1'],
    );
    assert.equal(headers?.['x-model-access-session'], second?.headers['x-model-access-session']);
    assert.match(headers?.['user-agent'] ?? '', /^model-access-replay\/1-/);
    const { steps, isRunning, answered, cost } = run.state;
    assert.deepEqual(
      steps.map(({ comparison }) => comparison),
      ['same', 'otherText'],
    );
    assert.deepEqual([isRunning, answered, cost, run.sessionId], [false, 2, 0.02, 'replayed-session']);
    assert.deepEqual(
      [steps[0]?.recorded.cost, steps[0]?.replayed?.cost, steps[0]?.replayed?.readTokens],
      [0.02, 0.01, 500],
    );
    assert.equal(changes.at(-1), undefined);
    run.dispose();
    assert.equal(gateway.listeners, 0);
  });

  it('shows a failure at its request, and continues', async () => {
    const run = await start(
      (_, response, number) => (number === 1 ? refused(response, 400, 'no images') : said(response, 'Hello')),
      [recorded(1), recorded(1, { answer: undefined as never })],
    );
    await run.run();
    assert.deepEqual(states(run), ['failed', 'answered']);
    assert.equal(run.state.steps[0]?.problem, 'no images');
    assert.equal(run.state.problem, undefined);
    run.dispose();
  });

  it('stops if every request would fail', async () => {
    const all = [1, 2, 3, 4, 5].map((turn) => recorded(turn));
    const run = await start((_, response) => refused(response, 400, 'no images'), all);
    await run.run();
    assert.deepEqual(states(run), ['failed', 'failed', 'failed', 'waiting', 'waiting']);
    assert.match(run.state.problem ?? '', /3 failures/);
    run.dispose();
    await gateway.close();
    const broke = await start((_, response) => refused(response, 402, 'The balance is used up.'), all);
    await broke.run();
    assert.equal(gateway.asked.length, 1);
    assert.match(broke.state.problem ?? '', /The balance is used up\./);
    broke.dispose();
  });

  it('can be stopped during a request, whose cost counts', async () => {
    const arrived = Promise.withResolvers<void>();
    const run = await start(
      (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': \n\n');
        arrived.resolve();
      },
      [recorded(1), recorded(2)],
    );
    const ended = run.run();
    await arrived.promise;
    run.stop();
    await ended;
    assert.deepEqual(states(run), ['stopped', 'waiting']);
    assert.match(run.state.problem ?? '', /You stopped/);
    await eventually('the cost of the request', async () => run.state.cost !== 0);
    assert.equal(run.state.steps[0]?.replayed?.cost, 0.01);
    run.dispose();
  });

  it('stops sending when it reaches the agreed maximum cost', async () => {
    const all = [1, 2, 3, 4, 5].map((turn) => recorded(turn));
    const cost = { low: 0.01, high: 0.01, max: 0.02 };
    const run = await start((_, response) => said(response, 'Hello'), all, { cost });
    await run.run();
    assert.equal(gateway.asked.length, 2);
    assert.match(run.state.problem ?? '', /the maximum that you approved/);
    run.dispose();
  });

  it('omits the recorded reasoning from then on if a model rejects it', async () => {
    const run = await start(
      ({ body }, response) =>
        body.thinking === undefined ? said(response, 'Hello') : refused(response, 400, 'Invalid signature in thinking'),
      [recorded(1), recorded(2)],
    );
    await run.run();
    assert.deepEqual(
      gateway.asked.map(({ body }) => 'thinking' in body),
      [true, false, false],
    );
    assert.deepEqual(states(run), ['answered', 'answered']);
    assert.ok(run.state.steps.every(({ isWithoutReasoning }) => isWithoutReasoning === true));
    run.dispose();
  });

  it('skips a request that does not fit into the context window', async () => {
    const model = { ...MODEL, contextWindow: 900 };
    const run = await start((_, response) => said(response, 'Hello'), [recorded(1)], { model });
    await run.run();
    assert.equal(gateway.asked.length, 0);
    assert.deepEqual([states(run), run.state.steps[0]?.problem], [['skipped'], 'does not fit, 1.0k of 900']);
    run.dispose();
  });

  it('reports an unreachable gateway', async () => {
    const run = await start((_, response) => said(response, 'Hello'), [recorded(1)], {
      address: 'http://127.0.0.1:9/api/v1',
    });
    await run.run();
    assert.deepEqual(states(run), ['failed']);
    assert.ok(run.state.steps[0]?.problem);
    run.dispose();
  });
});
