import assert from 'node:assert/strict';
import { closeAll } from '../support/gateway.ts';
import { error, type Json, type Refused, startPickyServer } from './pickyServer.ts';

const LONG = 'mcp__issue-tracker__search_issues_by_label_and_milestone';
const tool = (name: string, description = 'Does it.') => ({ name, description, input_schema: { type: 'object' } });
const many = (count: number) => Array.from({ length: count }, (_, at) => tool(`tool_${at}`));
/** The last of many tools was used. */
const usedLast = (count: number) => [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name: `tool_${count - 1}`, input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Nothing.' }] },
];
const namesIn = (body: Json): string[] => body.tools.map((each: Json) => each.function?.name ?? each.name);
const LOOK = [{ role: 'user', content: 'Look.' }];

describe('a server that accepts fewer tools than others', () => {
  afterEach(closeAll);

  for (const [words, further] of [
    ["'tools' : maximum number of items is 20", {}],
    [
      "Invalid 'tools': array too long. Expected an array with maximum length 20, but got an array with length 90 instead.",
      { param: 'tools' },
    ],
    ['tools[0].function_declarations: [FIELD_INVALID] At most 20 function declarations can be specified.', {}],
    ['工具数量过多,最多支持 20 个', {}],
    ['Слишком много: 90 tools, максимум 20', {}],
    ['Too many tools.', {}],
  ] as const) {
    it(`gets those that were used and as many others as it accepts, after "${words.slice(0, 30)}…"`, async () => {
      const refuse = ({ tools }: Json): Refused | undefined => (tools.length > 20 ? error(words, further) : undefined);
      const { ask, bodies } = await startPickyServer(refuse);
      const request = { max_tokens: 50, messages: usedLast(90), tools: many(90) };
      const first = await ask('messages', request);
      assert.deepEqual([first.status, first.dropped], [200, ['tools']], first.text);
      const tries = bodies().length;
      assert.ok(tries <= 4, String(tries));
      const names = namesIn(bodies().at(-1));
      assert.deepEqual([names.at(0), names.at(-1), names.length <= 20], ['tool_0', 'tool_89', true]);
      assert.equal((await ask('messages', request)).status, 200);
      assert.equal(bodies().length, tries + 1);
    });
  }

  it('gets at most 128 if it says nothing', async () => {
    const refuse = ({ tools }: Json) => (tools.length > 200 ? { body: { code: 'invalid-argument' } } : undefined);
    const { ask, bodies } = await startPickyServer(refuse);
    const { status } = await ask('messages', { max_tokens: 50, messages: LOOK, tools: many(695) });
    assert.deepEqual([status, bodies().at(-1).tools.length], [200, 128]);
  });

  it('gets all of them if it speaks of another limit', async () => {
    const words = 'Invalid schema in tools: maximum recursion depth 10 exceeded';
    const refuse = (body: Json) => (JSON.stringify(body.tools).includes('$ref') ? error(words) : undefined);
    const { ask, bodies } = await startPickyServer(refuse);
    const input_schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };
    const tools = many(20).map((each) => ({ ...each, input_schema }));
    const { status } = await ask('messages', { max_tokens: 50, messages: LOOK, tools });
    assert.deepEqual([status, bodies().length, bodies().at(-1).tools.length], [200, 2, 20]);
  });

  it('refuses a conversation that has used more', async () => {
    const { ask } = await startPickyServer(({ tools }) => (tools.length > 1 ? error('At most 1 tools.') : undefined));
    const calls = many(2).map(({ name }, at) => ({ type: 'tool_use', id: `call_${at}`, name, input: {} }));
    const results = calls.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'Nothing.' }));
    const messages = [...LOOK, { role: 'assistant', content: calls }, { role: 'user', content: results }];
    assert.equal((await ask('messages', { max_tokens: 50, messages, tools: many(2) })).status, 400);
  });
});

const NAMED = { max_tokens: 50, messages: LOOK, tools: [tool(LONG)], tool_choice: { type: 'tool', name: LONG } };

describe('a server that accepts only other names of tools', () => {
  afterEach(closeAll);

  for (const [words, most] of [
    [
      "Invalid 'tools[41].function.name': string too long. Expected a string with maximum length 40, but got a string with length 56 instead.",
      40,
    ],
    [`tools.41.custom.name: String should have at most 32 characters`, 32],
    [`工具名称过长，请检查:\n${LONG}`, 30],
    [`Tool name too long, please check:\n${LONG}`, 48],
    [
      `Value '${LONG}' at 'toolConfig.tools.41.member.toolSpec.name' failed to satisfy constraint: Member must have length less than or equal to 40`,
      40,
    ],
    [`"${LONG}" überschreitet die Länge von 40`, 40],
  ] as const) {
    it(`gets shorter ones, after "${words.slice(0, 30)}…", and answers with the caller's`, async () => {
      const refuse = (body: Json) => (namesIn(body).some((name) => name.length > most) ? error(words) : undefined);
      for (const stream of [true, false]) await asks(refuse, { ...NAMED, stream }, LONG);
    });
  }

  it('gets names without hyphens', async () => {
    const words = "Function name must match ^[a-zA-Z0-9_]{1,64}$: 'tools[0].function.name'";
    await asks((body) => (namesIn(body).some((name) => name.includes('-')) ? error(words) : undefined), NAMED, LONG);
    await asks((body) => (namesIn(body).some((name) => name.includes('-')) ? error('Nein.') : undefined), NAMED, LONG);
  });
});

/** Asks twice, with an answer that calls the tool by the name that the server was sent. */
async function asks(refuse: (body: Json) => Refused | undefined, request: object, name: string): Promise<void> {
  const server = await startPickyServer(refuse, 'chat-completions', undefined, {
    partsFor: ({ tools }) => [{ call: 'call_1', name: tools[0].function.name, arguments: '{}' }],
  });
  const first = await server.ask('messages', request);
  assert.equal(first.status, 200, first.text);
  assert.ok(first.text.includes(`"name":"${name}"`), first.text);
  const sent = server.bodies().at(-1);
  assert.equal(sent.tool_choice?.function?.name ?? namesIn(sent)[0], namesIn(sent)[0]);
  const tries = server.bodies().length;
  assert.ok(tries <= 4, String(tries));
  const call = { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name, input: {} }] };
  const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'Nothing.' }] };
  const second = await server.ask('messages', { ...request, messages: [...LOOK, call, result] });
  assert.deepEqual([second.status, server.bodies().length], [200, tries + 1], second.text);
  assert.equal(server.bodies().at(-1).messages[1].tool_calls[0].function.name, namesIn(sent)[0]);
}

describe('a server that accepts only shorter descriptions of tools', () => {
  afterEach(closeAll);

  for (const [status, words] of [
    [
      400,
      "Invalid 'tools[13].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 4394 instead.",
    ],
    [
      500,
      "Invalid 'tools[1].function.description': string too long. Expected a string with maximum length 1024, but got a string with length 4394 instead. (request id: 2025)",
    ],
    [400, "'A long one.' is too long - 'functions.0.description'"],
  ] as const) {
    it(`gets their beginning, after ${status} "${words.slice(0, 36)}…"`, async () => {
      const isLong = (body: Json) => body.tools.some((each: Json) => each.function.description.length > 1024);
      const { ask, bodies } = await startPickyServer((body) =>
        isLong(body) ? { status, body: error(words).body } : undefined,
      );
      const request = { max_tokens: 50, messages: LOOK, tools: [tool('run', 'A long one. '.repeat(366))] };
      const { status: given, dropped, text } = await ask('messages', request);
      assert.deepEqual([given, dropped], [200, ['tools.description']], text);
      const [sent] = bodies().at(-1).tools;
      assert.match(sent.function.description, /^A long one\..*…$/);
    });
  }
});
