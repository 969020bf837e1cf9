import assert from 'node:assert/strict';
import {
  call,
  chunk,
  counted,
  created,
  DONE,
  endM,
  fails,
  named,
  type Report,
  response,
  saidM,
  saidR,
  says,
  startM,
  stream,
  USAGE,
  usageR,
  uses,
} from './report.ts';

const question = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
const answered = stream(chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), counted(USAGE), DONE);
const eventsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name);
// biome-ignore lint/suspicious/noExplicitAny: events of all kinds
const dataOf = (text: string, type: string): any =>
  JSON.parse(new RegExp(`^event: ${type.replaceAll('.', '\\.')}\\ndata: (.*)$`, 'm').exec(text)?.[1] ?? 'null');

/** Reports about agents: what Codex and Claude Code send and need. */
export const AGENTS: readonly Report[] = [
  {
    source: 'farion1231/cc-switch#3893',
    pair: 'rc',
    says: 'has a call, whose name must be in its last event',
    answer: stream(chunk(call(0, 'a', 'exec', '{"c":1}')), chunk({}, { usage: USAGE }, 'tool_calls'), DONE),
    check: ({ text }) =>
      assert.deepEqual(
        [dataOf(text, 'response.output_item.done').item.name, dataOf(text, 'response.output_item.done').item.arguments],
        ['exec', '{"c":1}'],
      ),
  },
  {
    source: 'farion1231/cc-switch#2750',
    pair: 'rc',
    says: 'ends, which a response must do with its own event',
    answer: answered,
    check: ({ text }) => assert.equal(eventsIn(text).at(-1), 'response.completed'),
  },
  {
    source: 'ogx-ai/ogx#5309',
    pair: 'rc',
    says: 'is a text, whose events must be complete',
    answer: answered,
    check: ({ text }) =>
      assert.deepEqual(
        eventsIn(text).filter((name) => /item|part|text/.test(name) && !/delta/.test(name)),
        [
          'response.output_item.added',
          'response.content_part.added',
          'response.output_text.done',
          'response.content_part.done',
          'response.output_item.done',
        ],
      ),
  },
  {
    source: 'Oaklight/llm-rosetta#56',
    pair: 'rc',
    says: 'has all members that Codex reads',
    answer: answered,
    check: ({ text }) => {
      const { response: whole } = dataOf(text, 'response.completed');
      const delta = dataOf(text, 'response.output_text.delta');
      assert.ok(whole.id && whole.object === 'response' && whole.model && whole.output.length === 1);
      assert.deepEqual([delta.output_index, delta.content_index], [0, 0]);
    },
  },
  {
    source: 'BerriAI/litellm#22102',
    pair: 'mr',
    says: 'begins with a piece of text',
    answer: stream(
      named({ type: 'response.output_text.delta', ...{ delta: 'Yes' } }),
      named({
        type: 'response.completed',
        ...{
          response: response('completed', {
            usage: usageR,
            output: [
              {
                type: 'message',
                id: 'm',
                role: 'assistant',
                content: [{ type: 'output_text', text: 'Yes', annotations: [] }],
              },
            ],
          }),
        },
      }),
      DONE,
    ),
    check: says('Yes'),
  },
  {
    source: 'vllm-project/vllm#48274',
    pair: 'mr',
    says: 'has an item in its last event only',
    answer: stream(
      created,
      named({
        type: 'response.completed',
        ...{
          response: response('completed', {
            usage: usageR,
            output: [
              {
                type: 'message',
                id: 'm',
                role: 'assistant',
                content: [{ type: 'output_text', text: 'Yes', annotations: [] }],
              },
            ],
          }),
        },
      }),
    ),
    check: says('Yes'),
  },
  {
    source: 'NousResearch/hermes-agent#5689',
    pair: 'mr',
    says: 'lists no output in its last event',
    answer: stream(
      created,
      saidR('Yes'),
      named({ type: 'response.completed', ...{ response: response('completed', { usage: usageR }) } }),
    ),
    check: says('Yes'),
  },
  {
    source: 'farion1231/cc-switch#4028',
    pair: 'rm',
    says: 'follows a choice of tools as a word',
    answer: stream(startM({ input_tokens: 30, output_tokens: 1 }), saidM('Yes'), endM({ output_tokens: 12 })),
    request: {
      input: [question],
      stream: true,
      tool_choice: 'auto',
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
    },
    sent: (body) => assert.deepEqual(body.tool_choice, { type: 'auto' }),
    check: says('Yes'),
  },
  {
    source: 'farion1231/cc-switch#4741',
    pair: 'rc',
    says: 'follows a result without its call',
    answer: answered,
    request: { input: [question, { type: 'function_call_output', call_id: 'lost', output: 'done' }], stream: true },
    sent: ({ messages }) =>
      assert.ok(
        messages.every(({ role }: { role: string }) => role !== 'tool') && JSON.stringify(messages).includes('done'),
      ),
    check: says('Yes'),
  },
  {
    source: 'farion1231/cc-switch#2806',
    pair: 'rc',
    says: 'follows a list of items',
    answer: answered,
    request: { input: [question], stream: true, instructions: 'Be short.' },
    sent: ({ messages }) =>
      assert.deepEqual(
        messages.map(({ role }: { role: string }) => role),
        ['system', 'user'],
      ),
    check: says('Yes'),
  },
  {
    source: 'farion1231/cc-switch#5653',
    pair: 'rc',
    says: 'follows a conversation of a call and its result',
    answer: answered,
    request: {
      input: [
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{}' },
        { type: 'function_call_output', call_id: 'a', output: 'done' },
      ],
      stream: true,
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
    },
    sent: ({ messages }) => assert.ok(messages.some(({ role }: { role: string }) => role === 'user')),
    check: says('Yes'),
  },
  {
    source: 'chenyme/grok2api#650',
    pair: 'rc',
    says: 'follows a tool whose schema is a choice',
    answer: answered,
    request: {
      input: [question],
      stream: true,
      tools: [
        {
          type: 'function',
          name: 'f',
          parameters: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
        },
      ],
    },
    sent: ({ tools }) =>
      assert.deepEqual([tools[0].function.parameters.type, tools[0].function.parameters.anyOf], ['object', undefined]),
    check: says('Yes'),
  },
  {
    source: 'esengine/DeepSeek-Reasonix#3957',
    pair: 'rc',
    says: 'follows a call whose arguments were cut off',
    answer: answered,
    request: {
      input: [
        question,
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"time": 2' },
        { type: 'function_call_output', call_id: 'a', output: 'done' },
      ],
      stream: true,
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object', properties: {} } }],
    },
    sent: ({ messages }) => {
      const { tool_calls: calls } = messages.find((message: { tool_calls?: unknown }) => message.tool_calls);
      JSON.parse(calls[0].function.arguments);
    },
    check: says('Yes'),
  },
  {
    source: 'damianvtran/local-operator#223',
    pair: 'mc',
    says: 'fails within a call, beside a finish reason',
    answer: stream(
      chunk(call(0, 'a', 'bash', '{"c')),
      chunk(
        { content: '' },
        { error: { code: 502, message: 'THE REASON', metadata: { error_type: 'provider_unavailable' } } },
        'error',
      ),
    ),
    check: fails(/THE REASON/),
  },
  {
    source: 'diegosouzapw/OmniRoute#8210',
    pair: 'rc',
    says: 'fails at once, without choices',
    answer: stream(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [], error: { code: 502, message: 'THE REASON' } })}\n\n`,
    ),
    check: fails(/THE REASON/),
  },
  {
    source: 'cline/cline#4398',
    pair: 'mc',
    says: 'fails by its finish reason alone',
    answer: stream(chunk({ content: 'Half' }), chunk({}, {}, 'error'), DONE),
    check: fails(/error/),
  },
  {
    source: 'brightwave-inc/tidebreak#1122',
    pair: 'cm',
    says: 'fails after a part of the text',
    answer: stream(
      startM({ input_tokens: 30, output_tokens: 1 }),
      saidM('Half'),
      named({ type: 'error', ...{ error: { type: 'overloaded_error', message: 'THE REASON' } } }),
    ),
    check: fails(/THE REASON/),
  },
  {
    source: 'open-octo/octo-agent#910',
    pair: 'mc',
    says: 'fails after a part of the text and closes',
    answer: stream(
      chunk({ content: 'Half' }),
      `data: ${JSON.stringify({ error: { message: 'THE REASON', type: 'server_error' } })}\n\n`,
    ),
    check: fails(/THE REASON/),
  },
  {
    source: 'BerriAI/litellm#39748',
    pair: 'cm',
    says: 'is cut off, which a client of chat completions must see',
    answer: stream(startM({ input_tokens: 30, output_tokens: 1 }), saidM('Half')),
    check: (seen) => {
      fails(/Connection error/)(seen);
      assert.match(seen.text, /data: \{"error":/);
    },
  },
  {
    source: 'anomalyco/opencode#46061',
    pair: 'mc',
    says: 'has its reasoning under another name',
    answer: stream(
      chunk({ content: '', reasoning: 'Hm.' }),
      chunk({ content: 'Yes' }),
      chunk({}, { usage: USAGE }, 'stop'),
      DONE,
    ),
    check: (seen) => {
      says('Yes')(seen);
      assert.ok(seen.answer?.parts.some((part) => part.type === 'reasoning' && part.text === 'Hm.'));
    },
  },
  {
    source: 'maximhq/bifrost#3441',
    pair: 'mc',
    says: 'has a text and two calls at the same time, which blocks must not be',
    answer: stream(
      chunk({ content: 'Look.' }),
      chunk(call(0, 'a', 'f', '{"x"')),
      chunk(call(1, 'b', 'g', '{"y"')),
      chunk(call(0, undefined, undefined, ':1}')),
      chunk(call(1, undefined, undefined, ':2}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: ({ text }) => {
      assert.deepEqual(
        eventsIn(text)
          .filter((name) => /block_(?:start|stop)/.test(name))
          .map((name) => name.slice(14)),
        ['start', 'stop', 'start', 'stop', 'start', 'stop'],
      );
      assert.match(text, /"stop_reason":"tool_use"/);
    },
  },
  {
    source: 'maximhq/bifrost#4556',
    pair: 'mr',
    says: 'begins once',
    answer: stream(
      created,
      saidR('Yes'),
      named({ type: 'response.completed', ...{ response: response('completed', { usage: usageR }) } }),
    ),
    check: ({ text }) => assert.equal(text.match(/^event: message_start$/gm)?.length, 1),
  },
  {
    source: 'vm0-ai/vm0#8903',
    pair: 'cc',
    says: 'is compressed, and its usage counts all the same',
    answer: { stream: chunk({ content: 'Yes' }) + chunk({}, {}, 'stop') + counted(USAGE) + DONE, gzip: true },
    check: ({ record }) => uses(30, 12)({ record } as never),
  },
];
