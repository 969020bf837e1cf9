import assert from 'node:assert/strict';
import type {
  AssistantPart,
  ChatRequest,
  Message,
  Tool,
  ToolResultPart,
} from '../../../../src/formats/conversation.ts';
import { DEFAULT_MAX_TOKENS, encodeCountTokensRequest, messages } from '../../../../src/formats/messages/index.ts';

const base: ChatRequest = {
  model: 'familya-opus-4.6',
  system: [],
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
};

function encode(more: Partial<ChatRequest>) {
  return messages.encodeRequest({ ...base, ...more });
}

function user(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function assistant(...parts: readonly AssistantPart[]): Message {
  return { role: 'assistant', parts };
}

function call(id: string, args = '{}'): AssistantPart {
  return { type: 'toolCall', id, name: 'f', arguments: args };
}

function results(...ids: readonly string[]): Message {
  const parts = ids.map(
    (toolCallId): ToolResultPart => ({ type: 'toolResult', toolCallId, content: [{ type: 'text', text: 'ok' }] }),
  );
  return { role: 'tool', parts };
}

const tools: readonly Tool[] = [{ name: 'f', parameters: { type: 'object' } }, { name: 'g' }];

const QUESTION: Message = { role: 'user', parts: [{ type: 'text', text: 'Go' }] };
const EMPTY = { type: 'object', properties: {} };

describe('Request encoder for the messages format', () => {
  it('writes single text as a string and always sets a limit', () => {
    assert.deepEqual(encode({ system: [{ type: 'text', text: 'Be brief.' }] }), {
      model: 'familya-opus-4.6',
      system: 'Be brief.',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: DEFAULT_MAX_TOKENS,
    });
  });

  it('leaves room for the answer above the thinking budget', () => {
    const { max_tokens, thinking } = encode({ reasoning: { budgetTokens: 20_000 } });
    assert.deepEqual(thinking, { type: 'enabled', budget_tokens: 20_000 });
    assert.equal(max_tokens, 20_000 + DEFAULT_MAX_TOKENS);
  });

  it('puts tool results before the user text that follows, in one message', () => {
    const wire = encode({ messages: [user('Go'), assistant(call('a')), results('a'), user('More')] }).messages;
    assert.deepEqual(wire.at(-1), {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'ok' },
        { type: 'text', text: 'More' },
      ],
    });
  });

  it('gathers the results of parallel calls right after them, whatever came between', () => {
    const system: Message = { role: 'system', parts: [{ type: 'text', text: 'Hurry.' }] };
    const answer = assistant(call('a'), call('b'));
    const wire = encode({ messages: [user('Go'), answer, results('a'), system, user('Well?'), results('b')] }).messages;
    assert.deepEqual(
      wire.slice(2).map(({ role, content }) => [role, Array.isArray(content) ? content.length : content]),
      [
        ['user', 2],
        ['system', 'Hurry.'],
        ['user', 'Well?'],
      ],
    );
  });

  it('omits empty text, which the service rejects, and messages that would be empty', () => {
    const wire = encode({
      system: [{ type: 'text', text: '' }],
      messages: [user(''), user('Hi'), assistant({ type: 'text', text: '\n' }, call('a')), results('a'), user(' ')],
    });
    assert.equal(wire.system, undefined);
    assert.deepEqual(wire.messages, [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'ok' }] },
    ]);
  });

  it('sends only reasoning that was signed in this format, unchanged', () => {
    const own: AssistantPart[] = [
      { type: 'reasoning', text: '', signature: 'c2ln' },
      { type: 'reasoning', text: '', encrypted: 'EmwK' },
    ];
    const foreign: AssistantPart[] = [
      { type: 'reasoning', text: 'unsigned' },
      { type: 'reasoning', text: 'Hm', encrypted: 'gAAAA' },
      { type: 'reasoning', text: '', encrypted: 'gAAAA', itemId: 'rs_1' },
    ];
    const answer = assistant(...foreign, ...own, { type: 'text', text: 'Hi' });
    const wire = encode({ messages: [QUESTION, answer] }).messages;
    assert.deepEqual(wire[1]?.content, [
      { type: 'thinking', thinking: '', signature: 'c2ln' },
      { type: 'redacted_thinking', data: 'EmwK' },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('writes an object for missing or invalid arguments', () => {
    const input = (part: AssistantPart) => {
      const content = encode({ messages: [QUESTION, assistant(part)] }).messages[1]?.content;
      return Array.isArray(content) ? content[0]?.input : undefined;
    };
    assert.deepEqual(input(call('a', '{"b": 1}')), { b: 1 });
    assert.deepEqual(input(call('a', '')), {});
    assert.deepEqual(input(call('a', '{"b": ')), { input: '{"b": ' });
    assert.deepEqual(input(call('a', '[1]')), { input: '[1]' });
    assert.deepEqual(input({ type: 'toolCall', id: 'a', name: 'p', arguments: '{}', freeForm: true }), { input: '{}' });
  });

  it('converts ids to the allowed characters, identically in call and result', () => {
    const wire = encode({ messages: [assistant(call('functions.f:0')), results('functions.f:0')] });
    const text = JSON.stringify(wire.messages);
    assert.match(text, /"id":"functions_f_0"/);
    assert.match(text, /"tool_use_id":"functions_f_0"/);
  });

  it('gives every tool an object schema, with a single string for free-form tools', () => {
    const patch: Tool = { name: 'patch', freeForm: true, grammar: { syntax: 'lark' } };
    const schemas = encode({ tools: [...tools, patch] }).tools?.map((tool) => tool.input_schema);
    assert.deepEqual(schemas?.slice(0, 2), [EMPTY, EMPTY]);
    assert.deepEqual(schemas?.[2], {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    });
  });

  it('offers only the allowed tools', () => {
    const wire = encode({ tools, toolChoice: { type: 'allowed', mode: 'required', names: ['g'] } });
    assert.deepEqual(
      wire.tools?.map((tool) => tool.name),
      ['g'],
    );
    assert.deepEqual(wire.tool_choice, { type: 'any' });
  });

  it('writes every tool choice with the flag for parallel calls', () => {
    const choice = (more: Partial<ChatRequest>) => encode({ tools, ...more }).tool_choice;
    assert.equal(choice({}), undefined);
    assert.equal(choice({ parallelToolCalls: true }), undefined);
    assert.deepEqual(choice({ parallelToolCalls: false }), { type: 'auto', disable_parallel_tool_use: true });
    assert.deepEqual(choice({ toolChoice: { type: 'required' }, parallelToolCalls: false }), {
      type: 'any',
      disable_parallel_tool_use: true,
    });
    assert.deepEqual(choice({ toolChoice: { type: 'none' }, parallelToolCalls: false }), { type: 'none' });
    assert.deepEqual(choice({ toolChoice: { type: 'tool', name: 'f' } }), { type: 'tool', name: 'f' });
  });

  it('writes no tool choice without tools, and omits hosted tools of other services', () => {
    const hostedTools = [{ format: 'responses' as const, type: 'web_search', definition: { type: 'web_search' } }];
    const wire = encode({ hostedTools, toolChoice: { type: 'auto' }, parallelToolCalls: false });
    assert.deepEqual([wire.tools, wire.tool_choice], [undefined, undefined]);
  });

  it('writes effort, disabled thinking and JSON schemas', () => {
    assert.deepEqual(encode({ reasoning: { effort: 'minimal' } }).output_config, { effort: 'low' });
    const none = encode({ reasoning: { effort: 'none' } });
    assert.deepEqual([none.thinking, none.output_config], [{ type: 'disabled' }, undefined]);
    const schema = { type: 'object' };
    assert.deepEqual(
      encode({ responseFormat: { type: 'jsonSchema', name: 'n', schema, strict: true } }).output_config,
      {
        format: { type: 'json_schema', schema: { ...schema, additionalProperties: false } },
      },
    );
  });

  it('respects the limits of the service: temperature, stop sequences, service tiers', () => {
    const wire = encode({ temperature: 1.7, stopSequences: ['\n', 'END'], serviceTier: 'flex' });
    assert.deepEqual([wire.temperature, wire.stop_sequences, wire.service_tier], [1, ['END'], undefined]);
  });

  it('sends text documents as text', () => {
    const data = Buffer.from('Grüße').toString('base64');
    const part = { type: 'document', source: { kind: 'base64', mediaType: 'text/markdown', data } } as const;
    const [message] = encode({ messages: [{ role: 'user', parts: [part] }] }).messages;
    assert.deepEqual(message?.content, [
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
    ]);
  });

  it('sends only the prompt for token counting', () => {
    const wire = encodeCountTokensRequest({ ...base, tools, maxTokens: 5, temperature: 1, stream: true, userId: 'u' });
    assert.deepEqual(Object.keys(wire), ['model', 'messages', 'tools']);
  });
});
