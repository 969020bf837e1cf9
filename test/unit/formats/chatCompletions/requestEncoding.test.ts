import assert from 'node:assert/strict';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest, Message, Reasoning } from '../../../../src/formats/conversation.ts';

const text = (value: string) => ({ type: 'text' as const, text: value });
const base: ChatRequest = { model: 'familyc-5.4', system: [], messages: [{ role: 'user', parts: [text('Hello')] }] };

function encode(members: Partial<ChatRequest>) {
  return chatCompletions.encodeRequest({ ...base, ...members });
}

function encodeMessages(...messages: Message[]) {
  return encode({ messages }).messages;
}

describe('Chat-completions request, encoded', () => {
  it('is plain where the conversation is: strings for content, no member that was not given', () => {
    assert.deepEqual(encode({ maxTokens: 10 }), {
      model: 'familyc-5.4',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 10,
    });
  });

  it('puts all instructions of the head into one system message', () => {
    assert.deepEqual(encode({ system: [text('One'), text('Two')] }).messages[0], {
      role: 'system',
      content: [text('One'), text('Two')],
    });
  });

  it('leaves cache hints and empty text out', () => {
    const parts = [text(''), { ...text('a'), cacheHint: { ttl: '5m' } }, { ...text('b'), cacheHint: {} }];
    assert.deepEqual(encodeMessages({ role: 'user', parts }), [{ role: 'user', content: [text('a'), text('b')] }]);
  });

  it('gives an assistant message without text the content that servers expect', () => {
    const call = { type: 'toolCall' as const, id: 'c', name: 'f', arguments: '' };
    assert.deepEqual(encodeMessages({ role: 'assistant', parts: [call] }, { role: 'assistant', parts: [] }), [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'assistant', content: '' },
    ]);
  });

  it('writes plain reasoning as text alone, without details that servers may refuse', () => {
    const parts = [{ type: 'reasoning' as const, text: 'Hm' }, text('Yes')];
    assert.deepEqual(encodeMessages({ role: 'assistant', parts }), [
      { role: 'assistant', content: 'Yes', reasoning_content: 'Hm' },
    ]);
  });

  it('puts images of tool results into a user message after all results', () => {
    const image = { type: 'image' as const, source: { kind: 'base64' as const, mediaType: 'image/png', data: 'aGk=' } };
    const encoded = encodeMessages({
      role: 'tool',
      parts: [
        { type: 'toolResult', toolCallId: 'a', content: [text('seen'), image] },
        { type: 'toolResult', toolCallId: 'b', content: [image], isError: false },
        { type: 'toolResult', toolCallId: 'c', content: [] },
      ],
    });
    const wire = { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } };
    assert.deepEqual(encoded, [
      { role: 'tool', tool_call_id: 'a', content: 'seen' },
      { role: 'tool', tool_call_id: 'b', content: 'The result is attached to the next message.' },
      { role: 'tool', tool_call_id: 'c', content: '' },
      {
        role: 'user',
        content: [text('From the result of tool call a:'), wire, text('From the result of tool call b:'), wire],
      },
    ]);
  });

  it('writes documents given as text as text', () => {
    const source = { kind: 'text' as const, text: 'Body' };
    assert.deepEqual(
      encodeMessages({ role: 'user', parts: [{ type: 'document', source, name: 'Title' }] })[0]?.content,
      [text('Title\n\nBody')],
    );
  });

  it('asks a stream for its usage', () => {
    assert.deepEqual(encode({ stream: true }).stream_options, { include_usage: true });
    assert.equal('stream_options' in encode({ stream: false, includeUsage: true }), false);
  });

  it('names a free-form tool as such in the choice', () => {
    const tools = [{ name: 'a', freeForm: true as const }, { name: 'b' }];
    assert.deepEqual(encode({ tools, toolChoice: { type: 'tool', name: 'a' } }).tool_choice, {
      type: 'custom',
      custom: { name: 'a' },
    });
    assert.deepEqual(encode({ tools, toolChoice: { type: 'tool', name: 'b' } }).tool_choice, {
      type: 'function',
      function: { name: 'b' },
    });
  });

  it('leaves out hosted tools of other formats, and the choice when no tool is left', () => {
    const hostedTools = [{ format: 'messages' as const, type: 'web_search_20250305', definition: {} }];
    const encoded = encode({ hostedTools, toolChoice: { type: 'auto' }, parallelToolCalls: true });
    for (const member of ['tools', 'tool_choice', 'parallel_tool_calls'])
      assert.equal(member in encoded, false, member);
  });

  it('gives a schema for the answer the name that the wire demands', () => {
    const { response_format: format } = encode({ responseFormat: { type: 'jsonSchema', schema: { type: 'object' } } });
    assert.equal(format?.json_schema?.name, 'response');
  });

  it('cuts ids of users to the length that servers take', () => {
    assert.equal(encode({ userId: 'u'.repeat(200) }).user?.length, 64);
  });

  const efforts: readonly (readonly [Reasoning, string | undefined])[] = [
    [{ effort: 'xhigh', budgetTokens: 1024 }, 'xhigh'],
    [{ budgetTokens: 1024 }, 'low'],
    [{ budgetTokens: 10_000 }, 'medium'],
    [{ budgetTokens: 31_999 }, 'high'],
    [{ adaptive: true }, undefined],
  ];
  for (const [reasoning, effort] of efforts) {
    it(`turns reasoning ${JSON.stringify(reasoning)} into effort ${effort}`, () => {
      assert.equal(encode({ reasoning }).reasoning_effort, effort);
    });
  }
});
