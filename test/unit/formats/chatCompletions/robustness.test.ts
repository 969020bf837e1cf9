import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../../src/formats/answer.ts';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import { runs } from '../../../support/randomRuns.ts';
import { readEvents } from '../streams.ts';

/** An object with some of the members, each of the right type or of any other. */
function loosely(members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const either = Object.entries(members).map(([name, value]) => [
    name,
    fc.oneof({ weight: 6, arbitrary: value }, fc.jsonValue()),
  ]);
  return fc.record(Object.fromEntries(either), { requiredKeys: [], noNullPrototype: true });
}

const string = fc.constantFrom('', 'a', '{"x":', '1}');
const call = loosely({
  index: fc.nat({ max: 2 }),
  id: string,
  type: fc.constantFrom('function', 'custom'),
  function: loosely({ name: string, arguments: string }),
  custom: loosely({ name: string, input: string }),
});
const detail = loosely({ type: string, index: fc.nat({ max: 2 }), text: string, signature: string, data: string });
const message = {
  role: fc.constantFrom('system', 'user', 'assistant', 'tool', 'developer', 'function'),
  content: fc.oneof(string, fc.array(loosely({ type: fc.constantFrom('text', 'image_url', 'file'), text: string }))),
  tool_call_id: string,
  name: string,
  reasoning_content: string,
  reasoning_details: fc.array(detail, { maxLength: 2 }),
  refusal: string,
  tool_calls: fc.array(call, { maxLength: 3 }),
  function_call: loosely({ name: string, arguments: string }),
};
const usage = loosely({ prompt_tokens: fc.nat(), completion_tokens: fc.nat() });
const chunk = loosely({
  id: string,
  model: string,
  choices: fc.array(
    loosely({
      index: fc.constantFrom(0, 1),
      delta: loosely(message),
      finish_reason: fc.constantFrom(null, 'stop', ''),
    }),
    { maxLength: 2 },
  ),
  usage,
  error: fc.constant(null),
});

/** Asserts the rules of the neutral stream: one start, parts numbered in order, only calls overlap, one end. */
function assertInOrder(events: readonly ChatEvent[]): void {
  const valid = events.filter(({ type }) => type !== 'malformed');
  const last = valid.findLastIndex(({ type }) => type !== 'usage');
  assert.ok(['finish', 'error'].includes(valid[last]?.type ?? ''), 'ends with a finish or an error');
  const openCalls = new Set<number>();
  let parts = 0;
  let started = false;
  for (const [place, event] of valid.entries()) {
    assert.equal(event.type === 'start', !started && event.type !== 'error', 'starts once, before all else');
    started = true;
    assert.equal(event.type === 'finish' || event.type === 'error', place === last, 'has one end');
    if (!('index' in event)) continue;
    assert.ok(event.index <= parts, 'leaves no number out');
    if (event.type === 'toolCallDelta' || event.type === 'toolCallEnd') assert.ok(openCalls.has(event.index));
    else if (event.type !== 'toolCallStart') assert.equal(openCalls.size, 0, 'tells no text within a call');
    if (event.type === 'toolCallStart') openCalls.add(event.index);
    if (event.type === 'toolCallEnd') openCalls.delete(event.index);
    if (event.index === parts) parts += 1;
    else if (!event.type.startsWith('toolCall')) assert.equal(event.index, parts - 1, 'returns to no part');
  }
  if (valid[last]?.type === 'finish') assert.equal(openCalls.size, 0, 'leaves no call open');
}

describe('Chat-completions format with arbitrary input', () => {
  it('follows the rules of the neutral stream for any chunks', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 8 }), fc.boolean(), (chunks, done) => {
        const wire = chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('');
        assertInOrder(readEvents(chatCompletions, done ? `${wire}data: [DONE]\n\n` : wire));
      }),
      { numRuns: runs(60) },
    );
  });

  it('decodes a request or names the invalid field', () => {
    const request = loosely({
      model: string,
      messages: fc.array(loosely(message), { maxLength: 4 }),
      tools: fc.array(call),
    });
    fc.assert(
      fc.property(request, (body) => {
        try {
          chatCompletions.encodeRequest(chatCompletions.decodeRequest(body));
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
        }
      }),
      { numRuns: runs(60) },
    );
  });

  it('decodes an answer or names the invalid field', () => {
    const choices = fc.array(loosely({ message: loosely(message), finish_reason: string }), {
      minLength: 1,
      maxLength: 2,
    });
    fc.assert(
      fc.property(loosely({ id: string, choices, usage }), (body) => {
        try {
          assert.ok(Array.isArray(chatCompletions.decodeResponse(body).parts));
        } catch (error) {
          assert.ok(error instanceof FormatError, String(error));
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
