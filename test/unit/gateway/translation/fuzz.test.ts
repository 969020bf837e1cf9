import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { assembleResponse, type ChatEvent } from '../../../../src/formats/answer.ts';
import { FormatError } from '../../../../src/formats/apiError.ts';
import type { ChatRequest, FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { formatServerSentEvent } from '../../../../src/formats/serverSentEvents.ts';
import { AnswerRestorer } from '../../../../src/gateway/translation/answerRestorer.ts';
import { MemoryResponseStore } from '../../../../src/gateway/translation/memoryResponseStore.ts';
import { ToolNames } from '../../../../src/gateway/translation/toolPlan.ts';
import { TranslatedStream } from '../../../../src/gateway/translation/translatedStream.ts';
import { translate } from '../../../../src/gateway/translation/translation.ts';
import { asStream, readWhole, TranslationContext, withUsage } from '../../../../src/gateway/translation/wholeAnswer.ts';
import { type Carried, chatEvents, chatRequest, withDetails } from '../../../support/conversations.ts';
import { runs } from '../../../support/randomRuns.ts';
import { preserved as byChatCompletions } from '../../formats/chatCompletions/preserved.ts';
import {
  preservedInRequests as byMessages,
  preservedInAnswers as byMessagesAnswers,
} from '../../formats/messages/preserved.ts';
import { openResponse } from '../../formats/responses/openResponses.ts';
import {
  preservedInRequests as byResponses,
  preservedInAnswers as byResponsesAnswers,
} from '../../formats/responses/preserved.ts';
import { assertFits, assertWellFormed, jsonOf } from '../../formats/responses/wellFormed.ts';
import { readEvents, split, splits } from '../../formats/streams.ts';
import { PAIRS } from '../support/routed.ts';
import { mangled, misbehaving, mischief } from './mischief.ts';

const REQUESTS: Readonly<Record<FormatName, Carried>> = {
  'chat-completions': byChatCompletions,
  messages: byMessages,
  responses: byResponses,
};
const ANSWERS: Readonly<Record<FormatName, Carried>> = {
  'chat-completions': byChatCompletions,
  messages: byMessagesAnswers,
  responses: byResponsesAnswers,
};

/** Number of cases per property. */
const RUNS = { numRuns: runs(25) };

const request: ChatRequest = { model: 'm', system: [], messages: [], stream: true, includeUsage: true };
const ORIGINAL = {
  endpoint: '/models',
  method: 'POST',
  subpath: '',
  query: '',
  headers: {},
  localKeyId: 'k',
  callerFormat: 'messages',
} as const;
const translationContext = new TranslationContext(request);
const context = { request, now: 1_800_000_000, inputTokens: 5 };

function translated(
  { caller, upstream }: (typeof PAIRS)[number],
  pieces: readonly Buffer[],
): { readonly text: string; readonly failed: boolean } {
  const stream = new TranslatedStream({
    upstream: wireFormats[upstream],
    caller: wireFormats[caller],
    context,
    restorer: new AnswerRestorer(new ToolNames(), { model: 'm', messages: [] }),
    keepsEvents: false,
  });
  const text = pieces.map((piece) => stream.push(piece)).join('') + stream.end();
  return { text, failed: stream.error !== undefined };
}

/**
 * Asserts the order of the messages format: one start, one open block at a time numbered from 0, one end or an error.
 */
function assertMessagesInOrder(text: string): void {
  let started = false;
  let ended = false;
  let open: number | undefined;
  let next = 0;
  for (const event of jsonOf(text)) {
    assert.ok(!ended, `${event.type} after the end`);
    if (event.type === 'message_start') {
      assert.ok(!started);
      started = true;
    } else if (event.type === 'content_block_start') {
      assert.deepEqual([started, open, event.index], [true, undefined, next]);
      open = next;
      next += 1;
    } else if (event.type === 'content_block_delta') assert.equal(event.index, open);
    else if (event.type === 'content_block_stop') {
      assert.equal(event.index, open);
      open = undefined;
    } else if (event.type === 'message_delta') assert.deepEqual([started, open], [true, undefined]);
    else ended = event.type === 'message_stop' || event.type === 'error';
  }
  assert.ok(ended);
}

/**
 * Whether nothing of an answer is left that the chat-completions format has, such as of a signature without reasoning.
 * Its reader takes the tokens that are reported for such an answer as lost output, because servers that write the
 * output into members of their own are read with it.
 */
function isWithoutOutput(events: readonly ChatEvent[]): boolean {
  return events.every(({ type }) => type === 'start' || type === 'usage' || type === 'error');
}

/**
 * Asserts that the stream ends with exactly one finish or exactly one error, and contains nothing that a client cannot
 * read.
 */
function assertWellFormedAnswer(caller: FormatName, text: string, failed: boolean): readonly ChatEvent[] {
  const events = readEvents(wireFormats[caller], text);
  assert.ok(!events.some(({ type }) => type === 'malformed'), text);
  if (caller === 'chat-completions' && !failed && isWithoutOutput(events)) {
    assert.ok(text.includes('"finish_reason":"'), text);
    return events;
  }
  assert.equal(events.filter(({ type }) => type === 'finish').length, failed ? 0 : 1, text);
  assert.equal(events.filter(({ type }) => type === 'error').length, failed ? 1 : 0, text);
  if (caller === 'messages') assertMessagesInOrder(text);
  if (caller === 'responses' && text.startsWith('event: response.created')) assertWellFormed(jsonOf(text));
  if (caller === 'chat-completions') assert.equal(text.endsWith('data: [DONE]\n\n'), !failed);
  return events;
}

function written(upstream: FormatName, events: readonly ChatEvent[]): Buffer {
  const encoder = wireFormats[upstream].createStreamEncoder(context);
  const encoded = [...events.flatMap((event) => encoder.push(event)), ...encoder.end()];
  return Buffer.from(encoded.map(formatServerSentEvent).join(''));
}

/** Returns undefined for input that is not in the format, which results in an error for the client. */
function readable<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FormatError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns text and refusals, which are text in the messages format. */
function saidIn(events: readonly ChatEvent[]): string {
  return events
    .map((event) => (event.type === 'textDelta' || event.type === 'refusalDelta' ? event.text : ''))
    .join('');
}

for (const pair of PAIRS) {
  const { caller, upstream } = pair;
  describe(`fuzzed data between ${caller} and ${upstream}`, () => {
    it('has the same text, wherever the stream is split', () => {
      fc.assert(
        fc.property(withDetails(chatEvents(ANSWERS[upstream])), splits, (events, sizes) => {
          const { text, failed } = translated(pair, split(written(upstream, events), sizes));
          const read = assertWellFormedAnswer(caller, text, failed);
          const source = new TextDecoder().decode(written(upstream, events));
          assert.equal(saidIn(read), saidIn(readEvents(wireFormats[upstream], source)));
        }),
        RUNS,
      );
    });

    it('is well formed, whatever events the upstream sends', () => {
      const deeds = fc.array(mischief, { minLength: 1, maxLength: 5 });
      fc.assert(
        fc.property(withDetails(chatEvents(ANSWERS[upstream])), deeds, splits, (events, done, sizes) => {
          const source = new TextDecoder().decode(written(upstream, events));
          const { text, failed } = translated(pair, split(misbehaving(source, done), sizes));
          assertWellFormedAnswer(caller, text, failed);
        }),
        RUNS,
      );
    });

    it('becomes an answer or an error, whatever body the upstream sends', () => {
      const format = wireFormats[upstream];
      fc.assert(
        fc.property(
          withDetails(chatEvents(ANSWERS[upstream])).map(assembleResponse),
          fc.array(mischief, { maxLength: 3 }),
          (response, deeds) => {
            let body = JSON.stringify(format.encodeResponse(response, context));
            for (const { path, by } of deeds) body = mangled(body, path, by);
            const whole = readable(() => readWhole(format, Buffer.from(body)));
            if (whole === undefined) return;
            const restored = new AnswerRestorer(new ToolNames(), { model: 'm', messages: [] }).response(
              withUsage(whole, translationContext),
            );
            const encoded = wireFormats[caller].encodeResponse(restored, translationContext);
            if (caller === 'responses') assertFits(openResponse, encoded);
            const isEmpty = restored.parts.every(({ type }) => type === 'reasoning');
            const decode = () => wireFormats[caller].decodeResponse(JSON.parse(JSON.stringify(encoded)));
            const again = caller === 'chat-completions' && isEmpty ? readable(decode) : decode();
            if (again === undefined) return;
            assert.ok(again.usage !== undefined && again.model !== '');
            assertWellFormedAnswer(caller, asStream(restored, wireFormats[caller], translationContext), false);
          },
        ),
        RUNS,
      );
    });

    it('becomes a request or a refusal, whatever the client sends', () => {
      const format = wireFormats[caller];
      fc.assert(
        fc.property(chatRequest(REQUESTS[caller]), fc.array(mischief, { maxLength: 3 }), (asked, deeds) => {
          let body = JSON.stringify(format.encodeRequest(asked));
          for (const { path, by } of deeds) body = mangled(body, path, by);
          const decoded = readable(() => format.decodeRequest(JSON.parse(body)));
          if (decoded === undefined) return;
          const whole = { format, request: decoded, hasInstructions: false, bytes: body.length };
          const outcome = translate(ORIGINAL, whole, wireFormats[upstream], 'm', new MemoryResponseStore());
          if ('kind' in outcome) assert.equal(outcome.status, 400);
          else wireFormats[upstream].decodeRequest(JSON.parse(Buffer.from(outcome.request.body ?? '').toString()));
        }),
        RUNS,
      );
    });

    it('is well formed, wherever the stream is interrupted or damaged', () => {
      const damage = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.uint8Array({ maxLength: 6 })), {
        maxLength: 3,
      });
      const upTo = fc.double({ min: 0, max: 1, noNaN: true });
      fc.assert(
        fc.property(withDetails(chatEvents(ANSWERS[upstream])), splits, damage, upTo, (events, sizes, places, end) => {
          const bytes = written(upstream, events).slice();
          for (const [place, by] of places)
            bytes.set(by.subarray(0, bytes.length), Math.floor(place * Math.max(0, bytes.length - by.length)));
          const { text, failed } = translated(pair, split(bytes.subarray(0, Math.ceil(end * bytes.length)), sizes));
          assertWellFormedAnswer(caller, text, failed);
        }),
        RUNS,
      );
    });

    it('becomes a valid request in the upstream’s format, or a refusal', () => {
      fc.assert(
        fc.property(chatRequest(REQUESTS[caller]), (asked) => {
          const format = wireFormats[caller];
          const decoded = format.decodeRequest(JSON.parse(JSON.stringify(format.encodeRequest(asked))));
          const { previousResponseId: _, ...rest } = decoded;
          const whole = { format, request: rest, hasInstructions: false, bytes: 0 };
          const outcome = translate(ORIGINAL, whole, wireFormats[upstream], 'm', new MemoryResponseStore());
          if ('kind' in outcome) {
            assert.equal(outcome.code, 'unsupported_tool');
            return;
          }
          const body = JSON.parse(Buffer.from(outcome.request.body ?? '').toString());
          const again = wireFormats[upstream].decodeRequest(body);
          assert.equal(again.model, 'm');
          for (const tool of again.tools ?? []) assert.match(tool.name, /^[\w-]{1,64}$/);
          const calls = again.messages.flatMap(({ parts }) => [...parts]).filter((part) => part.type === 'toolCall');
          const sent = decoded.messages.flatMap(({ parts }) => [...parts]).filter((part) => part.type === 'toolCall');
          assert.equal(calls.length, sent.length);
        }),
        RUNS,
      );
    });
  });
}
