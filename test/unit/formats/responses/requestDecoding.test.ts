import assert from 'node:assert/strict';
import { FormatError } from '../../../../src/formats/apiError.ts';
import type { Message } from '../../../../src/formats/conversation.ts';
import { responses } from '../../../../src/formats/responses/index.ts';

function decode(more: object) {
  return responses.decodeRequest({ model: 'familyb-5.2', ...more });
}

function decodeItems(...input: readonly object[]): readonly Message[] {
  return decode({ input }).messages;
}

/** Returns the message of the error, which begins with the path of the field. */
function refusal(body: unknown): string {
  try {
    responses.decodeRequest(body);
  } catch (error) {
    assert.ok(error instanceof FormatError);
    assert.ok(error.message.startsWith(error.path));
    return error.message;
  }
  assert.fail('The request was taken.');
}

describe('Request decoder for the responses format: the conversation', () => {
  it('reads a string as a user message', () => {
    assert.deepEqual(decode({ input: 'Hi' }), {
      model: 'familyb-5.2',
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    });
  });

  it('accepts messages without a type', () => {
    assert.deepEqual(decodeItems({ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hello' }), [
      { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello' }] },
    ]);
  });

  it('puts instructions and all leading system and developer messages into the system prompt, in order', () => {
    const { system, messages } = decode({
      instructions: 'One',
      input: [
        { type: 'message', id: 'msg_1', role: 'developer', content: [{ type: 'input_text', text: 'Two' }] },
        { role: 'system', content: 'Three' },
        { role: 'user', content: 'Hi' },
        { role: 'developer', content: 'Later' },
      ],
    });
    assert.deepEqual(
      system.map(({ text }) => text),
      ['One', 'Two', 'Three'],
    );
    assert.deepEqual(messages[1], { role: 'system', parts: [{ type: 'text', text: 'Later' }] });
  });

  it('keeps consecutive messages of one role separate', () => {
    const messages = decodeItems({ role: 'user', content: '<environment/>' }, { role: 'user', content: 'Do it' });
    assert.equal(messages.length, 2);
  });

  it('omits empty messages', () => {
    const { system, messages } = decode({
      instructions: '',
      input: [
        { role: 'user', content: '' },
        { role: 'user', content: [] },
        { role: 'assistant', content: null },
        { role: 'developer', content: '' },
      ],
    });
    assert.deepEqual([system, messages], [[], []]);
  });

  it('joins consecutive reasoning, text and calls into one answer, and their outputs into one message', () => {
    const messages = decodeItems(
      { role: 'user', content: 'Go' },
      {
        type: 'reasoning',
        id: 'rs_1',
        summary: [
          { type: 'summary_text', text: 'First' },
          { type: 'summary_text', text: 'Then' },
        ],
        content: null,
        encrypted_content: 'gAAA',
      },
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Doing it', annotations: [], logprobs: [], parsed: null }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'run', arguments: '{ "a":1}', status: 'completed' },
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'exec', namespace: 'functions', input: 'ls' },
      { type: 'custom_tool_call_output', id: 'ctco_1', call_id: 'call_2', output: [{ type: 'input_text', text: 'x' }] },
      { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: 'done' },
    );
    assert.deepEqual(messages.slice(1), [
      {
        role: 'assistant',
        parts: [
          { type: 'reasoning', text: 'First\n\nThen', encrypted: 'gAAA', itemId: 'rs_1' },
          { type: 'text', text: 'Doing it' },
          { type: 'toolCall', id: 'call_1', name: 'run', arguments: '{ "a":1}', itemId: 'fc_1' },
          {
            type: 'toolCall',
            id: 'call_2',
            name: 'exec',
            namespace: 'functions',
            arguments: 'ls',
            freeForm: true,
            itemId: 'ctc_1',
          },
        ],
      },
      {
        role: 'tool',
        parts: [
          {
            type: 'toolResult',
            toolCallId: 'call_2',
            content: [{ type: 'text', text: 'x' }],
            freeForm: true,
            itemId: 'ctco_1',
          },
          { type: 'toolResult', toolCallId: 'call_1', content: [{ type: 'text', text: 'done' }], itemId: 'fco_1' },
        ],
      },
    ]);
  });

  it('reads reasoning text without a summary', () => {
    const [message] = decodeItems({ type: 'reasoning', content: [{ type: 'reasoning_text', text: 'Hmm' }] });
    assert.deepEqual(message?.parts, [{ type: 'reasoning', text: 'Hmm' }]);
  });

  it('restores signatures that were sent as encrypted content', () => {
    const part = { type: 'reasoning', text: 'Hmm', signature: 'c2ln' } as const;
    const answer = { id: 'resp_1', model: 'm', parts: [part], finishReason: 'stop' } as const;
    const request = { model: 'm', system: [], messages: [] };
    const { output } = responses.encodeResponse(answer, { request, now: 0 });
    const [message] = responses.decodeRequest(JSON.parse(JSON.stringify({ model: 'm', input: output }))).messages;
    assert.deepEqual(message?.parts, [{ ...part, itemId: 'rs_1_0' }]);
  });

  it('reads images and files from URLs, data and ids, in messages and in outputs', () => {
    const content = [
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'high' },
      { type: 'input_image', image_url: 'https://example.com/a.png', file_id: null },
      { type: 'input_image', file_id: 'file_1' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,BBBB', filename: 'a.pdf' },
      { type: 'input_file', file_data: 'CCCC' },
      { type: 'input_file', file_url: 'https://example.com/b.pdf' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,DDDD', detail: 'low' } },
      { type: 'image_url', image_url: 'https://example.com/c.png' },
      { type: 'input_audio', input_audio: { data: '' } },
    ];
    const parts = [
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'AAAA' }, detail: 'high' },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/a.png' } },
      { type: 'image', source: { kind: 'file', id: 'file_1' } },
      {
        type: 'document',
        source: { kind: 'base64', mediaType: 'application/pdf', data: 'BBBB' },
        name: 'a.pdf',
      },
      { type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data: 'CCCC' } },
      { type: 'document', source: { kind: 'url', url: 'https://example.com/b.pdf' } },
      { type: 'image', source: { kind: 'base64', mediaType: 'image/png', data: 'DDDD' }, detail: 'low' },
      { type: 'image', source: { kind: 'url', url: 'https://example.com/c.png' } },
    ];
    const [user, , tool] = decodeItems(
      { role: 'user', content },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: content },
    );
    assert.deepEqual(user?.parts, parts);
    assert.deepEqual(tool?.parts, [{ type: 'toolResult', toolCallId: 'call_1', content: parts }]);
  });

  it('reads cache breakpoints', () => {
    const [message] = decodeItems({
      role: 'user',
      content: [
        { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'input_text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
        { type: 'input_text', text: 'c', prompt_cache_breakpoint: null },
      ],
    });
    assert.deepEqual(message?.parts, [
      { type: 'text', text: 'a', cacheHint: {} },
      { type: 'text', text: 'b', cacheHint: { ttl: '12h' } },
      { type: 'text', text: 'c' },
    ]);
  });

  it('skips items of unknown types', () => {
    const messages = decodeItems(
      { type: 'function_call', call_id: 'call_1', name: 'a', arguments: '{}' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'of_the_future' },
      { type: 'function_call', call_id: 'call_2', name: 'b', arguments: '{}' },
    );
    assert.equal(messages.length, 1);
    assert.equal(messages[0]?.parts.length, 2);
  });
});

describe('Request decoder for the responses format: tools', () => {
  const exec = {
    type: 'custom',
    name: 'exec',
    description: 'Runs',
    format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' },
  };
  const wait = { type: 'function', name: 'wait', description: null, parameters: { type: 'object' }, strict: null };

  it('flattens and marks namespaces, including those in input items, and keeps the order', () => {
    const { tools } = decode({
      tools: [{ type: 'function', name: 'run', parameters: null, strict: false }],
      input: [
        {
          type: 'additional_tools',
          id: 'at_1',
          role: 'developer',
          tools: [{ type: 'namespace', name: 'functions', description: 'All', tools: [exec, wait] }],
        },
        { role: 'user', content: 'Hi' },
      ],
    });
    const { type: _, ...grammar } = exec.format;
    assert.deepEqual(tools, [
      { name: 'run', strict: false },
      { name: 'exec', description: 'Runs', freeForm: true, grammar, namespace: 'functions', fromInput: true },
      { name: 'wait', parameters: { type: 'object' }, namespace: 'functions', fromInput: true },
    ]);
  });

  it('reads a custom tool without a grammar as a plain-text tool', () => {
    const plain = { type: 'custom', name: 'note', format: { type: 'text' } };
    assert.deepEqual(decode({ tools: [plain] }).tools, [{ name: 'note', freeForm: true }]);
  });

  it('separates hosted tools, unchanged', () => {
    const search = { type: 'web_search', external_web_access: true };
    const { tools, hostedTools } = decode({ tools: [search, wait] });
    assert.deepEqual(hostedTools, [{ format: 'responses', type: 'web_search', definition: search }]);
    assert.equal(tools?.length, 1);
  });

  const choices: readonly (readonly [unknown, unknown])[] = [
    ['auto', { type: 'auto' }],
    ['none', { type: 'none' }],
    ['required', { type: 'required' }],
    [
      { type: 'function', name: 'run' },
      { type: 'tool', name: 'run' },
    ],
    [
      { type: 'custom', name: 'exec' },
      { type: 'tool', name: 'exec' },
    ],
    [{ type: 'web_search' }, { type: 'tool', name: 'web_search' }],
    [
      {
        type: 'allowed_tools',
        mode: 'required',
        tools: [{ type: 'function', name: 'run' }, { type: 'image_generation' }],
      },
      { type: 'allowed', mode: 'required', names: ['run', 'image_generation'] },
    ],
  ];
  for (const [wire, neutral] of choices) {
    it(`reads the tool choice ${JSON.stringify(wire)}`, () => {
      assert.deepEqual(decode({ tool_choice: wire }).toolChoice, neutral);
    });
  }
});

describe('Request decoder for the responses format: options', () => {
  it('reads every option of the neutral form', () => {
    const schema = { type: 'object', properties: {} };
    const request = decode({
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      parallel_tool_calls: false,
      reasoning: { effort: 'low', summary: 'auto', context: 'all_turns' },
      text: { format: { type: 'json_schema', name: 'answer', schema, strict: true }, verbosity: 'low' },
      service_tier: 'priority',
      safety_identifier: 'someone',
      user: 'somebody',
      metadata: { task: 'x' },
      stream: true,
      store: false,
      previous_response_id: 'resp_0',
      prompt_cache_key: 'session',
      truncation: 'auto',
      include: ['reasoning.encrypted_content'],
      client_metadata: { a: 'b' },
    });
    assert.deepEqual(request, {
      model: 'familyb-5.2',
      system: [],
      messages: [],
      maxTokens: 100,
      temperature: 0.5,
      topP: 0.9,
      parallelToolCalls: false,
      reasoning: { effort: 'low', summary: 'auto' },
      responseFormat: { type: 'jsonSchema', name: 'answer', schema, strict: true },
      verbosity: 'low',
      serviceTier: 'priority',
      userId: 'someone',
      metadata: { task: 'x' },
      stream: true,
      store: false,
      previousResponseId: 'resp_0',
      promptCacheKey: 'session',
      truncation: 'auto',
      dropped: ['reasoning.context'],
    });
  });

  it('treats null as absent for every option', () => {
    const names =
      'input instructions tools tool_choice parallel_tool_calls max_output_tokens temperature top_p text reasoning ' +
      'include store previous_response_id prompt_cache_key service_tier metadata user safety_identifier truncation stream';
    const nothing = Object.fromEntries(names.split(' ').map((name) => [name, null]));
    assert.deepEqual(decode(nothing), { model: 'familyb-5.2', system: [], messages: [] });
  });

  it('treats null within options as absent', () => {
    const request = decode({
      reasoning: { effort: null, summary: null },
      text: { format: null, verbosity: null },
    });
    assert.deepEqual(request, { model: 'familyb-5.2', system: [], messages: [] });
  });

  it('reads the user from its legacy property', () => {
    assert.equal(decode({ user: 'somebody' }).userId, 'somebody');
  });
});

describe('Request decoder for the responses format: rejected requests', () => {
  const cases: readonly (readonly [string, unknown, RegExp])[] = [
    ['a body that is not an object', 'Hi', /object/],
    ['no model', { input: 'Hi' }, /^model: /],
    ['an input that is neither string nor list', { model: 'm', input: 7 }, /^input: .*string or an array/],
    ['an unknown role', { model: 'm', input: [{ role: 'tool', content: '' }] }, /^input\.0\.role: .*"developer"/],
    ['a call without an id', { model: 'm', input: [{ type: 'function_call', name: 'a', arguments: '' }] }, /call_id/],
    ['a tool without a name', { model: 'm', tools: [{ type: 'function' }] }, /^tools\.0\.name: /],
    ['an unknown tool choice', { model: 'm', tool_choice: 'any' }, /^tool_choice: .*"required"/],
    [
      'an image that is nowhere',
      { model: 'm', input: [{ role: 'user', content: [{ type: 'input_image' }] }] },
      /^input\.0\.content\.0: .*image_url/,
    ],
  ];
  for (const [what, body, words] of cases) {
    it(`names the invalid field of ${what}`, () => {
      assert.match(refusal(body), words);
    });
  }
});
