import assert from 'node:assert/strict';
import type { ChatResponse } from '../../../../src/formats/answer.ts';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';

const request: ChatRequest = { model: 'm', system: [], messages: [] };
const context = { request, now: 1_790_000_000.7 };

function decode(message: object, fields: object = {}, reason: string | null = 'stop'): ChatResponse {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }];
  return chatCompletions.decodeResponse({ id: 'chatcmpl-1', model: 'm', choices, ...fields });
}

function encode(response: Partial<ChatResponse>) {
  return chatCompletions.encodeResponse(
    { id: 'msg_1', model: 'm', parts: [], finishReason: 'stop', ...response },
    context,
  );
}

const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };

describe('Chat-completions response', () => {
  it('is encoded completely, with nulls where the official format has them', () => {
    assert.deepEqual(encode({ parts: [{ type: 'text', text: 'Hi' }], usage: { inputTokens: 1, outputTokens: 2 } }), {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      system_fingerprint: null,
      created: 1_790_000_000,
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'Hi', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    });
  });

  it('joins the text around tool calls', () => {
    const parts = [
      { type: 'text' as const, text: 'a' },
      { type: 'toolCall' as const, id: 'c', name: 'f', arguments: '' },
      { type: 'text' as const, text: 'b' },
    ];
    const { message } = encode({ parts, finishReason: 'toolCalls' }).choices[0];
    assert.equal(message.content, 'ab');
    assert.deepEqual(message.tool_calls, [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }]);
  });

  it('has null content if there is no text', () => {
    assert.equal(encode({}).choices[0].message.content, null);
  });

  it('is decoded even if a compatible server omits properties or sets them to null', () => {
    const body = { id: null, model: null, usage: null, choices: [{ message: { content: 'Hi', tool_calls: null } }] };
    assert.deepEqual(chatCompletions.decodeResponse(body), {
      id: 'chatcmpl-unknown',
      model: '',
      parts: [{ type: 'text', text: 'Hi' }],
      finishReason: 'stop',
    });
  });

  it('finishes with tool calls only if there are any, whatever the server reports', () => {
    assert.equal(decode({ content: null, tool_calls: [call] }, {}, 'stop').finishReason, 'toolCalls');
    assert.equal(decode({ content: 'Hi', tool_calls: [] }, {}, 'tool_calls').finishReason, 'stop');
    assert.equal(decode({ content: null, tool_calls: [call] }, {}, 'length').finishReason, 'length');
  });

  it('contains the first of several choices, whatever its position', () => {
    const choices = [
      { index: 1, message: { content: 'B' }, finish_reason: 'stop' },
      { index: 0, message: { content: 'A' }, finish_reason: 'stop' },
    ];
    assert.deepEqual(decode({}, { choices }).parts, [{ type: 'text', text: 'A' }]);
  });

  it('counts cached tokens once', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 105,
      prompt_tokens_details: { cached_tokens: 90 },
    };
    assert.deepEqual(decode({ content: 'Hi' }, { usage }).usage, {
      inputTokens: 100,
      outputTokens: 5,
      cachedInputTokens: 90,
    });
  });

  it('adds reasoning to the output if the server counted it separately', () => {
    const completion_tokens_details = { reasoning_tokens: 20 };
    const beside = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 125, completion_tokens_details };
    const within = { prompt_tokens: 100, completion_tokens: 25, total_tokens: 125, completion_tokens_details };
    assert.equal(decode({ content: 'Hi' }, { usage: beside }).usage?.outputTokens, 25);
    assert.equal(decode({ content: 'Hi' }, { usage: within }).usage?.outputTokens, 25);
  });

  it('adds what only the total includes: unnamed reasoning to the output, cached tokens to the input', () => {
    const read = { prompt_tokens_details: { cached_tokens: 40, cache_write_tokens: 10 } };
    const reasoning = { completion_tokens_details: { reasoning_tokens: 7 } };
    const totalsOf = (usage: object) => {
      const { inputTokens, outputTokens } = decode({ content: 'Hi' }, { usage }).usage ?? {};
      return [inputTokens, outputTokens];
    };
    const counted = { prompt_tokens: 100, completion_tokens: 5 };
    assert.deepEqual(totalsOf({ ...counted, total_tokens: 505 }), [100, 405]);
    assert.deepEqual(totalsOf({ ...counted, ...read, total_tokens: 155 }), [150, 5]);
    assert.deepEqual(totalsOf({ ...counted, ...read, ...reasoning, total_tokens: 162 }), [150, 12]);
    assert.deepEqual(totalsOf({ ...counted, ...read, ...reasoning, total_tokens: 112 }), [100, 12]);
    assert.deepEqual(totalsOf({ ...counted, ...read, prompt_tokens: 30, total_tokens: 35 }), [80, 5]);
    for (const total_tokens of [undefined, null, 3, 105.5, 1e300]) {
      assert.deepEqual(totalsOf({ ...counted, total_tokens }), [100, 5]);
    }
  });

  it('reads cached tokens that are beside the other counts', () => {
    const usage = { prompt_tokens: 100, completion_tokens: 5, total_tokens: 105, cached_tokens: 90 };
    assert.equal(decode({ content: 'Hi' }, { usage }).usage?.cachedInputTokens, 90);
  });

  it('gives calls without ids stable ids', () => {
    const tool_calls = [
      { function: { name: 'f', arguments: '{}' } },
      { id: '', function: { name: 'f', arguments: '{}' } },
    ];
    const once = decode({ tool_calls });
    assert.deepEqual(once, decode({ tool_calls }));
    assert.deepEqual(
      once.parts.map((part) => part.type === 'toolCall' && part.id),
      ['call_chatcmpl-1_0', 'call_chatcmpl-1_1'],
    );
  });

  it('is rejected with the path of the invalid field', () => {
    const refused = (body: unknown, path: string) =>
      assert.throws(
        () => chatCompletions.decodeResponse(body),
        (error) => error instanceof FormatError && error.path === path,
      );
    refused({ id: 'x' }, 'choices');
    refused({ id: 'x', choices: [] }, 'choices.0');
    refused({ choices: [{ message: { content: { a: 3 } } }] }, 'choices.0.message.content');
    refused({ choices: [{ message: { tool_calls: [{ id: 'a' }] } }] }, 'choices.0.message.tool_calls.0.function');
    refused({ error: { message: 'Busy' } }, 'error');
    refused({ choices: [{ message: { content: '' }, finish_reason: 'error' }] }, 'choices.0.finish_reason');
  });
});
