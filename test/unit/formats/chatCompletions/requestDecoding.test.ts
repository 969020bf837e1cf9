import assert from 'node:assert/strict';
import { FormatError } from '../../../../src/formats/apiError.ts';
import { chatCompletions } from '../../../../src/formats/chatCompletions/index.ts';
import type { ChatRequest } from '../../../../src/formats/conversation.ts';

const hello = { role: 'user', content: 'Hello' };

function decode(body: object): ChatRequest {
  return chatCompletions.decodeRequest({ model: 'familyc-5.4', messages: [hello], ...body });
}

describe('Chat-completions request decoder', () => {
  it('accepts the minimal request of the specification', () => {
    assert.deepEqual(decode({}), {
      model: 'familyc-5.4',
      system: [],
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    });
  });

  it('treats null as absent for every optional property', () => {
    const members = ['max_tokens', 'temperature', 'stop', 'tools', 'tool_choice', 'response_format', 'stream_options'];
    const more = [
      'stream',
      'user',
      'metadata',
      'reasoning_effort',
      'functions',
      'function_call',
      'parallel_tool_calls',
    ];
    const nulls = Object.fromEntries([...members, ...more].map((name) => [name, null]));
    assert.deepEqual(decode(nulls), decode({}));
  });

  describe('with tools', () => {
    const parameters = { type: 'object', properties: {}, $schema: 'https://json-schema.org/draft/2020-12/schema' };

    it('keeps functions with their schema, free-form tools with their grammar, and their order', () => {
      const grammar = { syntax: 'lark', definition: 'start: "a"' };
      const { tools } = decode({
        tools: [
          { type: 'function', function: { name: 'b', description: 'B', parameters, strict: true } },
          { type: 'custom', custom: { name: 'a', format: { type: 'grammar', grammar } } },
          { type: 'custom', custom: { name: 'c', format: { type: 'text' } } },
        ],
      });
      assert.deepEqual(tools, [
        { name: 'b', description: 'B', parameters, strict: true },
        { name: 'a', freeForm: true, grammar },
        { name: 'c', freeForm: true },
      ]);
    });

    it('accepts the legacy form', () => {
      const functions = [{ name: 'a', parameters }];
      const { tools, toolChoice, parallelToolCalls, olderCalls } = decode({ functions, function_call: { name: 'a' } });
      assert.deepEqual(tools, functions);
      assert.deepEqual(toolChoice, { type: 'tool', name: 'a' });
      assert.deepEqual([parallelToolCalls, olderCalls], [false, true]);
    });

    it('marks hosted tools as such', () => {
      const { tools, hostedTools } = decode({ tools: [{ type: 'web_search', max: 3 }], web_search_options: {} });
      assert.equal(tools, undefined);
      assert.deepEqual(hostedTools, [
        { format: 'chat-completions', type: 'web_search', definition: { type: 'web_search', max: 3 } },
        { format: 'chat-completions', type: 'web_search_options', definition: {} },
      ]);
    });

    it('accepts names of any length', () => {
      const name = 'x'.repeat(300);
      assert.equal(decode({ tools: [{ type: 'function', function: { name } }] }).tools?.[0]?.name, name);
    });

    const choices = [
      ['auto', { type: 'auto' }],
      ['none', { type: 'none' }],
      ['required', { type: 'required' }],
      ['any', { type: 'required' }],
      [
        { type: 'function', function: { name: 'a' } },
        { type: 'tool', name: 'a' },
      ],
      [
        { type: 'custom', custom: { name: 'a' } },
        { type: 'tool', name: 'a' },
      ],
      [
        {
          type: 'allowed_tools',
          allowed_tools: {
            mode: 'required',
            tools: [
              { type: 'function', function: { name: 'a' } },
              { type: 'custom', custom: { name: 'b' } },
            ],
          },
        },
        { type: 'allowed', mode: 'required', names: ['a', 'b'] },
      ],
    ] as const;
    for (const [wire, wanted] of choices) {
      it(`reads the tool choice ${JSON.stringify(wire)}`, () => {
        assert.deepEqual(decode({ tool_choice: wire }).toolChoice, wanted);
      });
    }
  });

  describe('with settings', () => {
    it('reads the token limit under both names and prefers the newer one', () => {
      assert.equal(decode({ max_tokens: 5 }).maxTokens, 5);
      assert.equal(decode({ max_completion_tokens: 6 }).maxTokens, 6);
      assert.equal(decode({ max_completion_tokens: 6, max_tokens: 5 }).maxTokens, 6);
    });

    it('reads stop sequences as a string and as a list', () => {
      assert.deepEqual(decode({ stop: 'END' }).stopSequences, ['END']);
      assert.deepEqual(decode({ stop: ['A', 'B'] }).stopSequences, ['A', 'B']);
      assert.equal('stopSequences' in decode({ stop: [] }), false);
    });

    it('reads streaming, usage, response format, effort, user and the other settings', () => {
      const decoded = decode({
        stream: true,
        stream_options: { include_usage: true },
        response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } },
        reasoning_effort: 'high',
        safety_identifier: 'u',
        parallel_tool_calls: false,
        temperature: 0,
        top_p: 0.5,
        top_k: 4,
        seed: 1,
        verbosity: 'low',
        service_tier: 'flex',
        store: false,
        metadata: { a: 'b' },
      });
      const { model: _, system: __, messages: ___, ...settings } = decoded;
      assert.deepEqual(settings, {
        stream: true,
        includeUsage: true,
        responseFormat: { type: 'jsonSchema', name: 'n', schema: { type: 'object' }, strict: true },
        reasoning: { effort: 'high' },
        userId: 'u',
        parallelToolCalls: false,
        temperature: 0,
        topP: 0.5,
        topK: 4,
        seed: 1,
        verbosity: 'low',
        serviceTier: 'flex',
        store: false,
        metadata: { a: 'b' },
      });
    });
  });

  it('accepts every way in which clients request reasoning', () => {
    for (const [asked, reasoning] of [
      [{ reasoning_effort: 'low' }, { effort: 'low' }],
      [{ reasoning: { effort: 'high', exclude: false } }, { effort: 'high' }],
      [{ reasoning: { max_tokens: 2000 } }, { budgetTokens: 2000 }],
      [{ reasoning: { enabled: true } }, { adaptive: true }],
      [{ reasoning: { enabled: true, effort: 'low', summary: 'auto' } }, { effort: 'low', summary: 'auto' }],
      [{ reasoning: { enabled: false, effort: 'low' } }, { effort: 'none' }],
      [{ reasoning: {} }, undefined],
      [{ reasoning: null }, undefined],
    ] as const) {
      assert.deepEqual(decode(asked).reasoning, reasoning);
    }
  });

  it('accepts every way in which clients request log probabilities', () => {
    for (const [asked, logProbs] of [
      [{ logprobs: true }, { top: 0 }],
      [{ logprobs: true, top_logprobs: 3 }, { top: 3 }],
      [{ top_logprobs: 3 }, { top: 3 }],
      [{ logprobs: 2 }, { top: 2 }],
      [{ logprobs: false, top_logprobs: 0 }, undefined],
    ] as const) {
      assert.deepEqual(chatCompletions.decodeRequest({ model: 'm', messages: [], ...asked }).logProbs, logProbs);
    }
  });

  describe('with invalid requests', () => {
    const broken: readonly (readonly [string, unknown, path: string, problem: string])[] = [
      ['no object', 'hello', '', 'object'],
      ['no model', { messages: [] }, 'model', 'string'],
      ['no messages', { model: 'm' }, 'messages', 'array'],
      ['an unknown role', { model: 'm', messages: [{ role: 'robot' }] }, 'messages.0.role', '"user"'],
      ['content of a number', { model: 'm', messages: [{ role: 'user', content: 1 }] }, 'messages.0.content', 'string'],
      [
        'a text part without text',
        { model: 'm', messages: [hello, { role: 'user', content: [{ type: 'text' }] }] },
        'messages.1.content.0.text',
        'string',
      ],
      ['a result of no call', { model: 'm', messages: [{ role: 'tool' }] }, 'messages.0.tool_call_id', 'string'],
      ['a limit in words', { model: 'm', messages: [], max_tokens: 'many' }, 'max_tokens', 'number'],
      [
        'a function without a name',
        { model: 'm', messages: [], tools: [{ type: 'function', function: {} }] },
        'tools.0.function.name',
        'string',
      ],
      ['an unknown tool choice', { model: 'm', messages: [], tool_choice: 'maybe' }, 'tool_choice', '"auto"'],
    ];
    for (const [what, body, path, problem] of broken) {
      it(`rejects ${what} with its path`, () => {
        assert.throws(
          () => chatCompletions.decodeRequest(body),
          (error) => error instanceof FormatError && error.path === path && error.message.includes(problem),
        );
      });
    }
  });
});
