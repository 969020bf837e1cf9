import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of any form are checked
type Body = any;

const QUESTIONS: Readonly<Record<FormatName, object>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hi' }] },
  messages: { max_tokens: 4000, messages: [{ role: 'user', content: 'Hi' }] },
  responses: { input: 'Hi' },
};

async function ask(caller: FormatName, upstream: FormatName, members: object) {
  const { port, servers } = await startRouter([{ formats: [upstream], script: () => ({ parts: [{ text: 'ok' }] }) }]);
  const path = `/api/v1${wireFormats[caller].path}`;
  const body = JSON.stringify({ model: 'a', ...QUESTIONS[caller], ...members });
  const answer = await send({ port, path, body });
  return {
    answer,
    dropped: answer.headers['x-model-access-dropped']?.toString(),
    sent: servers[0]?.requests[0]?.body as Body,
  };
}

const SCHEMA = { type: 'object', properties: { size: { type: 'integer', minimum: 1, description: 'In bytes.' } } };
const STRICT_SCHEMA = {
  type: 'object',
  properties: { size: { type: 'integer', description: 'In bytes.\n\nThe number is at least 1.' } },
  additionalProperties: false,
};
const LOOK = { name: 'look', parameters: { type: 'object', properties: {} } };
const C_TOOLS = [{ type: 'function', function: LOOK }];
const R_TOOLS = [{ type: 'function', ...LOOK }];
const M_TOOLS = [{ name: 'look', input_schema: LOOK.parameters }];

describe('members in the form of another format or an older one', () => {
  afterEach(closeAll);

  it('are read: output_format', async () => {
    const format = { type: 'json_schema', schema: SCHEMA };
    const { dropped, sent } = await ask('messages', 'chat-completions', { output_format: format });
    assert.equal(dropped, undefined);
    assert.deepEqual(sent.response_format.json_schema.schema, SCHEMA);
  });

  it('are read: the summary of reasoning', async () => {
    const { sent } = await ask('responses', 'messages', { reasoning: { effort: 'low', generate_summary: 'auto' } });
    assert.equal(sent.output_config.effort, 'low');
  });

  for (const [choice, expected] of [
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'any'],
    [{ type: 'required' }, 'any'],
    [{ type: 'none' }, 'none'],
    [{ type: 'tool', name: 'look' }, 'tool'],
    [{ type: 'function', name: 'look' }, 'tool'],
    [{ type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'look' }] }, 'any'],
  ] as const) {
    it(`are read: the tool choice ${JSON.stringify(choice)} of a chat-completions client`, async () => {
      const { answer, sent } = await ask('chat-completions', 'messages', { tools: C_TOOLS, tool_choice: choice });
      assert.equal(answer.status, 200);
      assert.equal(sent.tool_choice.type, expected);
    });
  }

  for (const [choice, expected] of [
    ['auto', 'auto'],
    ['required', 'required'],
    [{ type: 'required' }, 'required'],
    [
      { type: 'function', function: { name: 'look' } },
      { type: 'function', function: { name: 'look' } },
    ],
  ] as const) {
    it(`are read: the tool choice ${JSON.stringify(choice)} of a messages client`, async () => {
      const { sent } = await ask('messages', 'chat-completions', { tools: M_TOOLS, tool_choice: choice });
      assert.deepEqual(sent.tool_choice, expected);
    });
  }

  for (const choice of [
    { type: 'any' },
    { type: 'tool', name: 'look' },
    { type: 'function', function: { name: 'look' } },
  ]) {
    it(`are read: the tool choice ${JSON.stringify(choice)} of a responses client`, async () => {
      const { sent } = await ask('responses', 'messages', { tools: R_TOOLS, tool_choice: choice });
      assert.match(sent.tool_choice.type, /any|tool/);
    });
  }

  it('are refused: a tool choice of no format', async () => {
    const { answer } = await ask('chat-completions', 'messages', { tools: C_TOOLS, tool_choice: { type: 'function' } });
    assert.equal(answer.status, 400);
    assert.match(JSON.stringify(json(answer)), /tool_choice/);
  });

  const SOURCE = { type: 'base64', media_type: 'image/png', data: 'aW1n' };
  const IMAGES = [
    { type: 'image', source: SOURCE },
    { type: 'input_image', image_url: 'data:image/png;base64,aW1n' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aW1n' } },
    { type: 'image_url', image_url: 'data:image/png;base64,aW1n' },
  ];
  const CONTENT: Readonly<Record<FormatName, (parts: object[]) => object>> = {
    'chat-completions': (content) => ({ messages: [{ role: 'user', content }] }),
    messages: (content) => ({ messages: [{ role: 'user', content }] }),
    responses: (content) => ({ input: [{ role: 'user', content }] }),
  };
  for (const [caller, upstream] of [
    ['chat-completions', 'messages'],
    ['responses', 'messages'],
    ['messages', 'chat-completions'],
  ] as const) {
    for (const image of IMAGES) {
      it(`are read: ${JSON.stringify(image)} of a ${caller} client`, async () => {
        const { answer, sent } = await ask(
          caller,
          upstream,
          CONTENT[caller]([{ type: 'input_text', text: 'What?' }, image]),
        );
        assert.equal(answer.status, 200, answer.body.toString());
        assert.equal(answer.headers['x-model-access-dropped'], undefined);
        const [text, part] = sent.messages[0].content;
        assert.equal(text.text, 'What?');
        assert.match(JSON.stringify(part), /aW1n/);
      });
    }
  }

  for (const caller of ['chat-completions', 'responses'] as const) {
    it(`are refused: parts of no format of a ${caller} client`, async () => {
      const { answer, sent } = await ask(caller, 'messages', CONTENT[caller]([{ type: 'hologram', data: 'x' }]));
      assert.deepEqual([answer.status, sent], [400, undefined]);
      assert.match(JSON.stringify(json(answer)), /hologram/);
    });
  }
});

describe('schemas of answers', () => {
  afterEach(closeAll);

  it('have closed objects and bounds in words for the messages format, which are named', async () => {
    const json_schema = { name: 'file', schema: SCHEMA };
    const { dropped, sent } = await ask('chat-completions', 'messages', {
      response_format: { type: 'json_schema', json_schema },
    });
    assert.deepEqual(sent.output_config.format, { type: 'json_schema', schema: STRICT_SCHEMA });
    assert.equal(dropped, 'response_format');
  });

  it('have closed objects wherever they are, and no keyword is lost', async () => {
    const schema = {
      type: 'object',
      properties: {
        list: {
          type: 'array',
          minItems: 3,
          items: { type: 'object', properties: { a: { type: 'string', pattern: '^x' } } },
        },
        either: { oneOf: [{ type: 'string', maxLength: 3 }, { $ref: '#/$defs/n' }] },
      },
      $defs: { n: { type: ['object', 'null'], properties: {} } },
    };
    const format = { type: 'json_schema', name: 'x', schema };
    const { dropped, sent } = await ask('responses', 'messages', { text: { format } });
    const { properties, $defs } = sent.output_config.format.schema;
    assert.equal(properties.list.items.additionalProperties, false);
    assert.equal($defs.n.additionalProperties, false);
    assert.match(properties.list.description, /at least 3 items/);
    assert.match(properties.list.items.properties.a.description, /expression "\^x"/);
    assert.match(properties.either.anyOf[0].description, /at most 3 characters/);
    assert.equal(dropped, 'response_format');
  });

  for (const format of [
    { type: 'json_object', schema: SCHEMA },
    { type: 'json_schema', name: 'x', schema: SCHEMA },
    { type: 'json_schema', json_schema: { schema: SCHEMA } },
  ]) {
    it(`are read from ${Object.keys(format)} of chat-completions clients`, async () => {
      const { sent } = await ask('chat-completions', 'messages', { response_format: format });
      assert.deepEqual(sent.output_config.format.schema, STRICT_SCHEMA);
      const { sent: other } = await ask('chat-completions', 'responses', { response_format: format });
      assert.deepEqual(other.text.format.schema, SCHEMA);
    });
  }

  for (const parameters of [{}, { type: 'object' }, null, undefined, { type: 'object', properties: null }]) {
    it(`of tools are objects with properties instead of ${JSON.stringify(parameters)}`, async () => {
      const tools = [{ name: 'look', input_schema: parameters }];
      const whole = { type: 'object', properties: {} };
      const c = await ask('messages', 'chat-completions', { tools });
      assert.deepEqual(c.sent.tools[0].function.parameters, whole);
      const r = await ask('messages', 'responses', { tools });
      assert.deepEqual(r.sent.tools[0].parameters, whole);
      const ofResponses = await ask('responses', 'messages', {
        tools: [{ type: 'function', name: 'look', parameters }],
      });
      assert.deepEqual(ofResponses.sent.tools[0].input_schema, whole);
    });
  }
});

describe('what services of the messages format demand', () => {
  afterEach(closeAll);

  const BUDGET = { reasoning: { max_tokens: 8000 } };
  for (const [what, members, thinking, lost] of [
    ['a budget above the limit', { max_tokens: 4000 }, 2000, ['budget_tokens']],
    ['a budget below the minimum', { max_tokens: 4000, reasoning: { max_tokens: 100 } }, 1024, ['budget_tokens']],
    ['another temperature', { max_tokens: 9000, temperature: 0.2, top_p: 0.5 }, 8000, ['temperature', 'top_p']],
    ['a forced tool', { max_tokens: 9000, tools: C_TOOLS, tool_choice: 'required' }, undefined, ['thinking']],
    ['a limit without room', { max_tokens: 1000 }, undefined, ['thinking']],
    [
      'a call without signed thinking',
      {
        max_tokens: 9000,
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            reasoning_content: 'Hm.',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'A cat.' },
        ],
      },
      undefined,
      ['thinking'],
    ],
  ] as const) {
    it(`is met by thinking with ${what}`, async () => {
      const { dropped, sent } = await ask('chat-completions', 'messages', { ...BUDGET, ...members });
      assert.equal(sent.thinking?.budget_tokens, thinking);
      if (thinking !== undefined) assert.deepEqual([sent.temperature, sent.top_p], [undefined, undefined]);
      for (const name of lost) assert.ok(dropped?.split(', ').includes(name), dropped);
    });
  }

  for (const [url, type, mediaType] of [
    ['data:image/jpg;base64,aW1n', 'image', 'image/jpeg'],
    ['data:IMAGE/PNG;base64,aW1n', 'image', 'image/png'],
    ['DATA:image/png;BASE64,aW1n', 'image', 'image/png'],
    ['data:image/webp;charset=utf-8;base64,aW1n', 'image', 'image/webp'],
    ['data:image/jpeg;base64,iVBORw0KGgo=', 'image', 'image/png'],
    ['data:application/pdf;base64,JVBERi0=', 'document', 'application/pdf'],
  ] as const) {
    it(`is met by ${url}`, async () => {
      const content = [{ type: 'image_url', image_url: { url } }];
      const c = await ask('chat-completions', 'messages', { messages: [{ role: 'user', content }] });
      assert.deepEqual(
        [c.sent.messages[0].content[0].type, c.sent.messages[0].content[0].source.media_type],
        [type, mediaType],
      );
      const input = [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];
      const r = await ask('responses', 'messages', { input });
      assert.deepEqual(
        [r.sent.messages[0].content[0].type, r.sent.messages[0].content[0].source.media_type],
        [type, mediaType],
      );
    });
  }

  it('is met by the image blocks of messages clients on other upstreams', async () => {
    const source = { type: 'base64', media_type: 'image/JPG', data: 'aW1n' };
    const messages = [{ role: 'user', content: [{ type: 'image', source }] }];
    const { sent } = await ask('messages', 'chat-completions', { messages });
    assert.equal(sent.messages[0].content[0].image_url.url, 'data:image/jpeg;base64,aW1n');
  });

  for (const messages of [
    [],
    [{ role: 'system', content: 'Be brief.' }],
    [
      { role: 'developer', content: 'Be brief.' },
      { role: 'system', content: 'Greet.' },
    ],
    [{ role: 'user', content: '' }],
    [{ role: 'user', content: ' \n' }],
  ]) {
    it(`is met by the messages ${JSON.stringify(messages)}`, async () => {
      const { sent } = await ask('chat-completions', 'messages', { messages });
      assert.deepEqual(
        sent.messages.map(({ role }: Body) => role),
        ['user'],
      );
      assert.notEqual(sent.messages[0].content.trim(), '');
    });
  }

  it('is met by the beginning of an answer that ends with a blank', async () => {
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Well, \n' },
    ];
    const { sent } = await ask('chat-completions', 'messages', { messages });
    assert.equal(sent.messages[1].content, 'Well,');
  });
});

describe('a line for the bills of another service', () => {
  afterEach(closeAll);

  const LINE = 'x-anthropic-billing-header: cc_version=2.1.1; cc_entrypoint=cli; cch=1f2e3;';
  for (const upstream of ['chat-completions', 'responses'] as const) {
    for (const [what, system] of [
      [
        'a block',
        [
          { type: 'text', text: LINE },
          { type: 'text', text: 'You are an agent.' },
        ],
      ],
      ['the first line of a text', `${LINE}\nYou are an agent.`],
    ] as const) {
      it(`that differs in each request is not sent to ${upstream}: ${what}`, async () => {
        const { dropped, sent } = await ask('messages', upstream, { system });
        assert.equal(sent.instructions ?? sent.messages[0].content, 'You are an agent.');
        assert.equal(dropped, 'x-anthropic-billing-header');
      });
    }
  }
});

describe('the order of messages', () => {
  afterEach(closeAll);

  it('has results directly after their calls: a responses client with a message between', async () => {
    const input = [
      { role: 'user', content: 'Look.' },
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
      { role: 'user', content: [{ type: 'input_image', image_url: 'data:image/png;base64,aW1n' }] },
      { type: 'function_call_output', call_id: 'c1', output: 'Attached.' },
    ];
    const { sent } = await ask('responses', 'chat-completions', { input });
    assert.deepEqual(
      sent.messages.map(({ role }: Body) => role),
      ['user', 'assistant', 'tool', 'user'],
    );
  });

  it('joins two answers with their calls', async () => {
    const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] });
    const results = ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: id }));
    const messages = [{ role: 'user', content: 'Look.' }, use('a'), use('b'), { role: 'user', content: results }];
    const { sent } = await ask('messages', 'chat-completions', { messages });
    assert.deepEqual(
      sent.messages.map(({ role }: Body) => role),
      ['user', 'assistant', 'tool', 'tool'],
    );
    assert.deepEqual(
      sent.messages[1].tool_calls.map(({ id }: Body) => id),
      ['a', 'b'],
    );
  });

  it('raises a low limit of output for the responses format', async () => {
    const { sent } = await ask('messages', 'responses', { max_tokens: 1 });
    assert.equal(sent.max_output_tokens, 16);
  });
});
