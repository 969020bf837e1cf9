import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import type { ChatRequest, FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { readEvents } from '../../formats/streams.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

const SCHEMA = { type: 'object', properties: { city: { type: 'string' } } } as const;
const QUESTION: ChatRequest = {
  model: 'model-a',
  maxTokens: 100,
  system: [{ type: 'text', text: 'Be brief.' }],
  messages: [
    {
      role: 'user',
      parts: [
        { type: 'text', text: 'What is in this picture?' },
        { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
      ],
    },
    {
      role: 'assistant',
      parts: [
        { type: 'toolCall', id: 'call_1', name: 'look', arguments: '{"city":"Oslo"}' },
        { type: 'toolCall', id: 'call_2', name: 'look', arguments: '{"city":"Rome"}' },
      ],
    },
    {
      role: 'tool',
      parts: [
        { type: 'toolResult', toolCallId: 'call_2', content: [{ type: 'text', text: 'warm' }] },
        { type: 'toolResult', toolCallId: 'call_1', content: [{ type: 'text', text: 'cold' }] },
      ],
    },
  ],
  tools: [{ name: 'look', parameters: SCHEMA }],
};

const SAID: Said = {
  parts: [
    { reasoning: 'Two cities, so two calls.', signature: 'c2VhbA==' },
    { text: 'Grüße! I look at both 🙂.' },
    { call: 'call_a', name: 'look', arguments: '{"city":"Tromsø"}' },
    { call: 'call_b', name: 'look', arguments: '{"city":"Zürich"}' },
  ],
};

function contentOf(events: readonly ChatEvent[]) {
  const text = events.map((event) => (event.type === 'textDelta' ? event.text : '')).join('');
  const reasoning = events.map((event) => (event.type === 'reasoningDelta' ? event.text : '')).join('');
  const calls = events.flatMap((event) => {
    if (event.type !== 'toolCallStart') return [];
    const written = events.map((each) =>
      each.type === 'toolCallDelta' && each.index === event.index ? each.arguments : '',
    );
    return [[event.id, event.name, JSON.parse(written.join(''))]];
  });
  const usage = events.findLast((event) => event.type === 'usage')?.usage;
  const finish = events.find((event) => event.type === 'finish')?.reason;
  return { text, reasoning, calls, usage, finish };
}

const EXPECTED_CALLS = [
  ['call_a', 'look', { city: 'Tromsø' }],
  ['call_b', 'look', { city: 'Zürich' }],
];

function encoded(caller: FormatName, request: ChatRequest): string {
  return JSON.stringify(wireFormats[caller].encodeRequest(request));
}

for (const { caller, upstream } of PAIRS) {
  describe(`the gateway between ${caller} callers and ${upstream} upstreams`, () => {
    afterEach(closeAll);

    const ask = async (request: ChatRequest, manners: object = {}) => {
      const running = await startRouter([{ formats: [upstream], script: () => ({ ...SAID, ...manners }) }]);
      const path = `/api/v1${wireFormats[caller].path}`;
      const record = running.nextRecord();
      const answer = await send({ port: running.port, path, body: encoded(caller, request) });
      return { ...running, answer, record: await record };
    };

    for (const [name, manners] of [
      ['in one piece', {}],
      ['byte by byte', { pieceBytes: 1 }],
      ['in pieces of 7 bytes, with CRLF and comments', { pieceBytes: 7, odd: true }],
      ['compressed', { gzip: true, pieceBytes: 50 }],
    ] as const) {
      it(`translates a stream that comes ${name}`, async () => {
        const { answer, record } = await ask({ ...QUESTION, stream: true, includeUsage: true }, manners);
        assert.equal(answer.status, 200);
        assert.match(answer.headers['content-type'] ?? '', /^text\/event-stream/);
        const decoded = contentOf(readEvents(wireFormats[caller], answer.body.toString()));
        assert.equal(decoded.text, 'Grüße! I look at both 🙂.');
        assert.equal(decoded.reasoning, 'Two cities, so two calls.');
        assert.deepEqual(decoded.calls, EXPECTED_CALLS);
        assert.equal(decoded.finish, 'toolCalls');
        assert.deepEqual(
          [decoded.usage?.inputTokens, decoded.usage?.cachedInputTokens, decoded.usage?.outputTokens],
          [120, 100, 17],
        );
        assert.deepEqual([record.upstream, record.upstreamFormat, record.end], ['server0', upstream, 'completed']);
      });
    }

    it('translates a complete answer', async () => {
      const { answer } = await ask(QUESTION);
      assert.equal(answer.status, 200);
      const response = wireFormats[caller].decodeResponse(json(answer));
      const calls = response.parts.flatMap((part) =>
        part.type === 'toolCall' ? [[part.id, part.name, JSON.parse(part.arguments)]] : [],
      );
      assert.deepEqual(calls, EXPECTED_CALLS);
      assert.ok(response.parts.some((part) => part.type === 'text' && part.text.includes('Grüße')));
      assert.equal(response.usage?.inputTokens, 120);
      assert.equal(response.usage?.cachedInputTokens, 100);
    });

    it('translates the request, with its image, calls, and results', async () => {
      const { servers } = await ask(QUESTION);
      const request = wireFormats[upstream].decodeRequest((await servers[0]?.request())?.body);
      assert.equal(request.model, 'model-a');
      assert.deepEqual(
        request.system.map(({ text }) => text),
        ['Be brief.'],
      );
      const parts = request.messages.flatMap((message) => [...message.parts]);
      assert.ok(parts.some((part) => part.type === 'image' && part.source.kind === 'base64'));
      const results = parts.flatMap((part) => (part.type === 'toolResult' ? [part.toolCallId] : []));
      assert.deepEqual(results.sort(), ['call_1', 'call_2']);
    });

    it('ends an interrupted stream with an error in the caller’s format, and records the failure', async () => {
      const { answer, record } = await ask({ ...QUESTION, stream: true }, { afterEvents: 6, ending: 'cut' });
      const events = readEvents(wireFormats[caller], answer.body.toString());
      assert.equal(events.at(-1)?.type, 'error');
      assert.ok(!answer.body.includes('[DONE]') && !answer.body.includes('message_stop'));
      assert.equal(record.end, 'upstreamFailed');
      if (caller === 'responses') assert.match(answer.body.toString(), /event: response\.failed/);
    });

    it('does not treat a stream that closes early as complete', async () => {
      const { answer } = await ask({ ...QUESTION, stream: true }, { afterEvents: 6, ending: 'end' });
      const events = readEvents(wireFormats[caller], answer.body.toString());
      assert.equal(events.at(-1)?.type, 'error');
      assert.ok(!events.some(({ type }) => type === 'finish'));
    });
  });
}
