import assert from 'node:assert/strict';
import { harOf } from '../../../../src/editor/traffic/har.ts';
import { fixtureOf, type Recorded } from '../../../../src/editor/traffic/recorded.ts';
import type { CapturedBody, RunningExchange, TrafficDetails } from '../../../../src/gateway/traffic/protocol.ts';
import { LiveRows } from '../../../../src/pages/traffic/liveRows.ts';
import type { TrafficRow } from '../../../../src/pages/traffic/protocol.ts';
import { searchTerms } from '../../../../src/pages/traffic/searchTerms.ts';
import { shownBody } from '../../../../src/pages/traffic/shownBody.ts';
import { isMatch } from '../../../../src/rules/exchangeFilter.ts';
import { harSchema } from '../../../support/harSchema.ts';

const RUNNING: RunningExchange = {
  id: 'req_1',
  at: 1_000,
  client: 'aider',
  localKeyId: 'k1',
  endpoint: '/messages',
  callerFormat: 'messages',
  model: 'familya-opus-4.6',
  durationMs: 500,
  bytesIn: 10,
  bytesOut: 20,
};
const ROW: TrafficRow = { ...RUNNING, source: 'gateway' };
const STREAM = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}\n\n',
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm"}}\n\nevent: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
  'event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}\n\nevent: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hi"}}\n\n',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":2}}\n\nevent: message_stop\ndata: {"type":"message_stop"}\n\n',
];

function captured(part: CapturedBody['part'], texts: readonly string[]): CapturedBody {
  const pieces = texts.map((text, nth) => [100 * (nth + 1), text] as const);
  const bytes = texts.join('').length;
  return { part, bytes, keptBytes: bytes, isReadable: true, pieces };
}

const DETAILS: TrafficDetails = {
  id: 'req_1',
  callerFormat: 'messages',
  record: { ...RUNNING, durationMs: 900, queueMs: 5, end: 'completed' },
  requestHeaders: [['content-type', 'application/json']],
  answerHeaders: [
    ['content-type', 'text/event-stream'],
    ['request-id', 'r'],
  ],
  attempts: [],
  bodies: [],
};

describe('the search terms of the traffic filter', () => {
  it('name the field to search, and find tools by the names of their keys', () => {
    assert.deepEqual(searchTerms('  model:Opus 402 tool:agent', { k1: 'Terminal agent', k2: 'other' }), [
      { field: 'model', text: 'opus', localKeyIds: [], sources: [] },
      { text: '402', localKeyIds: [], sources: [] },
      { field: 'tool', text: 'agent', localKeyIds: ['k1'], sources: [] },
    ]);
  });

  it('find the parts of the editor by the names shown in the list', () => {
    assert.deepEqual(searchTerms('tool:chat', {})[0]?.sources, ['chatPanel', 'chatTitle', 'nativeChat']);
  });
});

describe('rows that are not in the ledger yet', () => {
  it('match by the same rules as ledger rows', () => {
    const names = { k1: 'Terminal agent' };
    const matching = ['opus', 'model:opus', 'tool:agent', 'AIDER messages', 'endpoint:messages', 'req_1'];
    for (const text of matching) assert.ok(isMatch({ terms: searchTerms(text, names) }, ROW), text);
    for (const text of ['upstream:opus', 'status:200', 'sonnet', 'model:agent']) {
      assert.ok(!isMatch({ terms: searchTerms(text, names) }, ROW), text);
    }
    assert.ok(isMatch({ model: 'familya-opus-4.6', from: 1_000, to: 1_001 }, ROW));
    assert.ok(!isMatch({ from: 1_001 }, ROW));
    assert.ok(!isMatch({ to: 1_000 }, ROW));
    assert.ok(!isMatch({ source: 'chatPanel' }, ROW));
    assert.ok(!isMatch({ outcome: 'completed' }, ROW));
  });

  it('stay after their end until they are in the ledger', () => {
    const live = new LiveRows();
    live.run([RUNNING]);
    assert.equal(live.all[0]?.end, undefined);
    live.end({ ...RUNNING, durationMs: 900, status: 200, cost: 0.01, end: 'completed' });
    live.run([]);
    const [row] = live.all;
    assert.deepEqual([row?.end, row?.durationMs, row?.cost, row?.client], ['completed', 900, 0.01, 'aider']);
    live.entered(['req_1']);
    assert.deepEqual(live.all, []);
  });
});

describe('a captured stream', () => {
  it('is shown as events, each with the time of its last byte', () => {
    const whole = captured('answer', ['data: {"a":1}\n', '\ndata: {"b":2}\n\n']);
    assert.deepEqual(shownBody(whole, DETAILS).events, [
      { atMs: 200, data: '{"a":1}' },
      { atMs: 200, data: '{"b":2}' },
    ]);
  });

  it('shows when reasoning and answer began and how it finished', () => {
    const { steps } = shownBody(captured('answer', STREAM), DETAILS);
    assert.deepEqual(steps, [
      { atMs: 300, kind: 'reasoning' },
      { atMs: 400, kind: 'text' },
      { atMs: 500, kind: 'finish', name: 'stop' },
    ]);
  });

  it('is shown as text if it is not a stream', () => {
    const body = shownBody(captured('request', ['{"data":', '1}']), DETAILS);
    assert.deepEqual([body.text, body.events, body.format], ['{"data":1}', undefined, 'messages']);
  });
});

describe('exported files of an exchange', () => {
  const recorded: Recorded = {
    row: { ...ROW, durationMs: 900, firstByteMs: 105, status: 200, end: 'completed' },
    details: DETAILS,
    request: captured('request', ['{"model":"m"}']),
    answer: captured('answer', ['data: 1\n\n', 'data: 2\n\n']),
  };

  it('have the required fields of an HTTP archive, and phases that add up to the total time', () => {
    const { log } = harOf([recorded]) as { log: { entries: Record<string, never>[] } };
    harSchema.parse(harOf([recorded]));
    const entry = log.entries[0] as unknown as {
      time: number;
      request: { method: string; url: string; postData: unknown };
      response: { status: number; content: { text: string; mimeType: string } };
      timings: Record<string, number>;
    };
    assert.equal(entry.request.method, 'POST');
    assert.match(entry.request.url, /\/api\/v1\/messages$/);
    assert.deepEqual(entry.request.postData, { mimeType: 'application/json', text: '{"model":"m"}' });
    assert.deepEqual(entry.response.content, {
      size: 18,
      mimeType: 'text/event-stream',
      text: 'data: 1\n\ndata: 2\n\n',
    });
    const { timings } = entry;
    assert.deepEqual(timings, { blocked: 5, send: 0, wait: 100, receive: 795 });
    assert.equal(
      Object.values(timings).reduce((sum, each) => sum + each),
      entry.time,
    );
  });

  it('can be replayed by a test: the request, and the events with their intervals', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(fixtureOf(recorded))), {
      format: 'messages',
      endpoint: '/messages',
      request: { model: 'm' },
      answer: {
        status: 200,
        headers: { 'content-type': 'text/event-stream' },
        events: [
          { afterMs: 0, data: '1' },
          { afterMs: 100, data: '2' },
        ],
      },
    });
  });
});
