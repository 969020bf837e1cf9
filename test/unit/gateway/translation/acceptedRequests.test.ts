import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { HELLO } from '../routing/failover/faultyUpstreams.ts';
import { LOCAL_KEY, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

type Json = Record<string, unknown>;

interface Asked {
  readonly status: number;
  readonly dropped: readonly string[];
  /** What the upstream has received. */
  readonly body: Json;
  readonly error: string | undefined;
}

/** Sends a request of a client through the gateway to an upstream of another format. */
async function ask(caller: FormatName, upstream: FormatName, members: Json): Promise<Asked> {
  const running = await startRouter([{ formats: [upstream], script: () => HELLO }]);
  const { status, headers, body } = await send({
    port: running.port,
    path: `/api/v1${wireFormats[caller].path}`,
    headers: { authorization: `Bearer ${LOCAL_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'm', ...members }),
  });
  const [request] = running.servers[0]?.requests.filter(({ format }) => format !== undefined) ?? [];
  const named = String(headers['x-model-access-dropped'] ?? '');
  return {
    status,
    dropped: named === '' ? [] : named.split(/,\s*/),
    body: (request?.body ?? {}) as Json,
    error: status < 400 ? undefined : wireFormats[caller].decodeError(JSON.parse(body.toString()))?.message,
  };
}

const user = (content: unknown) => ({ role: 'user', content });
const call = (id: string) => ({ id, type: 'function', function: { name: 'look', arguments: '{}' } });
const rolesOf = ({ body }: Asked) => (body.messages as Json[]).map(({ role }) => role);

describe('A request that is translated has the order that its service demands', () => {
  afterEach(closeAll);

  it('results directly after their calls, and then what was written between', async () => {
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const input = [
      { role: 'user', content: 'See' },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' },
      { role: 'user', content: [picture] },
      { type: 'function_call_output', call_id: 'a', output: 'seen' },
    ];
    const chat = await ask('responses', 'chat-completions', { input });
    assert.deepEqual(rolesOf(chat), ['user', 'assistant', 'tool', 'user']);
    const messages = await ask('responses', 'messages', { input });
    const [, , answer] = messages.body.messages as { content: Json[] }[];
    assert.deepEqual(
      answer?.content.map(({ type }) => type),
      ['tool_result', 'image'],
    );
  });

  it('calls of neighboring answers in one message', async () => {
    const use = (id: string) => ({ role: 'assistant', content: [{ type: 'tool_use', id, name: 'look', input: {} }] });
    const result = (tool_use_id: string) => ({ type: 'tool_result', tool_use_id, content: 'seen' });
    const messages = [user('See'), use('a'), use('b'), user([result('a'), result('b')])];
    const { body } = await ask('messages', 'chat-completions', { messages, max_tokens: 100 });
    const [, answer, ...results] = body.messages as { tool_calls?: Json[]; tool_call_id?: string }[];
    assert.deepEqual(
      answer?.tool_calls?.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.deepEqual(
      results.map(({ tool_call_id: id }) => id),
      ['a', 'b'],
    );
  });

  it('a result for each call, and no result without a call', async () => {
    const messages = [
      user('See'),
      { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] },
      { role: 'tool', tool_call_id: 'b', content: 'seen' },
      { role: 'tool', tool_call_id: 'unknown', content: 'lost' },
      user('Go on'),
    ];
    const chat = await ask('responses', 'chat-completions', {
      input: [user('See'), { type: 'function_call', call_id: 'a', name: 'look', arguments: '{}' }, user('Go on')],
    });
    assert.deepEqual(rolesOf(chat), ['user', 'assistant', 'tool', 'user']);
    const { body } = await ask('chat-completions', 'messages', { messages });
    const text = JSON.stringify(body);
    const results = (body.messages as { content: unknown }[])
      .flatMap(({ content }) => (Array.isArray(content) ? (content as Json[]) : []))
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id }) => id);
    assert.deepEqual(results, ['a', 'b']);
    assert.match(text, /From the result of tool call unknown/);
    assert.match(text, /interrupted/);
  });

  it('a message of the user, even if the client sends none', async () => {
    for (const messages of [
      [{ role: 'system', content: 'Be brief.' }],
      [user('')],
      [{ role: 'developer', content: 'X' }],
    ]) {
      const { body, status } = await ask('chat-completions', 'messages', { messages });
      assert.equal(status, 200);
      assert.deepEqual(
        (body.messages as Json[]).map(({ role }) => role),
        ['user'],
      );
      assert.notEqual((body.messages as Json[])[0]?.content, '');
    }
  });

  it('no blanks at the end of a prefilled answer', async () => {
    const messages = [user('Count'), { role: 'assistant', content: 'One, \n' }];
    const { body } = await ask('chat-completions', 'messages', { messages });
    assert.deepEqual((body.messages as Json[]).at(-1), { role: 'assistant', content: 'One,' });
  });
});

describe('A request that is translated has the form that its service demands', () => {
  afterEach(closeAll);

  it('objects of schemas are closed, and their bounds are in the descriptions', async () => {
    const schema = {
      type: 'object',
      properties: {
        age: { type: 'integer', minimum: 18, description: 'Years' },
        tags: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', maxLength: 9 } } } },
      },
    };
    const response_format = { type: 'json_schema', json_schema: { name: 'person', schema } };
    const { body, dropped } = await ask('chat-completions', 'messages', { messages: [user('Hi')], response_format });
    const written = (body.output_config as { format: { schema: Json } }).format.schema;
    assert.deepEqual(written, {
      type: 'object',
      properties: {
        age: { type: 'integer', description: 'Years\n\nThe number is at least 18.' },
        tags: {
          type: 'array',
          items: {
            type: 'object',
            properties: { name: { type: 'string', description: 'The text has at most 9 characters.' } },
            additionalProperties: false,
          },
        },
      },
      additionalProperties: false,
    });
    assert.deepEqual(dropped, ['response_format']);
  });

  it('a schema beside the type json_object, or in the earlier member, is kept', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false };
    const chat = await ask('chat-completions', 'messages', {
      messages: [user('Hi')],
      response_format: { type: 'json_object', schema },
    });
    assert.deepEqual((chat.body.output_config as { format: Json }).format.schema, schema);
    const messages = await ask('messages', 'chat-completions', {
      ...{ messages: [user('Hi')], max_tokens: 100 },
      output_format: { type: 'json_schema', schema },
    });
    assert.deepEqual((messages.body.response_format as { json_schema: Json }).json_schema.schema, schema);
    assert.deepEqual(messages.dropped, []);
  });

  it('empty schemas of tools have a type and properties', async () => {
    for (const upstream of ['chat-completions', 'responses'] as const) {
      for (const input_schema of [{}, { type: 'object' }]) {
        const { body } = await ask('messages', upstream, {
          ...{ messages: [user('Hi')], max_tokens: 100 },
          tools: [{ name: 'now', input_schema }],
        });
        const [tool] = body.tools as { parameters?: Json; function?: { parameters: Json } }[];
        assert.deepEqual(tool?.function?.parameters ?? tool?.parameters, { type: 'object', properties: {} });
      }
    }
  });

  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
  for (const [choice, expected] of [
    [{ type: 'auto' }, { type: 'auto' }],
    [{ type: 'any' }, { type: 'any' }],
    [{ type: 'required' }, { type: 'any' }],
    [{ type: 'none' }, { type: 'none' }],
    [
      { type: 'tool', name: 'look' },
      { type: 'tool', name: 'look' },
    ],
    [
      { type: 'function', name: 'look' },
      { type: 'tool', name: 'look' },
    ],
  ] as const) {
    it(`the tool choice ${JSON.stringify(choice)} of another format is read`, async () => {
      const chat = await ask('chat-completions', 'messages', { messages: [user('Hi')], tools, tool_choice: choice });
      assert.deepEqual([chat.status, chat.body.tool_choice], [200, expected]);
      const flat = tools.map(({ function: fn, type }) => ({ type, ...fn }));
      const responses = await ask('responses', 'messages', { input: 'Hi', tools: flat, tool_choice: choice });
      assert.deepEqual([responses.status, responses.body.tool_choice], [200, expected]);
    });
  }

  for (const [choice, expected] of [
    ['auto', 'auto'],
    ['required', 'required'],
    [
      { type: 'function', function: { name: 'look' } },
      { type: 'function', function: { name: 'look' } },
    ],
  ] as const) {
    it(`the tool choice ${JSON.stringify(choice)} of a messages client is read`, async () => {
      const { status, body } = await ask('messages', 'chat-completions', {
        ...{ messages: [user('Hi')], max_tokens: 100, tools: [{ name: 'look', input_schema: { type: 'object' } }] },
        tool_choice: choice,
      });
      assert.deepEqual([status, body.tool_choice], [200, expected]);
    });
  }

  const image = 'data:image/png;base64,AAAA';
  const parts: readonly Json[] = [
    { type: 'input_text', text: 'THE TEXT' },
    { type: 'text', text: 'THE TEXT' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
    { type: 'input_image', image_url: image },
    { type: 'image_url', image_url: { url: image } },
    { type: 'image_url', image_url: image },
  ];
  for (const part of parts) {
    it(`parts of all formats are read: ${JSON.stringify(part)}`, async () => {
      for (const [caller, upstream] of [
        ['chat-completions', 'messages'],
        ['messages', 'responses'],
        ['responses', 'chat-completions'],
      ] as const) {
        const said = [user([part])];
        const { status, body } = await ask(caller, upstream, {
          ...(caller === 'responses' ? { input: said } : { messages: said }),
          ...(caller === 'messages' && { max_tokens: 100 }),
        });
        assert.equal(status, 200);
        assert.match(JSON.stringify(body), part.text === undefined ? /AAAA/ : /THE TEXT/, `${caller} on ${upstream}`);
      }
    });
  }

  it('a part that cannot be read is refused, because the model would answer another question', async () => {
    for (const part of [{ type: 'input_text' }, { type: 'video_url', video_url: { url: 'https://a.example/v' } }]) {
      const { status, error } = await ask('chat-completions', 'messages', { messages: [user([part])] });
      assert.equal(status, 400);
      assert.match(error ?? '', new RegExp(part.type));
    }
  });

  it('types of images have their usual names, and a document is no image', async () => {
    for (const [address, block, type] of [
      ['data:image/jpg;base64,AAAA', 'image', 'image/jpeg'],
      ['data:IMAGE/PNG;base64,AAAA', 'image', 'image/png'],
      ['data:application/pdf;base64,AAAA', 'document', 'application/pdf'],
    ]) {
      const content = [{ type: 'image_url', image_url: { url: address } }];
      const { body } = await ask('chat-completions', 'messages', { messages: [user(content)] });
      const [asked] = body.messages as { content: { type: string; source: Json }[] }[];
      const written = asked?.content.map((part) => [part.type, part.source.media_type]);
      assert.deepEqual(written, [[block, type]]);
    }
  });

  it('the limit of the output is one that the service accepts', async () => {
    const { body } = await ask('messages', 'responses', { messages: [user('Hi')], max_tokens: 1 });
    assert.equal(body.max_output_tokens, 16);
  });

  it('the note of a client for its own service is left out and named', async () => {
    const note = 'x-anthropic-billing-header: cc_version=2.1; cch=abc;';
    const system = [
      { type: 'text', text: note },
      { type: 'text', text: 'Be brief.' },
    ];
    for (const upstream of ['chat-completions', 'responses'] as const) {
      const { body, dropped } = await ask('messages', upstream, { system, messages: [user('Hi')], max_tokens: 100 });
      assert.doesNotMatch(JSON.stringify(body), /billing/);
      assert.match(JSON.stringify(body), /Be brief/);
      assert.deepEqual(dropped, ['x-anthropic-billing-header']);
    }
  });
});

describe('Thinking that a chat completion asks for', () => {
  afterEach(closeAll);

  const asked = (members: Json) => ask('chat-completions', 'messages', { messages: [user('Hi')], ...members });
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];

  it('has a budget below the limit of the output, and of at least 1,024 tokens', async () => {
    const high = await asked({ reasoning: { max_tokens: 8_000 }, max_tokens: 4_000 });
    assert.deepEqual(high.body.thinking, { type: 'enabled', budget_tokens: 2_000 });
    const low = await asked({ reasoning: { max_tokens: 10 }, max_tokens: 4_000 });
    assert.deepEqual(low.body.thinking, { type: 'enabled', budget_tokens: 1_024 });
    const none = await asked({ reasoning: { max_tokens: 8_000 }, max_tokens: 500 });
    assert.deepEqual([none.body.thinking, none.dropped], [undefined, ['thinking']]);
  });

  it('excludes sampling parameters, which are named', async () => {
    const { body, dropped } = await asked({ reasoning: { max_tokens: 2_000 }, temperature: 0.2, top_p: 0.5, top_k: 5 });
    assert.deepEqual([body.temperature, body.top_p, body.top_k], [undefined, undefined, undefined]);
    assert.deepEqual(dropped, ['temperature', 'top_p', 'top_k']);
  });

  it('is left out if a tool is forced', async () => {
    for (const tool_choice of ['required', { type: 'function', function: { name: 'look' } }]) {
      const { body, dropped } = await asked({ reasoning: { max_tokens: 2_000 }, tools, tool_choice });
      assert.deepEqual([body.thinking, dropped], [undefined, ['thinking']]);
    }
  });

  it('is left out after calls without signed thinking', async () => {
    const messages = [
      user('See'),
      { role: 'assistant', content: null, tool_calls: [call('a')] },
      { role: 'tool', tool_call_id: 'a', content: 'seen' },
    ];
    const { body } = await asked({ messages, reasoning: { max_tokens: 2_000 }, tools });
    assert.equal(body.thinking, undefined);
  });
});
