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
const QUESTION: Message = { role: 'user', parts: [text('Go')] };
const WIRE_QUESTION = { type: 'message', role: 'user', content: 'Go' };

/** Encodes what follows a question. */
function encodeAnswers(...messages: readonly Message[]) {
  const input = encodeMessages(QUESTION, ...messages);
  return Array.isArray(input) ? input.slice(1) : input;
}

describe('Request encoder for the responses format: the conversation', () => {
  it('writes one plain system prompt as instructions', () => {
    assert.deepEqual(encode({ system: [text('Be brief.')], messages: [QUESTION] }), {
      model: 'familyb-5.2',
      instructions: 'Be brief.',
      input: [WIRE_QUESTION],
    });
  });

  it('writes several prompts, or one with a cache hint, as one message at the beginning', () => {
    const system = [text('One'), { ...text('Two'), cacheHint: { ttl: '1h' } }];
    const { instructions, input } = encode({ system, messages: [QUESTION] });
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
      WIRE_QUESTION,
    ]);
    assert.equal(encode({ system: [{ ...text('One'), cacheHint: {} }] }).instructions, undefined);
  });

  it('keeps system messages in the middle in place', () => {
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

  it('writes answer text in the short form without an id, and omits empty text', () => {
    const input = encodeAnswers({ role: 'assistant', parts: [text(''), text('a'), { type: 'refusal', text: 'No' }] });
    assert.deepEqual(input, [
      { type: 'message', role: 'assistant', content: 'a' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No' }] },
    ]);
  });

  it('omits empty messages and system prompts', () => {
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

  it('sends reasoning only if it is in this format, and never a signature', () => {
    const input = encodeAnswers({
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: '', signature: 'c2ln' },
        { type: 'reasoning', text: 'Hmm', signature: 'c2ln' },
        { type: 'reasoning', text: '', encrypted: 'gAAA', itemId: 'rs_1' },
        text('Yes'),
      ],
    });
    assert.deepEqual(input, [
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hmm' }] },
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA', summary: [] },
      { type: 'message', role: 'assistant', content: 'Yes' },
    ]);
  });

  it('writes calls and results, with an empty object for no arguments', () => {
    const input = encodeAnswers(
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

  it('writes a plain-text document as text, and gives binary data a file name', () => {
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

describe('Request encoder for the responses format: tools', () => {
  it('states for every function whether it is strict, because the default is strict', () => {
    const { tools } = encode({
      tools: [
        { name: 'run', parameters: { type: 'object' } },
        { name: 'go', strict: true },
      ],
    });
    assert.deepEqual(tools, [
      { type: 'function', name: 'run', parameters: { type: 'object', properties: {} }, strict: false },
      { type: 'function', name: 'go', parameters: { type: 'object', properties: {} }, strict: true },
    ]);
  });

  it('groups adjacent tools of one namespace again', () => {
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

  it('omits hosted tools of other formats', () => {
    const { tools } = encode({
      hostedTools: [
        { format: 'messages', type: 'web_search_20250305', definition: { type: 'web_search_20250305' } },
        { format: 'responses', type: 'mcp', definition: { type: 'mcp', server_label: 'docs' } },
      ],
    });
    assert.deepEqual(tools, [{ type: 'mcp', server_label: 'docs' }]);
  });

  it('states the kind of each tool in a tool choice', () => {
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

describe('Request encoder for the responses format: options', () => {
  it('writes only what was specified', () => {
    assert.deepEqual(encode({ messages: [QUESTION] }), { model: 'familyb-5.2', input: [WIRE_QUESTION] });
  });

  it('requests encrypted reasoning only if reasoning is enabled', () => {
    assert.deepEqual(encode({ reasoning: { effort: 'high' } }).include, ['reasoning.encrypted_content']);
    const none = encode({ reasoning: { effort: 'none' } });
    assert.deepEqual([none.reasoning, none.include], [{ effort: 'none' }, undefined]);
  });

  it('converts token budgets to efforts, and requests summaries if reasoning was requested', () => {
    const effortOf = (budgetTokens: number) => encode({ reasoning: { budgetTokens } }).reasoning;
    assert.deepEqual(effortOf(1024), { effort: 'low', summary: 'auto' });
    assert.deepEqual(effortOf(10_000), { effort: 'medium', summary: 'auto' });
    assert.deepEqual(effortOf(31_999), { effort: 'high', summary: 'auto' });
    assert.deepEqual(encode({ reasoning: { adaptive: true } }).reasoning, { summary: 'auto' });
  });

  it('names an unnamed schema, because the format requires a name', () => {
    const schema = { type: 'object' };
    assert.deepEqual(encode({ responseFormat: { type: 'jsonSchema', schema } }).text, {
      format: { type: 'json_schema', name: 'response', schema },
    });
  });

  it('truncates long user ids to the length that services accept', () => {
    assert.equal(encode({ userId: 'u'.repeat(200) }).safety_identifier, 'u'.repeat(64));
  });

  it('omits what the format cannot carry', () => {
    const foreign = { topK: 5, seed: 1, stopSequences: ['x'], frequencyPenalty: 1, presencePenalty: 1 };
    assert.deepEqual(encode({ ...foreign, includeUsage: true }), encode({}));
  });
});
