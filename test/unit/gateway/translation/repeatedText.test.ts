import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { WireFormat } from '../../../../src/formats/wireFormat.ts';
import { AnswerRestorer } from '../../../../src/gateway/translation/answerRestorer.ts';
import { ToolNames } from '../../../../src/gateway/translation/toolPlan.ts';
import { TranslatedStream } from '../../../../src/gateway/translation/translatedStream.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { runs } from '../../../support/randomRuns.ts';
import { split, splits } from '../../formats/streams.ts';

/** Long enough for the ID of an answer. */
const ID = 'a1b2c3d4e5f60718';
const context = { request: { model: 'm', system: [], messages: [], stream: true }, now: 1_800_000_000, inputTokens: 5 };

/** The same format without its faster parser of repeated events. */
const { createEventParser: _, ...plain } = wireFormats['chat-completions'];

function translated(upstream: WireFormat, caller: WireFormat, pieces: readonly Buffer[]) {
  const restorer = new AnswerRestorer(new ToolNames(), { model: 'm', messages: [] });
  const stream = new TranslatedStream({ upstream, caller, context, restorer, keepsEvents: true });
  const text = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
  return { text: withoutIds(text), error: stream.error, response: stream.response() };
}

/** Removes item IDs, which are random in the responses format. */
function withoutIds(text: string): string {
  return text.replace(/(msg|rs|fc|ctc)_[\da-f]{16,}/g, '$1_');
}

const delta = fc.oneof(
  { weight: 12, arbitrary: fc.string({ unit: anyCharacter }).map((content) => ({ content })) },
  { weight: 2, arbitrary: fc.string().map((content) => ({ content, role: 'assistant', refusal: null })) },
  fc.string().map((content) => ({ content, refusal: 'no' })),
  fc.string().map((reasoning_content) => ({ reasoning_content })),
  fc.string().map((content) => ({ content, tool_calls: [{ index: 0, id: 'c', function: { name: 'f' } }] })),
  fc.constant({ tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }),
);

const more = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  fc.integer({ min: 0, max: 9 }).map((count) => ({ usage: { prompt_tokens: 1, completion_tokens: count } })),
  fc.constant({ error: { message: 'broken' } }),
);
const reason = fc.oneof({ weight: 20, arbitrary: fc.constant(null) }, fc.constantFrom('stop', 'length', 'error'));

const chunk = fc.record({ delta, more, reason, index: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1) }).map((said) => {
  const choice = { index: said.index, delta: said.delta, finish_reason: said.reason };
  return `data: ${JSON.stringify({ id: ID, model: 'm', created: 1, choices: [choice], ...said.more })}\n\n`;
});
/** One kind of chunk several times in a row, as servers write them. */
const stream = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.array(fc.string({ unit: anyCharacter, minLength: 1 }), { maxLength: 6 }).map(likeChunks),
    },
    chunk.map((one) => one + one),
    chunk,
    fc.constantFrom(': ping\n\n', 'data: {}\n\n', 'data: [DONE]\n\n', 'data: {"choices"\n\n'),
  ),
  { maxLength: 8 },
);

function likeChunks(texts: readonly string[]): string {
  const of = (content: string) => JSON.stringify({ id: ID, choices: [{ index: 0, delta: { content } }] });
  return texts.map((text) => `data: ${of(text)}\n\n`).join('');
}

describe('a translated stream of similar events', () => {
  for (const caller of [wireFormats.messages, wireFormats.responses]) {
    it(`is the same for a caller of ${caller.name} as if every event were parsed completely`, () => {
      fc.assert(
        fc.property(stream, splits, (events, sizes) => {
          const pieces = split(Buffer.from(events.join('')), sizes);
          assert.deepEqual(
            translated(wireFormats['chat-completions'], caller, pieces),
            translated(plain, caller, pieces),
          );
        }),
        { numRuns: runs(200) },
      );
    });
  }

  it('has the text of servers with unnecessary escapes', () => {
    const spelt = ['caf\\u00e9', '\\ud83d\\ude00\\/', 'a\\u0022b', 'end\\\\'];
    const events = spelt.map(
      (text) => `data: {"id":"${ID}","choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`,
    );
    const piece = Buffer.from(events.join(''));
    const { text } = translated(wireFormats['chat-completions'], wireFormats.messages, [piece]);
    const said = [...text.matchAll(/"text_delta","text":(".*")\}\}$/gm)].map(([, json = '']) => JSON.parse(json));
    assert.deepEqual(said, ['café', '😀/', 'a"b', 'end\\']);
  });

  it('counts all of the text if the upstream does not count', () => {
    const text = (words: readonly string[]) => {
      const end = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
      const pieces = [Buffer.from(likeChunks(words) + end)];
      return translated(wireFormats['chat-completions'], wireFormats.messages, pieces).text;
    };
    const [, tokens] =
      /"output_tokens":(\d+)\}\}\n\nevent: message_stop/.exec(text(['one\n', 'two ', 'three', 'four'])) ?? [];
    const [, whole] = /"output_tokens":(\d+)\}\}\n\nevent: message_stop/.exec(text(['one\ntwo threefour'])) ?? [];
    assert.equal(tokens, whole);
    assert.ok(Number(tokens) > 2, tokens);
  });

  it('copies texts without decoder and encoder', () => {
    let encoded = 0;
    const counting: WireFormat = {
      ...wireFormats.messages,
      createStreamEncoder: (given) => {
        const encoder = wireFormats.messages.createStreamEncoder(given);
        return {
          push: (event) => {
            encoded += 1;
            return encoder.push(event);
          },
          textFrame: (index) => encoder.textFrame?.(index),
          end: () => encoder.end(),
        };
      },
    };
    const pieces = [Buffer.from(likeChunks(['a', 'b', 'c\n', '"d"', 'e']))];
    assert.match(translated(wireFormats['chat-completions'], counting, pieces).text, /"c\\n".*"\\"d\\"".*"e"/s);
    // The start, one text, and the error of a stream that is cut: the other four texts were not encoded individually.
    assert.ok(encoded <= 4, String(encoded));
  });
});
