import assert from 'node:assert/strict';
import type { ChatCall } from '../../../../src/calls/chatCall.ts';
import { CallWatch } from '../../../../src/editor/calls/callWatch.ts';
import { detailsOf, runningRow } from '../../../../src/editor/traffic/ownCalls.ts';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import type { LedgerEntry } from '../../../../src/ledger/ledgerEntry.ts';
import type { TrafficRow } from '../../../../src/pages/traffic/protocol.ts';
import { ApiClient } from '../../../../src/service/apiClient.ts';
import type { Prices } from '../../../../src/service/modelPrices.ts';
import { parseKey } from '../../../../src/service/pastedKey.ts';
import {
  type Answer,
  answerJson,
  answerStream,
  eventStreamOf,
  ScriptedService,
} from '../../../support/scriptedService.ts';
import * as wire from '../../service/wire.ts';

const CANARY = 'the words of the question';
const PRICES = { inputPrice: 3, outputPrice: 15 };
const USAGE = { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 };
const EVENTS = [
  wire.chunk({ role: 'assistant', content: '' }),
  wire.chunk({ content: 'Good day.' }),
  wire.chunk({}, 'stop'),
  { ...wire.chunk({}), choices: [], usage: USAGE },
  '[DONE]',
];

/** The same answer in each format, of a service tier with its own prices. */
const OF_TIER = {
  'chat-completions': EVENTS.map((event) =>
    typeof event === 'string' ? event : { ...event, service_tier: 'priority' },
  ),
  messages: [
    { type: 'message_start', message: { ...wire.message, content: [], usage: { input_tokens: 5, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Good day.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3, service_tier: 'batch' } },
    { type: 'message_stop' },
  ],
  responses: [{ type: 'response.completed', response: { ...wire.response, service_tier: 'flex' } }],
} as const;

describe('a recorded call', () => {
  let service: ScriptedService;
  let entries: LedgerEntry[];
  let prices: Readonly<Record<string, Prices>>;

  beforeEach(() => {
    entries = [];
    prices = { 'familya-sonnet-4.6': PRICES };
  });
  afterEach(() => service.close());

  async function chatCall(answer: Answer, members: Partial<ChatCall> = {}): Promise<ChatCall> {
    service = await ScriptedService.start(answer);
    const key = parseKey(wire.SECRET);
    assert.ok(key.ok);
    const client = new ApiClient({ baseAddress: service.baseAddress, key: key.key, fetch: globalThis.fetch });
    const request = {
      system: [],
      model: 'familya-sonnet-4.6',
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: CANARY }] }],
    };
    return { client, upstream: 'hosted', format: 'chat-completions', request, source: 'chatPanel', ...members };
  }

  async function* recorded(asked: ChatCall, watch = new CallWatch(asked)) {
    try {
      yield* watch.events(asked);
    } finally {
      entries.push(watch.entry((model) => prices[model]));
    }
  }
  const call = async (answer: Answer, members?: Partial<ChatCall>) => recorded(await chatCall(answer, members));

  const only = (): LedgerEntry => {
    assert.equal(entries.length, 1);
    const [entry] = entries;
    assert.ok(entry);
    return entry;
  };

  it('is recorded with its usage, prices and conversation', async () => {
    const events = await call(answerStream(eventStreamOf(...EVENTS)), { conversationId: 'c1' });
    await wire.collect(events);
    const { id, at, durationMs, firstByteMs, ...rest } = only();
    assert.match(id, /^[\da-f-]{36}$/);
    assert.ok(at > 0 && durationMs >= (firstByteMs ?? Number.POSITIVE_INFINITY));
    assert.deepEqual(rest, {
      source: 'chatPanel',
      conversationId: 'c1',
      endpoint: '/chat/completions',
      callerFormat: 'chat-completions',
      upstreamFormat: 'chat-completions',
      model: 'familya-sonnet-4.6',
      upstream: 'hosted',
      status: 200,
      usage: { inputTokens: 5, outputTokens: 3 },
      usageBound: 'reported',
      prices: PRICES,
      end: 'completed',
    });
  });

  it('has tokens but no prices if the catalog has none', async () => {
    prices = {};
    await wire.collect(await call(answerStream(eventStreamOf(...EVENTS))));
    assert.equal(only().prices, undefined);
    assert.deepEqual(only().usage, { inputTokens: 5, outputTokens: 3 });
  });

  it('is recorded with its status if the service rejects it', async () => {
    const events = await call(answerJson({ error: { message: 'Add credit.', type: 'billing_error' } }, 402));
    await wire.rejection(wire.collect(events));
    const { status, end, usage, firstByteMs } = only();
    assert.deepEqual([status, end, usage, firstByteMs], [402, 'upstreamFailed', undefined, undefined]);
  });

  it('is recorded as failed if the answer breaks off', async () => {
    const events = await call(answerStream(eventStreamOf(...EVENTS.slice(0, 2)), { ending: 'cut' }));
    assert.equal((await wire.collect(events)).at(-1)?.type, 'error');
    assert.deepEqual([only().status, only().end], [200, 'upstreamFailed']);
  });

  it('is recorded if it is canceled', async () => {
    const controller = new AbortController();
    const stalled = answerStream(eventStreamOf(...EVENTS.slice(0, 2)), { ending: 'stall' });
    const events = await call(stalled, { options: { signal: controller.signal } });
    const reading = (async () => {
      for await (const { type } of events) if (type === 'textDelta') controller.abort(new Error('stopped'));
    })();
    await assert.rejects(reading, /stopped/);
    assert.deepEqual([only().status, only().end], [200, 'clientLeft']);
  });

  it('has estimated usage, marked as such, if it is stopped or cut off', async () => {
    for (const ending of ['cut', 'stall'] as const) {
      const events = await call(answerStream(eventStreamOf(...EVENTS.slice(0, 2)), { ending }));
      for await (const { type } of events) if (type === 'textDelta' && ending === 'stall') break;
      const { usage, usageIsEstimated, prices } = entries.at(-1) ?? {};
      assert.ok((usage?.inputTokens ?? 0) >= 5 && usage?.outputTokens === 3, JSON.stringify(usage));
      assert.deepEqual([usageIsEstimated, prices], [true, PRICES]);
      await service.close();
    }
  });

  for (const format of FORMAT_NAMES) {
    it(`is marked as an estimate if the ${format} answer names a service tier with its own prices`, async () => {
      await wire.collect(await call(answerStream(eventStreamOf(...OF_TIER[format])), { format }));
      const { usage, usageIsEstimated, end } = only();
      const counts = [usage?.inputTokens, usage?.outputTokens, usage?.hasUnlistedPrice];
      assert.deepEqual([...counts, usageIsEstimated, end], [5, 3, undefined, true, 'completed']);
    });
  }

  it('is marked as an estimate if reasoning has its own price, and the service does not count it', async () => {
    prices = { 'familya-sonnet-4.6': { ...PRICES, reasoningPrice: 20 } };
    await wire.collect(await call(answerStream(eventStreamOf(...EVENTS))));
    assert.equal(only().usageIsEstimated, true);
  });

  it('costs what its prices say, whatever amount the service reports', async () => {
    const events = EVENTS.map((event) =>
      typeof event === 'object' && 'usage' in event ? { ...event, usage: { ...USAGE, cost: 9 } } : event,
    );
    await wire.collect(await call(answerStream(eventStreamOf(...events))));
    assert.deepEqual([only().usage, only().usageIsEstimated], [{ inputTokens: 5, outputTokens: 3 }, undefined]);
  });

  it('has no usage if there was no response, because it cannot be billed', async () => {
    const asked = await chatCall(answerJson({}));
    await service.close();
    const error = await wire.rejection(wire.collect(recorded({ ...asked, options: { retries: 0 } })));
    assert.equal(error.mayBeBilled, false);
    assert.deepEqual([only().usage, only().end], [undefined, 'upstreamFailed']);
  });

  it('has the estimated input if the connection was lost before an answer', async () => {
    const hangUp: Answer = (response) => void response.socket?.destroy();
    const error = await wire.rejection(wire.collect(await call(hangUp, { options: { retries: 0 } })));
    assert.equal(error.mayBeBilled, true);
    assert.deepEqual([(only().usage?.inputTokens ?? 0) > 0, only().usageIsEstimated], [true, true]);
  });

  it('can be canceled from the Traffic view, which aborts its reader', async () => {
    const stalled = answerStream(eventStreamOf(...EVENTS.slice(0, 2)), { ending: 'stall' });
    const asked = await chatCall(stalled);
    const watch = new CallWatch(asked);
    const reading = (async () => {
      for await (const { type } of recorded(asked, watch)) if (type === 'textDelta') watch.cancel();
    })();
    await assert.rejects(reading, { name: 'AbortError', message: 'Canceled in the Traffic view.' });
    assert.deepEqual([only().id, only().end], [watch.id, 'cancelled']);
  });

  it('shows its row while it is running, and its headers without the key', async () => {
    const asked = await chatCall(answerStream(eventStreamOf(...EVENTS), { headers: { 'x-note': wire.SECRET } }));
    const watch = new CallWatch(asked);
    const lines: TrafficRow[] = [];
    for await (const _ of recorded(asked, watch)) lines.push(runningRow(watch));
    assert.deepEqual([lines[0]?.id, lines[0]?.status, lines[0]?.source], [watch.id, 200, 'chatPanel']);
    assert.equal(detailsOf(watch).record?.end, 'completed');
    const { requestHeaders = [], answerHeaders = [], attempts } = detailsOf(watch);
    assert.deepEqual(Object.fromEntries(requestHeaders), {
      accept: 'text/event-stream',
      'content-type': 'application/json',
    });
    assert.match(Object.fromEntries(answerHeaders)['content-type'] ?? '', /event-stream/);
    assert.deepEqual(
      attempts.map(({ upstream }) => upstream),
      ['hosted'],
    );
    assert.ok(!JSON.stringify(detailsOf(watch)).includes(wire.SECRET));
  });

  it('is recorded if its reader stops early', async () => {
    for await (const _ of await call(answerStream(eventStreamOf(...EVENTS.slice(0, 2)), { ending: 'stall' }))) break;
    assert.equal(only().end, 'clientLeft');
  });

  it('never contains the content of the chat or the key', async () => {
    await wire.collect(await call(answerStream(eventStreamOf(...EVENTS))));
    const written = JSON.stringify(only());
    for (const secret of [CANARY, 'Good day', wire.SECRET]) assert.ok(!written.includes(secret), secret);
  });
});
