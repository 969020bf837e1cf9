import assert from 'node:assert/strict';
import type { ChatResponse } from '../../../../src/formats/answer.ts';
import { FormatError } from '../../../../src/formats/apiError.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';
import { responses } from '../../../../src/formats/responses/index.ts';

const EMPTY: ChatRequest = { model: 'familyb-5.2', system: [], messages: [] };

function decode(more: object): ChatResponse {
  return responses.decodeResponse({ id: 'resp_1', model: 'm', status: 'completed', output: [], ...more });
}

function encode(more: Partial<ChatResponse>, request = EMPTY) {
  const response: ChatResponse = { id: 'resp_1', model: 'm', parts: [], finishReason: 'stop', ...more };
  return responses.encodeResponse(response, { request, now: 1_790_000_000 });
}

const call = { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{}' };

describe('Response decoder for the responses format', () => {
  it('omits unknown and empty items', () => {
    const { parts, finishReason } = decode({
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: {} },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '' }, { type: 'unknown' }] },
      ],
    });
    assert.deepEqual([parts, finishReason], [[], 'stop']);
  });

  it('derives the finish reason from the calls, because the format has none', () => {
    assert.equal(decode({ output: [call] }).finishReason, 'toolCalls');
  });

  it('distinguishes an incomplete answer from one with calls', () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    assert.equal(decode({ ...incomplete, output: [call] }).finishReason, 'length');
  });

  it('accepts an answer without status, times and usage', () => {
    const answer = decode({ status: undefined, output: [{ role: 'assistant', content: 'Hi' }] });
    assert.deepEqual(answer, {
      id: 'resp_1',
      model: 'm',
      parts: [{ type: 'text', text: 'Hi' }],
      finishReason: 'stop',
    });
  });

  const refusals: readonly (readonly [string, object, RegExp])[] = [
    ['failed', { status: 'failed', error: { code: 'server_error', message: 'Oops' } }, /^Oops$/],
    ['was cancelled', { status: 'cancelled' }, /cancelled/],
    ['is still under way', { status: 'in_progress' }, /in_progress/],
    ['has no output', { output: undefined }, /^output: /],
    ['has a call without a name', { output: [{ ...call, name: {} }] }, /^output\.0\.name: /],
  ];
  for (const [what, more, words] of refusals) {
    it(`rejects an answer that ${what}`, () => {
      assert.throws(
        () => decode(more),
        (error) => error instanceof FormatError && words.test(error.message),
      );
    });
  }
});

describe('Response encoder for the responses format', () => {
  it('truncates a fractional creation time and replaces an invalid one', () => {
    const createdAt = (value: number) => (encode({ createdAt: value }) as { created_at: number }).created_at;
    assert.equal(createdAt(1_780_000_000.7), 1_780_000_000);
    assert.equal(createdAt(-(2 ** 53)), 1_790_000_000);
    assert.equal(createdAt(1e300), 1_790_000_000);
  });

  it('writes the complete object, with defaults for options that were not requested', () => {
    const parts = [{ type: 'text', text: 'Hi' }] as const;
    const answer = encode({ id: 'msg_9', parts, usage: { inputTokens: 3, outputTokens: 1 } });
    assert.deepEqual(answer, {
      id: 'resp_9',
      object: 'response',
      created_at: 1_790_000_000,
      status: 'completed',
      completed_at: 1_790_000_000,
      error: null,
      incomplete_details: null,
      model: 'm',
      output: [
        {
          id: 'msg_9_0',
          type: 'message',
          status: 'completed',
          role: 'assistant',
          content: [{ type: 'output_text', text: 'Hi', annotations: [], logprobs: [] }],
        },
      ],
      usage: {
        input_tokens: 3,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 1,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 4,
      },
      instructions: null,
      tools: [],
      tool_choice: 'auto',
      parallel_tool_calls: true,
      max_output_tokens: null,
      max_tool_calls: null,
      temperature: 1,
      top_p: 1,
      top_logprobs: 0,
      frequency_penalty: 0,
      presence_penalty: 0,
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      previous_response_id: null,
      truncation: 'disabled',
      metadata: {},
      store: true,
      background: false,
      service_tier: 'default',
      safety_identifier: null,
      prompt_cache_key: null,
      user: null,
    });
  });

  it('repeats the instructions and tools of the request, unless they are very long', () => {
    const asked = (length: number) => ({
      ...EMPTY,
      system: [{ type: 'text' as const, text: 'a'.repeat(length) }],
      tools: [{ name: 'run', description: 'a'.repeat(length), parameters: {} }],
      temperature: 0.5,
    });
    const usual = encode({}, asked(100_000));
    assert.equal(usual.instructions, 'a'.repeat(100_000));
    assert.notDeepEqual(usual.tools, []);
    const { instructions, tools, temperature, tool_choice: choice } = encode({}, asked(1_000_001));
    assert.deepEqual([instructions, tools, temperature, choice], [null, [], 0.5, 'auto']);
    const many = Array.from({ length: 50_000 }, (_, nth) => ({ name: `t${nth}`, parameters: { type: 'object' } }));
    assert.deepEqual(encode({}, { ...EMPTY, tools: many }).tools, []);
  });

  it('derives stable ids from those of any format', () => {
    for (const id of ['resp_5', 'msg_5', 'chatcmpl-5', '5']) assert.equal(encode({ id }).id, 'resp_5');
  });

  it('keeps the time of the answer', () => {
    assert.equal(encode({ createdAt: 5 }).created_at, 5);
  });

  it('states that an answer is incomplete and why', () => {
    const { status, incomplete_details, output } = encode({
      parts: [{ type: 'text', text: 'Ha' }],
      finishReason: 'length',
    });
    assert.deepEqual(
      [status, incomplete_details, output[0]?.status],
      ['incomplete', { reason: 'max_output_tokens' }, 'incomplete'],
    );
  });
});
