import assert from 'node:assert/strict';
import { FormatError } from '../../../../src/formats/apiError.ts';
import type { Message } from '../../../../src/formats/conversation.ts';
import { decodeCountTokensRequest, messages } from '../../../../src/formats/messages/index.ts';

const base = { model: 'familya-opus-4.6', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };

function decode(more: object) {
  return messages.decodeRequest({ ...base, ...more });
}

function decodeMessages(...wire: readonly object[]): readonly Message[] {
  return decode({ messages: wire }).messages;
}

/** Returns the path and the message of the error. */
function refusal(body: unknown): string {
  try {
    messages.decodeRequest(body);
  } catch (error) {
    assert.ok(error instanceof FormatError);
    assert.ok(error.message.startsWith(error.path));
    return error.message;
  }
  return assert.fail('The request was taken.');
}

describe('Request decoder for the messages format', () => {
  it('accepts the minimal request', () => {
    assert.deepEqual(messages.decodeRequest(base), {
      model: 'familya-opus-4.6',
      maxTokens: 100,
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    });
  });

  it('reads instructions as a string, as blocks and in mid-conversation, in order', () => {
    assert.deepEqual(decode({ system: 'Be brief.' }).system, [{ type: 'text', text: 'Be brief.' }]);
    const request = decode({
      system: [
        { type: 'text', text: 'One' },
        { type: 'text', text: 'Two', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ],
      messages: [...base.messages, { role: 'system', content: 'Three' }],
    });
    assert.deepEqual(request.system, [
      { type: 'text', text: 'One' },
      { type: 'text', text: 'Two', cacheHint: { ttl: '1h' } },
    ]);
    assert.deepEqual(request.messages.at(-1), { role: 'system', parts: [{ type: 'text', text: 'Three' }] });
  });

  it('separates tool results from the user text that comes with them', () => {
    const decoded = decodeMessages({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'done', is_error: false },
        { type: 'text', text: 'Go on' },
        { type: 'tool_result', tool_use_id: 'b', content: [{ type: 'text', text: 'no' }], is_error: true },
      ],
    });
    assert.deepEqual(decoded, [
      {
        role: 'tool',
        parts: [
          { type: 'toolResult', toolCallId: 'a', content: [{ type: 'text', text: 'done' }], isError: false },
          { type: 'toolResult', toolCallId: 'b', content: [{ type: 'text', text: 'no' }], isError: true },
        ],
      },
      { role: 'user', parts: [{ type: 'text', text: 'Go on' }] },
    ]);
  });

  it('merges results from several messages into one', () => {
    const result = (id: string) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id }] });
    const [only, ...rest] = decodeMessages(result('a'), result('b'));
    assert.ok(only?.role === 'tool' && rest.length === 0);
    assert.deepEqual(
      only.parts.map(({ toolCallId, content }) => [toolCallId, content]),
      [
        ['a', []],
        ['b', []],
      ],
    );
  });

  it('keeps consecutive messages of one role, including empty ones', () => {
    const decoded = decodeMessages(
      { role: 'user', content: 'One' },
      { role: 'user', content: [{ type: 'text', text: 'Two' }] },
      { role: 'assistant', content: [] },
      { role: 'assistant', content: null },
      { role: 'user', content: '' },
    );
    assert.deepEqual(
      decoded.map(({ role, parts }) => [role, parts.length]),
      [
        ['user', 1],
        ['user', 1],
        ['assistant', 0],
        ['assistant', 0],
        ['user', 0],
      ],
    );
  });

  it('keeps images inside and next to results', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const part = { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' } };
    const decoded = decodeMessages({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'a', content: [image] }, image],
    });
    assert.deepEqual(decoded, [
      { role: 'tool', parts: [{ type: 'toolResult', toolCallId: 'a', content: [part] }] },
      { role: 'user', parts: [part] },
    ]);
  });

  it('reads search results and documents made of blocks as text documents', () => {
    const content = [{ type: 'text', text: 'Body' }];
    const decoded = decodeMessages({
      role: 'user',
      content: [
        { type: 'search_result', title: 'T', source: 'https://a.example', content },
        { type: 'document', title: null, source: { type: 'content', content }, citations: { enabled: true } },
      ],
    });
    assert.deepEqual(decoded[0]?.parts, [
      { type: 'document', name: 'T', source: { kind: 'text', text: 'https://a.example\n\nBody' } },
      { type: 'document', source: { kind: 'text', text: 'Body' } },
    ]);
  });

  it('keeps thinking and its signature byte for byte, even without text', () => {
    const signature = 'EqQBCgIYAhIMabc+/def==';
    const decoded = decodeMessages({
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature },
        { type: 'redacted_thinking', data: 'EmwK' },
        { type: 'thinking', thinking: 'unsigned', signature: '' },
      ],
    });
    assert.deepEqual(decoded[0]?.parts, [
      { type: 'reasoning', text: '', signature },
      { type: 'reasoning', text: '', encrypted: 'EmwK' },
      { type: 'reasoning', text: 'unsigned' },
    ]);
  });

  it('restores another format’s encrypted reasoning from the signature that preserved it', () => {
    const part = { type: 'reasoning', text: 'Hm', encrypted: 'gAAAA:b', itemId: 'rs_1' } as const;
    const answer = messages.encodeResponse(
      { id: 'resp_1', model: 'm', parts: [part], finishReason: 'stop' },
      { request: decode({}), now: 0 },
    );
    assert.deepEqual(decodeMessages({ role: 'assistant', content: answer.content })[0]?.parts, [part]);
  });

  it('skips unknown blocks and properties', () => {
    const request = decode({
      context_management: { edits: [] },
      thinking: { type: 'between_tools' },
      messages: [{ role: 'assistant', id: 'x', content: [{ type: 'server_tool_use', id: 's', input: {} }] }],
      tool_choice: { type: 'of_the_future' },
      output_config: { format: { type: 'of_the_future' }, effort: null },
    });
    assert.deepEqual(request.messages, [{ role: 'assistant', parts: [] }]);
    assert.deepEqual(
      [request.reasoning, request.toolChoice, request.responseFormat],
      [undefined, undefined, undefined],
    );
  });

  it('accepts null for every optional property', () => {
    const names = [
      'system',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'metadata',
      'stop_sequences',
      'stream',
    ];
    const request = decode(Object.fromEntries(names.map((name) => [name, null])));
    assert.deepEqual(Object.keys(request).sort(), ['maxTokens', 'messages', 'model', 'system']);
  });

  it('separates client tools from hosted tools, unchanged', () => {
    const input_schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', minimum: 1e3 };
    const hosted = { max_uses: 2, type: 'web_search_20250305', name: 'web_search' };
    const { tools, hostedTools } = decode({
      tools: [
        { name: 'f', description: 'x'.repeat(18_000), input_schema, eager_input_streaming: true },
        hosted,
        { type: 'custom', name: 'g', input_schema, strict: true, cache_control: { type: 'ephemeral' } },
      ],
    });
    assert.deepEqual(tools, [
      { name: 'f', description: 'x'.repeat(18_000), parameters: input_schema },
      { name: 'g', parameters: input_schema, strict: true, cacheHint: {} },
    ]);
    assert.deepEqual(hostedTools, [{ format: 'messages', type: hosted.type, definition: hosted }]);
    assert.deepEqual(Object.keys(hostedTools?.[0]?.definition ?? {}), ['max_uses', 'type', 'name']);
  });

  it('reads every tool choice and whether parallel calls are allowed', () => {
    const choice = (tool_choice: object) => {
      const { toolChoice, parallelToolCalls } = decode({ tool_choice });
      return [toolChoice, parallelToolCalls];
    };
    assert.deepEqual(choice({ type: 'auto' }), [{ type: 'auto' }, undefined]);
    assert.deepEqual(choice({ type: 'any', disable_parallel_tool_use: true }), [{ type: 'required' }, false]);
    assert.deepEqual(choice({ type: 'tool', name: 'f', disable_parallel_tool_use: false }), [
      { type: 'tool', name: 'f' },
      true,
    ]);
    assert.deepEqual(choice({ type: 'none' }), [{ type: 'none' }, undefined]);
  });

  it('reads all thinking settings', () => {
    const reasoning = (thinking: object, output_config?: object) => decode({ thinking, output_config }).reasoning;
    assert.deepEqual(reasoning({ type: 'enabled', budget_tokens: 31_999 }), { budgetTokens: 31_999 });
    assert.deepEqual(reasoning({ type: 'adaptive', display: 'summarized' }, { effort: 'high' }), {
      adaptive: true,
      effort: 'high',
      summary: 'auto',
    });
    assert.deepEqual(reasoning({ type: 'disabled' }, { effort: 'high' }), { effort: 'none' });
  });

  it('reads a token counting request without a limit', () => {
    const { max_tokens: _, ...prompt } = base;
    const request = decodeCountTokensRequest({ ...prompt, tools: [{ name: 'f', input_schema: { type: 'object' } }] });
    assert.equal(request.maxTokens, undefined);
    assert.equal(request.tools?.length, 1);
  });

  it('names the invalid field and the expected value', () => {
    assert.equal(refusal(null), 'This must be an object.');
    assert.equal(refusal({ messages: [] }), 'model: This must be a string.');
    assert.equal(refusal({ model: '', messages: [] }), 'model: This must be non-empty.');
    assert.equal(refusal({ model: 'm' }), 'messages: This must be an array.');
    assert.equal(refusal({ ...base, max_tokens: 1.5 }), 'max_tokens: This must be a whole number.');
    assert.equal(
      refusal({ ...base, messages: [{ role: 'wizard', content: 'Hi' }] }),
      'messages.0.role: This must be "user" or "assistant" or "system".',
    );
    assert.equal(
      refusal({ ...base, messages: [{ role: 'user', content: 5 }] }),
      'messages.0.content: This must be a string or an array.',
    );
    assert.equal(
      refusal({ ...base, messages: [{ role: 'user', content: [{ type: 'text' }] }] }),
      'messages.0.content.0.text: This must be a string.',
    );
    assert.equal(refusal({ ...base, tools: [{ input_schema: {} }] }), 'tools.0.name: This must be a string.');
    assert.equal(
      refusal({ ...base, tools: [{ name: 'f', input_schema: [] }] }),
      'tools.0.input_schema: This must be an object.',
    );
  });
});
