import assert from 'node:assert/strict';
import type { ChatRequest, Message } from '../../../../src/formats/conversation.ts';
import { responses } from '../../../../src/formats/responses/index.ts';

function encode(more: Partial<ChatRequest>) {
  return responses.encodeRequest({ model: 'familyb-5.2', system: [], messages: [], ...more });
}

function encodeMessages(...messages: readonly Message[]) {
  return encode({ messages }).input;
}

const text = (words: string) => ({ type: 'text', text: words }) as const;

describe('Request encoder of the responses format: the conversation', () => {
  it('writes one plain system prompt as instructions', () => {
    assert.deepEqual(encode({ system: [text('Be brief.')] }), {
      model: 'familyb-5.2',
      instructions: 'Be brief.',
      input: [],
    });
  });

  it('writes several, or one with a cache hint, as one message at the head', () => {
    const { instructions, input } = encode({ system: [text('One'), { ...text('Two'), cacheHint: { ttl: '1h' } }] });
    assert.equal(instructions, undefined);
    assert.deepEqual(input, [
      {
        type: 'message',
        role: 'system',
        content: [
          { type: 'input_text', text: 'One' },
          { type: 'input_text', text: 'Two', prompt_cache_breakpoint: { mode: 'explicit' } },
        ],
      },
    ]);
    assert.equal(encode({ system: [{ ...text('One'), cacheHint: {} }] }).instructions, undefined);
  });

  it('keeps system messages in the middle where they are', () => {
    const input = encodeMessages(
      { role: 'user', parts: [text('Hi')] },
      { role: 'system', parts: [text('Note')] },
      { role: 'user', parts: [text('Go')] },
    );
    assert.deepEqual(input, [
      { type: 'message', role: 'user', content: 'Hi' },
      { type: 'message', role: 'system', content: 'Note' },
      { type: 'message', role: 'user', content: 'Go' },
    ]);
  });

  it('writes texts of an answer in the easy form, which asks for no id, and leaves empty ones out', () => {
    const input = encodeMessages({ role: 'assistant', parts: [text(''), text('a'), { type: 'refusal', text: 'No' }] });
    assert.deepEqual(input, [
      { type: 'message', role: 'assistant', content: 'a' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No' }] },
    ]);
  });

  it('leaves out messages and system prompts that say nothing', () => {
    const { instructions, input } = encode({
      system: [text('')],
      messages: [
        { role: 'user', parts: [text('')] },
        { role: 'user', parts: [text(''), text('Hi')] },
      ],
    });
    assert.equal(instructions, undefined);
    assert.deepEqual(input, [{ type: 'message', role: 'user', content: 'Hi' }]);
  });

  it('gives reasoning back only where this format can, and never a signature', () => {
    const input = encodeMessages({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: '', signature: 'c2ln' },
        { type: 'reasoning', text: 'Hmm', signature: 'c2ln' },
        { type: 'reasoning', text: '', encrypted: 'gAAA', itemId: 'rs_1' },
      ],
    });
    assert.deepEqual(input, [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm' }] },
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] },
    ]);
  });

  it('writes calls and results, with an empty object for no arguments', () => {
    const input = encodeMessages(
      {
        role: 'assistant',
        parts: [
          { type: 'toolCall', id: 'call_1', name: 'run', arguments: '' },
          { type: 'toolCall', id: 'call_2', name: 'exec', arguments: '', freeForm: true, namespace: 'functions' },
        ],
      },
      {
        role: 'tool',
        parts: [
          { type: 'toolResult', toolCallId: 'call_1', content: [], isError: true },
          {
            type: 'toolResult',
            toolCallId: 'call_2',
            freeForm: true,
            content: [text('see'), { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AA' } }],
          },
        ],
      },
    );
    assert.deepEqual(input, [
      { type: 'function_call', call_id: 'call_1', name: 'run', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'call_2', name: 'exec', namespace: 'functions', input: '' },
      { type: 'function_call_output', call_id: 'call_1', output: '' },
      {
        type: 'custom_tool_call_output',
        call_id: 'call_2',
        output: [
          { type: 'input_text', text: 'see' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA', detail: 'auto' },
        ],
      },
    ]);
  });

  it('writes a document of plain text as text, and names bytes', () => {
    const input = encodeMessages({
      role: 'user',
      parts: [
        { type: 'document', source: { kind: 'text', text: 'Body' }, name: 'notes.txt' },
        { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'AA' } },
      ],
    });
    assert.deepEqual(input, [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'notes.txt\n\nBody' },
          { type: 'input_file', file_data: 'data:application/pdf;base64,AA', filename: 'document.pdf' },
        ],
      },
    ]);
  });
});

describe('Request encoder of the responses format: tools', () => {
  it('says of every function whether it is strict: silence would mean that it is', () => {
    const { tools } = encode({
      tools: [
        { name: 'run', parameters: { type: 'object' } },
        { name: 'go', strict: true },
      ],
    });
    assert.deepEqual(tools, [
      { type: 'function', name: 'run', parameters: { type: 'object' }, strict: false },
      { type: 'function', name: 'go', parameters: null, strict: true },
    ]);
  });

  it('puts neighbours of one namespace together again', () => {
    const { tools } = encode({
      tools: [
        { name: 'a', namespace: 'x' },
        { name: 'b', namespace: 'x', freeForm: true },
        { name: 'c', namespace: 'y' },
        { name: 'd' },
      ],
    });
    assert.deepEqual(
      tools?.map((tool) => [tool.type, tool.name, Array.isArray(tool.tools) ? tool.tools.length : 0]),
      [
        ['namespace', 'x', 2],
        ['namespace', 'y', 1],
        ['function', 'd', 0],
      ],
    );
  });

  it('leaves out tools that the service of another format would run', () => {
    const { tools } = encode({
      hostedTools: [
        { format: 'messages', type: 'web_search_20250305', definition: { type: 'web_search_20250305' } },
        { format: 'responses', type: 'mcp', definition: { type: 'mcp', server_label: 'docs' } },
      ],
    });
    assert.deepEqual(tools, [{ type: 'mcp', server_label: 'docs' }]);
  });

  it('names in a tool choice the kind of each tool', () => {
    const tooling: Partial<ChatRequest> = {
      tools: [{ name: 'run' }, { name: 'exec', freeForm: true }],
      hostedTools: [{ format: 'responses', type: 'mcp', definition: { type: 'mcp', server_label: 'docs' } }],
    };
    const allowed = { type: 'allowed', mode: 'auto', names: ['run', 'exec', 'mcp'] } as const;
    assert.deepEqual(encode({ ...tooling, toolChoice: allowed }).tool_choice, {
      type: 'allowed_tools',
      mode: 'auto',
      tools: [
        { type: 'function', name: 'run' },
        { type: 'custom', name: 'exec' },
        { type: 'mcp', server_label: 'docs' },
      ],
    });
    const one = encode({ ...tooling, toolChoice: { type: 'tool', name: 'exec' } });
    assert.deepEqual(one.tool_choice, { type: 'custom', name: 'exec' });
    assert.equal(encode({ toolChoice: { type: 'required' } }).tool_choice, 'required');
  });
});

describe('Request encoder of the responses format: options', () => {
  it('writes nothing that was not said', () => {
    assert.deepEqual(encode({}), { model: 'familyb-5.2', input: [] });
  });

  it('asks for encrypted reasoning where there is reasoning to ask for', () => {
    assert.deepEqual(encode({ reasoning: { effort: 'high' } }).include, ['reasoning.encrypted_content']);
    const none = encode({ reasoning: { effort: 'none' } });
    assert.deepEqual([none.reasoning, none.include], [{ effort: 'none' }, undefined]);
  });

  it('turns budgets of tokens into efforts, and shows the thoughts of those who asked for some', () => {
    const effortOf = (budgetTokens: number) => encode({ reasoning: { budgetTokens } }).reasoning;
    assert.deepEqual(effortOf(1024), { effort: 'low', summary: 'auto' });
    assert.deepEqual(effortOf(10_000), { effort: 'medium', summary: 'auto' });
    assert.deepEqual(effortOf(31_999), { effort: 'high', summary: 'auto' });
    assert.deepEqual(encode({ reasoning: { adaptive: true } }).reasoning, { summary: 'auto' });
  });

  it('names a schema that has no name, since the format asks for one', () => {
    const schema = { type: 'object' };
    assert.deepEqual(encode({ responseFormat: { type: 'jsonSchema', schema } }).text, {
      format: { type: 'json_schema', name: 'response', schema },
    });
  });

  it('cuts long ids of users to what services take', () => {
    assert.equal(encode({ userId: 'u'.repeat(200) }).safety_identifier, 'u'.repeat(64));
  });

  it('leaves out what the format has no place for', () => {
    const foreign = { topK: 5, seed: 1, stopSequences: ['x'], frequencyPenalty: 1, presencePenalty: 1 };
    assert.deepEqual(encode({ ...foreign, includeUsage: true }), encode({}));
  });
});
