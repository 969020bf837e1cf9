import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChatCompletionsEventParser, parseEvent } from '../../../../src/formats/chatCompletions/eventParser.ts';
import type { ServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { runs } from '../../../support/randomRuns.ts';

/** Asserts that both ways to validate a stream give the same result for each event. */
function assertSame(events: readonly ServerSentEvent[]): void {
  const parser = new ChatCompletionsEventParser();
  for (const event of events) assert.deepEqual(parser.parse(event), parseEvent(event));
}

const chunk = (delta: string, more = '') => ({
  data: `{"id":"1","choices":[{"index":0,"delta":${delta},"finish_reason":null}]${more}}`,
});

/** Anything that a JSON string may or may not contain, as on the wire. */
const spelt = fc.oneof(
  fc.string({ unit: anyCharacter }).map((text) => JSON.stringify(text).slice(1, -1)),
  fc
    .array(fc.constantFrom('\\', '"', '\\"', '\\u00e9', '\\u0', '\n', '\u0000', '{', '}', ',', ':', 'content', 'x'), {
      maxLength: 8,
    })
    .map((pieces) => pieces.join('')),
);

const field = fc.constantFrom('content', 'reasoning_content', 'reasoning', 'role');

/** Deltas, many of them similar, some of which repeat the text under the same name elsewhere. */
const delta = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(field, spelt).map(([name, text]) => `{"${name}":"${text}"}`) },
  fc.tuple(spelt, spelt).map(([one, two]) => `{"content":"${one}","content":"${two}"}`),
  fc.tuple(spelt, spelt).map(([one, two]) => `{"extra":{"content":"${one}"},"content":"${two}"}`),
  fc.tuple(spelt, spelt).map(([one, two]) => `{"content":"${one}","reasoning":"${two}"}`),
  fc.constantFrom('{}', 'null', '{"content":null}', '{"content":[{"type":"text","text":"x"}]}', '{"content":"', '7'),
);

const event: fc.Arbitrary<ServerSentEvent> = fc.oneof(
  { weight: 8, arbitrary: delta.map((text) => chunk(text)) },
  { weight: 2, arbitrary: delta.map((text) => chunk(text, ',"usage":{"prompt_tokens":1}')) },
  delta.map((text) => ({ event: 'error', data: chunk(text).data })),
  delta.map((text) => ({ data: `{"choices":[{"delta":${text}},{"delta":${text}}]}` })),
  delta.map((text) => ({ data: `{"error":"${text.length}","choices":[{"delta":${text}}]}` })),
  fc.constantFrom<ServerSentEvent>({ data: '[DONE]' }, { data: '' }, { data: '"content":"x"' }),
);

describe('the parser of a chat-completions stream', () => {
  it('returns the same result for every event as a separate check', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => assertSame(events)),
      { numRuns: runs(300) },
    );
  });

  it('reads the text of similar events', () => {
    const texts = ['a', 'b', '', 'ü', '\\u00fc\\n', 'say \\"x\\"', '\\\\', '😀'];
    assertSame(texts.map((text) => chunk(`{"content":"${text}"}`)));
  });

  it('finds the right text if another field has the same name', () => {
    for (const twin of ['"content":"a","content":"a"', '"x":{"content":"a"},"content":"a"', '"content" : "a"']) {
      assertSame([
        chunk(`{${twin}}`),
        chunk(`{${twin.replace('"a"', '"b"')}}`),
        chunk(`{${twin.replace(/"a"$/, '"c"')}}`),
      ]);
    }
  });

  it('interprets a text that closes its string literally', () => {
    assertSame([
      chunk('{"content":"a"}'),
      chunk('{"content":"a","tool_calls":[{"id":7}]}'),
      chunk('{"content":"b","refusal":"no"}'),
      chunk('{"content":"b\\"}'),
    ]);
  });

  it('returns a separate value for each event', () => {
    const parser = new ChatCompletionsEventParser();
    const items = ['a', 'b', 'c'].map((text) => parser.parse(chunk(`{"content":"${text}"}`)));
    const texts = items.map((item) => item.type === 'event' && item.event.choices?.[0]?.delta?.content);
    assert.deepEqual(texts, ['a', 'b', 'c']);
  });

  it('continues checking if no two events are similar', () => {
    assertSame(Array.from({ length: 50 }, (_, nth) => chunk(`{"content":"a"}`, `,"created":${nth}`)));
  });
});
