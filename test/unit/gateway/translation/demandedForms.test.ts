import assert from 'node:assert/strict';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { json, send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { startRouter } from '../support/routed.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of all formats
type Json = any;

const HI = [{ role: 'user', content: 'Hi' }];

async function ask(caller: FormatName, upstream: FormatName, body: object, parts: Said['parts'] = [{ text: 'ok' }]) {
  const { port, servers } = await startRouter([{ formats: [upstream], script: () => ({ parts }) }]);
  const path = `/api/v1${wireFormats[caller].path}`;
  const answer = await send({ port, path, body: JSON.stringify({ model: 'a', ...body }) });
  const sent: Json = servers[0]?.requests[0]?.body;
  return { answer, sent, text: answer.body.toString(), dropped: answer.headers['x-model-access-dropped'] };
}

const functionTool = (parameters: object) => ({ type: 'function', function: { name: 'find', parameters } });

describe('schemas of tools with branches at the top', () => {
  afterEach(closeAll);

  const parameters = {
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  };
  for (const [caller, upstream, body] of [
    ['chat-completions', 'messages', { messages: HI, tools: [functionTool(parameters)] }],
    ['responses', 'messages', { input: 'Hi', tools: [{ type: 'function', name: 'find', parameters }] }],
    ['chat-completions', 'responses', { messages: HI, tools: [functionTool(parameters)] }],
    [
      'messages',
      'chat-completions',
      { max_tokens: 5, messages: HI, tools: [{ name: 'find', input_schema: parameters }] },
    ],
  ] as const) {
    it(`are one object that describes the choice: ${caller} on ${upstream}`, async () => {
      const { sent, dropped } = await ask(caller, upstream, body);
      const [tool] = sent.tools;
      assert.deepEqual(tool.function?.parameters ?? tool.parameters ?? tool.input_schema, {
        type: 'object',
        description: 'Give the arguments of one of these groups: "a"; "b".',
        properties: parameters.properties,
      });
      assert.equal(dropped, upstream === 'messages' ? 'input_schema' : 'parameters');
    });
  }

  it('require what all branches require, and allow what any of them allows', async () => {
    const oneOf = [
      { properties: { kind: { const: 'x' }, size: { type: 'integer' } }, required: ['kind', 'size'] },
      { $ref: '#/$defs/y' },
    ];
    const $defs = { y: { properties: { kind: { const: 'y' }, size: { type: 'string' } }, required: ['kind'] } };
    const { sent } = await ask('chat-completions', 'messages', {
      messages: HI,
      tools: [functionTool({ oneOf, $defs })],
    });
    const { properties, required } = sent.tools[0].input_schema;
    assert.deepEqual(required, ['kind']);
    assert.deepEqual(properties, {
      kind: { enum: ['x', 'y'] },
      size: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
    });
  });
});

describe('properties with names that the messages format does not accept', () => {
  afterEach(closeAll);

  const names = ['$top', 'filter[id]', '@microsoft.graph.x', 'due date', 'x'.repeat(90)];
  const inner = { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
  const tools = [
    functionTool({ type: 'object', properties: { $top: { type: 'integer' }, all: inner }, required: ['$top'] }),
  ];
  const values = { $top: 3, all: Object.fromEntries(names.map((name) => [name, 'v'])) };

  for (const stream of [false, true]) {
    it(`have other names there and their own names for the client, ${stream ? 'streamed' : 'whole'}`, async () => {
      const call = { id: 'c1', type: 'function', function: { name: 'find', arguments: JSON.stringify(values) } };
      const history = [
        ...HI,
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'None.' },
      ];
      const { sent: asked } = await ask('chat-completions', 'messages', { messages: history, tools });
      const { input_schema: schema } = asked.tools[0];
      const used = asked.messages[1].content[0].input;
      const accepted = Object.keys(schema.properties.all.properties);
      assert.ok(accepted.every((name) => /^[\w.-]{1,64}$/.test(name)) && new Set(accepted).size === names.length);
      assert.deepEqual(schema.required, [Object.keys(schema.properties)[0]]);
      assert.deepEqual(Object.keys(used.all), accepted);
      const said = [{ call: 'c2', name: 'find', arguments: JSON.stringify(used) }];
      const { text } = await ask('chat-completions', 'messages', { messages: HI, tools, stream }, said);
      const pieces = text
        .split('\n')
        .flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
      const written = stream
        ? pieces.map(({ choices: [first] }) => first?.delta.tool_calls?.[0].function.arguments ?? '').join('')
        : JSON.parse(text).choices[0].message.tool_calls[0].function.arguments;
      assert.deepEqual(JSON.parse(written), values);
    });
  }
});

describe('cache marks on the messages format', () => {
  afterEach(closeAll);

  it('are at most four, with the longest lifetimes first, and what was changed is named', async () => {
    const mark = (text: string, ttl?: string) => ({
      ...{ type: 'text', text, cache_control: { type: 'ephemeral', ...(ttl !== undefined && { ttl }) } },
    });
    const messages = [
      { role: 'system', content: [mark('a', '1h'), mark('b')] },
      { role: 'user', content: [mark('c', '1h'), mark('d'), mark('e')] },
    ];
    const { sent, dropped } = await ask('chat-completions', 'messages', { messages });
    const marks = [...sent.system, ...sent.messages[0].content].map(
      ({ cache_control: control }: Json) => control?.ttl ?? !!control,
    );
    assert.deepEqual(marks, [false, true, true, true, true]);
    assert.equal(dropped, 'cache_control');
  });

  it('stay as they are if they are accepted', async () => {
    const content = [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }];
    const { sent, dropped } = await ask('chat-completions', 'messages', { messages: [{ role: 'user', content }] });
    assert.deepEqual([sent.messages[0].content, dropped], [content, undefined]);
  });
});

describe('a summary of the conversation by the service of the messages format', () => {
  afterEach(closeAll);

  for (const upstream of ['chat-completions', 'responses'] as const) {
    it(`is the beginning of the conversation on ${upstream}`, async () => {
      const messages = [
        { role: 'user', content: 'Long ago' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Before' },
            { type: 'compaction', content: 'SUMMARY' },
            { type: 'text', text: 'After' },
          ],
        },
        { role: 'user', content: 'And now?' },
      ];
      const { sent, dropped } = await ask('messages', upstream, { max_tokens: 50, messages });
      const turns: Json[] = sent.messages ?? sent.input;
      assert.deepEqual(
        turns.map(({ role }) => role),
        ['user', 'assistant', 'user'],
      );
      const [first, second] = turns.map((turn) => JSON.stringify(turn));
      assert.match(String(first), /SUMMARY/);
      assert.match(String(second), /After/);
      assert.doesNotMatch(JSON.stringify(sent), /Long ago|Before/);
      assert.equal(dropped, undefined);
    });
  }
});

describe('files on the messages format', () => {
  afterEach(closeAll);

  const withFile = (type: string, bytes: string) => ({
    messages: [
      {
        role: 'user',
        content: [{ type: 'file', file: { filename: 'f', file_data: `data:${type};base64,${btoa(bytes)}` } }],
      },
    ],
  });

  for (const type of ['application/json', 'application/xml', 'application/yaml', 'text/csv']) {
    it(`are text documents if they are text: ${type}`, async () => {
      const { sent } = await ask('chat-completions', 'messages', withFile(type, '{"a": 1}'));
      assert.deepEqual(sent.messages[0].content[0].source, {
        type: 'text',
        media_type: 'text/plain',
        data: '{"a": 1}',
      });
    });
  }

  it('are refused with their type if no service reads them', async () => {
    const { answer, sent } = await ask('chat-completions', 'messages', withFile('application/zip', 'PK\u0003\u0004'));
    assert.deepEqual([answer.status, sent], [400, undefined]);
    assert.match(JSON.stringify(json(answer)), /application\/zip/);
  });

  it('can be vector graphics, which are sent as their text', async () => {
    const url = `data:image/svg+xml;base64,${btoa('<svg/>')}`;
    const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }];
    const { sent } = await ask('chat-completions', 'messages', { messages });
    assert.equal(sent.messages[0].content[0].source.data, '<svg/>');
  });
});

describe('tools that the client defers', () => {
  afterEach(closeAll);

  const deferred = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({
      name: `t${nth}`,
      input_schema: { type: 'object' },
      defer_loading: true,
    }));
  const search = { name: 'ToolSearch', input_schema: { type: 'object' } };
  const messages = [
    ...HI,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'ToolSearch', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'tool_reference', tool_name: 't7' }] }],
    },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'c2', name: 't9', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: 'Done.' }] },
  ];
  const namesOf = (sent: Json): string[] => sent.tools.map((tool: Json) => tool.function.name);

  it('stay out if they are too many and no search has found them', async () => {
    const { sent } = await ask('messages', 'chat-completions', {
      max_tokens: 5,
      messages,
      tools: [search, ...deferred(150)],
    });
    assert.deepEqual(namesOf(sent), ['ToolSearch', 't7', 't9']);
  });

  it('are sent if they are few, or if only the service could search for them', async () => {
    const few = await ask('messages', 'chat-completions', {
      max_tokens: 5,
      messages,
      tools: [search, ...deferred(20)],
    });
    assert.equal(namesOf(few.sent).length, 21);
    const hosted = { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' };
    const tools = [hosted, search, ...deferred(150)];
    const all = await ask('messages', 'chat-completions', { max_tokens: 5, messages, tools });
    assert.equal(namesOf(all.sent).length, 151);
  });
});
