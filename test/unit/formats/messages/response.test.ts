import assert from 'node:assert/strict';
import type { ChatResponse, FinishReason } from '../../../../src/formats/answer.ts';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { messages } from '../../../../src/formats/messages/index.ts';

const context = { request: { model: 'm', system: [], messages: [] }, now: 1_790_000_000 };
const answer: ChatResponse = { id: 'msg_1', model: 'm', parts: [{ type: 'text', text: 'Hi' }], finishReason: 'stop' };
const wire = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: 'Hi', citations: null }],
  stop_reason: 'end_turn',
  stop_sequence: null,
};

function encode(more: Partial<ChatResponse>) {
  return messages.encodeResponse({ ...answer, ...more }, context);
}

describe('An answer in the messages format', () => {
  it('is decoded with unknown blocks reported as dropped and usage counted once', () => {
    const decoded = messages.decodeResponse({
      ...wire,
      content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }, ...wire.content],
      usage: { input_tokens: 3, cache_read_input_tokens: 40, cache_creation_input_tokens: null, output_tokens: 7 },
    });
    const usage = { inputTokens: 43, outputTokens: 7, cachedInputTokens: 40, webSearches: 1 };
    assert.deepEqual(decoded, { ...answer, usage, dropped: ['server_tool_use'] });
  });

  it('is decoded without usage if the service sent none', () => {
    assert.deepEqual(messages.decodeResponse(wire), answer);
    assert.deepEqual(messages.decodeResponse({ ...wire, usage: {} }), answer);
  });

  it('is rejected with the path of the invalid field', () => {
    assert.throws(
      () => messages.decodeResponse({ ...wire, content: [{ type: 'tool_use', id: 't', name: 'f', input: 'x' }] }),
      (error) => error instanceof FormatError && error.path === 'content.0.input',
    );
  });

  it('is encoded completely, with numbers for every counter', () => {
    assert.deepEqual(encode({ usage: { inputTokens: 43, outputTokens: 7, cachedInputTokens: 40 } }), {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      usage: { input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 40, output_tokens: 7 },
    });
  });

  it('never counts fewer than zero input tokens', () => {
    const { usage } = encode({ usage: { inputTokens: 10, outputTokens: 1, cachedInputTokens: 40 } });
    assert.equal(usage?.input_tokens, 0);
  });

  it('has an id of this format, stable for the same answer', () => {
    const ids = ['msg_1', 'chatcmpl-1', 'resp_1', '1'].map((id) => encode({ id }).id);
    assert.deepEqual(ids, ['msg_1', 'msg_1', 'msg_1', 'msg_1']);
  });

  it('has no empty blocks', () => {
    const parts = [{ type: 'text', text: '' } as const, { type: 'reasoning', text: '' } as const];
    assert.deepEqual(encode({ parts }).content, []);
    assert.deepEqual(messages.decodeResponse({ ...wire, content: [{ type: 'text', text: '' }] }).parts, []);
  });

  it('has a stop reason of this format', () => {
    const reasons: [FinishReason, string][] = [
      ['stop', 'end_turn'],
      ['stopSequence', 'stop_sequence'],
      ['length', 'max_tokens'],
      ['toolCalls', 'end_turn'],
      ['refusal', 'refusal'],
      ['contentFilter', 'refusal'],
      ['pause', 'pause_turn'],
      ['contextWindow', 'model_context_window_exceeded'],
    ];
    for (const [finishReason, stopReason] of reasons) assert.equal(encode({ finishReason }).stop_reason, stopReason);
  });

  it('stops for tool use if it contains calls, whatever the service reports', () => {
    const parts = [{ type: 'toolCall', id: 'a', name: 'f', arguments: '{}' } as const];
    assert.equal(encode({ parts }).stop_reason, 'tool_use');
    const content = [{ type: 'tool_use', id: 'a', name: 'f', input: {} }];
    assert.equal(messages.decodeResponse({ ...wire, content }).finishReason, 'toolCalls');
    assert.equal(messages.decodeResponse({ ...wire, stop_reason: 'tool_use' }).finishReason, 'stop');
  });

  it('is an error if its stop reason is unknown, because it may be incomplete', () => {
    assert.throws(() => messages.decodeResponse({ ...wire, stop_reason: 'abort' }), /ended the answer early \(abort\)/);
    assert.equal(messages.decodeResponse({ ...wire, stop_reason: null }).finishReason, 'stop');
  });

  it('may be a text alone', () => {
    const { parts } = messages.decodeResponse({ ...wire, content: 'Hello' });
    assert.deepEqual(parts, [{ type: 'text', text: 'Hello' }]);
  });
});
