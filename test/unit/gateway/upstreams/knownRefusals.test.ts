import assert from 'node:assert/strict';
import { closeAll } from '../support/gateway.ts';
import { error, type Json, type Refuse, startPickyServer } from './pickyServer.ts';

const HI = { max_tokens: 32_000, messages: [{ role: 'user', content: 'Hi' }] };
const SCHEMA = { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] };

/** A request that a server refuses in its own words, and what it accepts instead. */
interface Case {
  readonly title: string;
  readonly body: object;
  readonly refuse: Refuse;
  readonly check: (accepted: Json) => void;
  readonly dropped: readonly string[];
}

function efforts(...allowed: readonly string[]) {
  return ({ reasoning_effort: effort }: Json): boolean => effort !== undefined && !allowed.includes(effort);
}
const EFFORT = { ...HI, output_config: { effort: 'xhigh' } };
const isHigh = ({ reasoning_effort: effort }: Json) => assert.equal(effort, 'high');
const literal = {
  type: 'literal_error',
  loc: ['body', 'reasoning_effort'],
  msg: "Input should be 'low', 'medium' or 'high'",
  input: 'xhigh',
};

const EFFORTS: readonly Case[] = [
  {
    title: 'a list in an error of pydantic (422)',
    body: EFFORT,
    refuse: (body) =>
      efforts('low', 'medium', 'high')(body) ? { status: 422, body: { detail: [literal] } } : undefined,
    check: isHigh,
    dropped: ['reasoning_effort'],
  },
  {
    title: 'a list of supported values',
    body: EFFORT,
    refuse: (body) =>
      efforts('low', 'medium', 'high')(body)
        ? error(
            "Unsupported value: 'xhigh' is not supported with this model. Supported values are: 'low', 'medium', and 'high'.",
            {
              param: 'reasoning_effort',
            },
          )
        : undefined,
    check: isHigh,
    dropped: ['reasoning_effort'],
  },
  {
    title: 'a list of a parser that does not name the member',
    body: EFFORT,
    refuse: (body) =>
      efforts('low', 'high')(body)
        ? error(
            'Failed to deserialize the JSON body: unknown variant `xhigh`, expected one of `low`, `high` at line 1 column 90',
          )
        : undefined,
    check: isHigh,
    dropped: ['reasoning_effort'],
  },
  {
    title: 'no list',
    body: { ...HI, output_config: { effort: 'high' } },
    refuse: (body) => (body.reasoning_effort === 'high' ? error('Unexpected reasoning effort high') : undefined),
    check: ({ reasoning_effort: effort }) => assert.equal(effort, undefined),
    dropped: ['reasoning_effort'],
  },
];

function above(max: number, words: string): Refuse {
  return ({ max_tokens: limit }) => (limit > max ? error(words) : undefined);
}
const hasLimit = (limit: number) => (body: Json) => assert.equal(body.max_tokens, limit);

const LIMITS: readonly Case[] = [
  ['max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m', 8192],
  ['max_tokens is too large: 32000. This model supports at most 16,384 completion tokens.', 16_384],
  ['Range of max_tokens should be [1, 8192]', 8192],
  ['Invalid max_tokens value, the valid range of max_tokens is [1, 4096]', 4096],
  ['max_tokens 参数超过最大值 8192', 8192],
].map(([words, limit]) => ({
  title: String(words),
  body: HI,
  refuse: above(Number(limit), String(words)),
  check: hasLimit(Number(limit)),
  dropped: ['max_tokens'],
}));

const WINDOWS: readonly string[] = [
  "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 16384 tokens and your request has 9000 input tokens (32000 > 16384 - 9000).",
  "This model's maximum context length is 16384 tokens. However, you requested 41000 tokens (9000 in the messages, 32000 in the completion). Please reduce the length of the messages or completion.",
  "Requested token count exceeds the model's maximum context length of 16384 tokens. You requested a total of 41000 tokens: 9000 tokens from the input messages and 32000 tokens for the completion.",
  "You passed 9000 input tokens and requested 32000 output tokens. However, the model's context length is only 16384 tokens. (parameter=input_tokens, value=9000)",
];

const REFERRED = {
  type: 'object',
  properties: {
    place: { $ref: '#/$defs/place', description: 'Where' },
    size: { type: 'string', anyOf: [{ enum: ['s', 'm'] }, { type: 'null' }] },
    note: { description: 'Anything' },
  },
  required: ['place'],
  $defs: { place: { type: 'object', properties: { name: { type: ['string', 'null'] } }, additionalProperties: false } },
};

/** The dialect of a vendor whose server checks each schema of a tool. */
function isPlain(schema: Json): boolean {
  if (typeof schema !== 'object' || schema === null) return true;
  if (schema.$ref !== undefined || (schema.anyOf !== undefined && schema.type !== undefined)) return false;
  const properties = Object.values<Json>(schema.properties ?? {});
  if (properties.some(({ type, anyOf }) => type === undefined && anyOf === undefined)) return false;
  return [...properties, ...(schema.anyOf ?? []), schema.items].every(isPlain);
}

const OTHERS: readonly Case[] = [
  ...[
    'This response_format type is unavailable now',
    'Failed to deserialize the JSON body into the target type: response_format: unknown variant `json_schema`, expected `text` or `json_object`',
  ].map((words): Case => {
    return {
      title: words,
      body: { ...HI, system: 'Be brief.', output_config: { format: { type: 'json_schema', schema: SCHEMA } } },
      refuse: (body) => (body.response_format?.type === 'json_schema' ? error(words) : undefined),
      check: (body) => {
        assert.deepEqual(body.response_format, { type: 'json_object' });
        assert.match(body.messages[0].content, /^Be brief\..*"size"/s);
      },
      dropped: ['response_format'],
    };
  }),
  ...[400, 500].map((status): Case => {
    return {
      title: `System message must be at the beginning. (${status})`,
      body: { ...HI, system: 'Be brief.', messages: [...HI.messages, { role: 'system', content: 'It is late.' }] },
      refuse: ({ messages }) =>
        messages.slice(1).some(({ role }: Json) => role === 'system')
          ? {
              status,
              body: {
                error: { code: status, message: 'System message must be at the beginning.', type: 'server_error' },
              },
            }
          : undefined,
      check: ({ messages }) => {
        assert.deepEqual(
          messages.map(({ role }: Json) => role),
          ['system', 'user'],
        );
        assert.match(JSON.stringify(messages[1]), /Hi.*It is late\./);
      },
      dropped: ['role:system'],
    };
  }),
  {
    title: 'a schema that is not of its dialect',
    body: { ...HI, tools: [{ name: 'put', input_schema: REFERRED }] },
    refuse: ({ tools }) =>
      isPlain(tools[0].function.parameters)
        ? undefined
        : error(
            "Invalid request: tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.note': type is not defined>",
          ),
    check: ({ tools }) => {
      const { properties, required } = tools[0].function.parameters;
      assert.equal(properties.place.properties.name.type, 'string');
      assert.deepEqual([properties.size.enum, required], [['s', 'm'], ['place']]);
    },
    dropped: ['tools.schema'],
  },
];

describe('a refusal of what translation has written', () => {
  afterEach(closeAll);

  for (const { title, body, refuse, check, dropped } of [...EFFORTS, ...LIMITS, ...OTHERS]) {
    it(`leads to another form of the request, which is named and remembered: ${title}`, async () => {
      const { ask, bodies } = await startPickyServer(refuse);
      for (const count of [2, 3]) {
        const answer = await ask('messages', body);
        assert.equal(answer.status, 200, answer.text);
        assert.equal(bodies().length, count);
        check(bodies().at(-1));
        assert.deepEqual(answer.dropped, dropped);
      }
    });
  }

  for (const words of WINDOWS) {
    it(`leads to as much output as is left of the window: ${words}`, async () => {
      const { ask, bodies } = await startPickyServer(({ max_tokens: limit }) =>
        limit > 16_384 - 9000 ? error(words) : undefined,
      );
      for (const count of [2, 3]) {
        assert.equal((await ask('messages', HI)).status, 200);
        assert.equal(bodies().length, count);
      }
      assert.ok(bodies().at(-1).max_tokens > 7000);
    });
  }

  for (const words of [
    'La valeur 32000 dépasse le plafond de 8192.',
    '32000은(는) 8192보다 클 수 없습니다',
    'max_tokens 的取值范围为 [1, 8192]',
    'max_tokens は 8192 以下でなければなりません',
    'Параметр max_tokens не может превышать 8192',
  ]) {
    it(`leads to the lower number beside the limit, in any language: ${words}`, async () => {
      const { ask, bodies } = await startPickyServer(above(8192, words));
      for (const count of [2, 3]) {
        assert.equal((await ask('messages', HI)).status, 200);
        assert.deepEqual([bodies().length, bodies().at(-1).max_tokens], [count, 8192]);
      }
    });
  }

  it('leads to the limit that the upstream lists for the model if the refusal names none', async () => {
    const catalog = { data: [{ id: 'm', max_output_tokens: 16_384 }] };
    const refuse = above(16_384, 'max_tokens is too large for m.');
    const { ask, bodies } = await startPickyServer(refuse, undefined, undefined, { catalog });
    for (const count of [3, 4]) {
      assert.equal((await ask('messages', HI)).status, 200);
      assert.deepEqual([bodies().length, bodies().at(-1).max_tokens], [count, 16_384]);
    }
  });

  it('leaves an effort alone that the server knows', async () => {
    const { ask, bodies } = await startPickyServer(EFFORTS[0]?.refuse ?? (() => undefined));
    await ask('messages', EFFORT);
    const { dropped } = await ask('messages', { ...HI, output_config: { effort: 'low' } });
    assert.deepEqual([bodies().at(-1).reasoning_effort, dropped], ['low', []]);
  });

  it('lowers the limit that the gateway has chosen itself', async () => {
    const words = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for m';
    const { ask, bodies } = await startPickyServer(above(8192, words), 'messages');
    for (const [caller, body] of [
      ['chat-completions', { messages: HI.messages }],
      ['responses', { input: 'Hi' }],
    ] as const) {
      assert.equal((await ask(caller, body)).status, 200);
      assert.equal(bodies().at(-1).max_tokens, 8192);
    }
    assert.equal(bodies().length, 3);
  });

  it('makes functions of free-form tools, whose calls are free-form again for the client', async () => {
    const isFreeForm = ({ tools, input }: Json) =>
      tools.some(({ type }: Json) => type === 'custom') || /custom_tool_call/.test(JSON.stringify(input));
    const { ask, bodies } = await startPickyServer(
      (body) => (isFreeForm(body) ? error("'type' of tool must be 'function'") : undefined),
      'responses',
      undefined,
      { partsFor: () => [{ call: 'c2', name: 'patch', arguments: '{"input":"+ b"}' }] },
    );
    const call = { id: 'c1', type: 'custom', custom: { name: 'patch', input: '+ a' } };
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'Done.' },
    ];
    const answer = await ask('chat-completions', { messages, tools: [{ type: 'custom', custom: { name: 'patch' } }] });
    assert.equal(answer.status, 200, answer.text);
    const sent: Json[] = bodies().at(-1).input;
    assert.deepEqual(sent[1]?.arguments, '{"input":"+ a"}');
    assert.deepEqual(JSON.parse(answer.text).choices[0].message.tool_calls[0].custom, { name: 'patch', input: '+ b' });
  });
});
