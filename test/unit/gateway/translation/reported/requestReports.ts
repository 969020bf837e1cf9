/** Requests of clients that other gateways lost parts of or refused, and answers of careless proxies. */
import assert from 'node:assert/strict';
import {
  call,
  calls,
  chunk,
  counted,
  created,
  DONE,
  endM,
  named,
  type Report,
  response,
  saidM,
  says,
  startM,
  stream,
  USAGE,
  usageR,
  uses,
} from './report.ts';

const YES = stream(chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), counted(USAGE), DONE);
const YES_M = stream(startM({ input_tokens: 30, output_tokens: 1 }), saidM('Yes'), endM({ output_tokens: 12 }));
const COMPLETED_R = {
  type: 'response.completed',
  response: response('completed', {
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'Yes', annotations: [] }],
      },
    ],
    usage: usageR,
  }),
};
const YES_R = stream(created, named(COMPLETED_R));
const PDF = 'JVBERi0xLjQKJcOkw7zDtsOfCg==';
const ASKED = { role: 'user', content: 'Go on.' };
const toolM = (name: string) => ({ name, input_schema: { type: 'object', properties: {} } });
const toolC = (name: string) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties: {} } },
});

export const REQUESTS: readonly Report[] = [
  {
    source: 'BerriAI/litellm#24443',
    pair: 'mc',
    says: 'is asked not to call a tool',
    answer: YES,
    request: { stream: true, max_tokens: 50, messages: [ASKED], tools: [toolM('read')], tool_choice: { type: 'none' } },
    check: says('Yes'),
    sent: (body) => assert.equal(body.tool_choice, 'none'),
  },
  {
    source: 'BerriAI/litellm#25477',
    pair: 'mc',
    says: 'is asked to search the web with a tool that it does not have',
    answer: YES,
    request: {
      stream: true,
      max_tokens: 50,
      messages: [ASKED],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }],
      tool_choice: { type: 'auto' },
    },
    check: says('Yes'),
    sent: (body) => assert.deepEqual([body.tools ?? [], body.tool_choice], [[], undefined]),
  },
  {
    source: 'router-for-me/CLIProxyAPI#5569',
    pair: 'mc',
    says: 'is asked for a tool of the service beside one of the client',
    answer: YES,
    request: {
      stream: true,
      max_tokens: 50,
      messages: [ASKED],
      tools: [{ type: 'web_search_20250305', name: 'web_search' }, toolM('read')],
    },
    check: says('Yes'),
    sent: ({ tools }) =>
      assert.deepEqual(
        tools.map((each: ReturnType<typeof toolC>) => [each.function.name, typeof each.function.parameters]),
        [['read', 'object']],
      ),
  },
  {
    source: 'BerriAI/litellm#22312',
    pair: 'rm',
    says: 'gets an empty text, and arguments that are cut off',
    answer: YES_M,
    request: {
      stream: true,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: '' }] },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
        { type: 'function_call', call_id: 'a', name: 'shell', arguments: '{"command": ["bash", "-lc", "find' },
        { type: 'function_call_output', call_id: 'a', output: '' },
      ],
      tools: [{ type: 'function', name: 'shell', parameters: { type: 'object' } }],
    },
    check: says('Yes'),
    sent: ({ messages }) => {
      const parts = messages.flatMap(({ content }: { content: object[] }) => content);
      assert.ok(parts.every((part: { type: string; text?: string }) => part.type !== 'text' || part.text !== ''));
      const use = parts.find((part: { type: string }) => part.type === 'tool_use');
      assert.equal(typeof use.input, 'object');
    },
  },
  {
    source: 'MoonshotAI/kimi-cli#1764',
    pair: 'cm',
    says: 'gets an earlier call without arguments, as an empty text',
    answer: YES_M,
    request: {
      stream: true,
      messages: [
        ASKED,
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'list', arguments: '' } }] },
        { role: 'tool', tool_call_id: 'a', content: 'Nothing.' },
      ],
      tools: [toolC('list')],
    },
    check: says('Yes'),
    sent: ({ messages }) => assert.deepEqual(messages[1].content[0].input, {}),
  },
  {
    source: 'vercel/ai#6687',
    pair: 'mc',
    says: 'calls a tool with an empty text as arguments',
    answer: stream(chunk(call(0, 'a', 'list', '')), chunk({}, { usage: USAGE }, 'tool_calls'), DONE),
    check: calls(['list', '{}']),
  },
  {
    source: 'NousResearch/hermes-agent#83937',
    pair: 'rc',
    says: 'calls a tool with an empty text as arguments, for a client of responses',
    answer: stream(chunk(call(0, 'a', 'list', '')), chunk({}, { usage: USAGE }, 'tool_calls'), DONE),
    check: calls(['list', '{}']),
  },
  {
    source: 'higress-group/higress#4107',
    pair: 'cm',
    says: 'is asked for much thinking with a limit that it would fill',
    answer: YES_M,
    request: { stream: true, max_tokens: 16_384, reasoning_effort: 'high', messages: [ASKED] },
    check: says('Yes'),
    sent: ({ thinking, max_tokens: limit }) =>
      assert.ok(thinking === undefined || thinking.type === 'adaptive' || thinking.budget_tokens < limit),
  },
  {
    source: 'Alishahryar1/free-claude-code#206',
    pair: 'mc',
    says: 'gets text after a call in one message',
    answer: YES,
    request: {
      stream: true,
      max_tokens: 50,
      messages: [
        ASKED,
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Before.' },
            { type: 'tool_use', id: 'a', name: 'read', input: {} },
            { type: 'text', text: 'After.' },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Nothing.' }] },
      ],
      tools: [toolM('read')],
    },
    check: says('Yes'),
    sent: ({ messages }) => {
      assert.match(JSON.stringify(messages), /Before\.[\s\S]*After\./);
      const at = messages.findIndex(({ role }: { role: string }) => role === 'tool');
      assert.ok(messages[at - 1].tool_calls);
    },
  },
  {
    source: 'mxyhi/token_proxy#307',
    pair: 'rc',
    says: 'gets tools as an item of the conversation',
    answer: YES,
    request: {
      stream: true,
      input: [
        {
          type: 'additional_tools',
          role: 'developer',
          tools: [
            {
              type: 'namespace',
              name: 'functions',
              description: 'Tools.',
              tools: [{ type: 'custom', name: 'exec', description: 'Runs code.' }],
            },
          ],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
      ],
    },
    check: says('Yes'),
    sent: ({ tools, messages }) => {
      assert.match(JSON.stringify(tools), /exec/);
      assert.deepEqual(messages.at(-1).content, 'Go on.');
    },
  },
  {
    source: '10/chatgpt-codex-proxy#9',
    pair: 'rr',
    says: 'gets the same item unchanged',
    answer: YES_R,
    request: {
      stream: true,
      input: [
        {
          type: 'additional_tools',
          role: 'developer',
          id: 'at_1',
          tools: [{ type: 'namespace', name: 'n', tools: [] }],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on.' }] },
      ],
    },
    check: says('Yes'),
    sent: ({ input }) =>
      assert.deepEqual(input[0], {
        ...{ type: 'additional_tools', role: 'developer', id: 'at_1' },
        tools: [{ type: 'namespace', name: 'n', tools: [] }],
      }),
  },
  {
    source: 'openai/codex#7051',
    pair: 'rc',
    says: 'gets a call that nobody has answered',
    answer: YES,
    request: {
      stream: true,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Never mind.' }] },
      ],
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
    },
    check: says('Yes'),
    sent: ({ messages }) => {
      const at = messages.findIndex(({ tool_calls: made }: { tool_calls?: unknown }) => made !== undefined);
      assert.ok(at === -1 || messages[at + 1].role === 'tool', JSON.stringify(messages));
    },
  },
  {
    source: 'BerriAI/litellm#28232',
    pair: 'rc',
    says: 'gets a PDF in the result of a tool',
    answer: YES,
    request: {
      stream: true,
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'a',
          output: [
            { type: 'input_text', text: 'A file.' },
            { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'read', parameters: { type: 'object' } }],
    },
    check: says('Yes'),
    sent: ({ messages }) => assert.ok(JSON.stringify(messages).includes(PDF)),
  },
  {
    source: 'cloud-apim/otoroshi-llm-extension#188',
    pair: 'rm',
    says: 'gets a PDF',
    answer: YES_M,
    request: {
      stream: true,
      input: [
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'Read it.' },
            { type: 'input_file', filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
          ],
        },
      ],
    },
    check: says('Yes'),
    sent: ({ messages }) => assert.match(JSON.stringify(messages), /"type":"document".*application\/pdf.*JVBERi0/),
  },
  {
    source: 'router-for-me/CLIProxyAPI#4765',
    pair: 'mr',
    says: 'gets a PDF as a document',
    answer: YES_R,
    request: {
      stream: true,
      max_tokens: 50,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', title: 'a.pdf', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
            { type: 'text', text: 'Read it.' },
          ],
        },
      ],
    },
    check: says('Yes'),
    sent: ({ input }) => assert.match(JSON.stringify(input), /"type":"input_file".*JVBERi0/),
  },
  {
    source: 'mnfst/llm-gateway#2053',
    pair: 'cc',
    says: 'sends comments before its first event',
    answer: stream(': PROCESSING\n\n', ': PROCESSING\n\n', chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), DONE),
    check: (seen) => {
      says('Yes')(seen);
      assert.doesNotMatch(seen.text, /^data: :/m);
    },
  },
  {
    source: 'Growth-Circle/cadis#2329',
    pair: 'mc',
    says: 'sends data without anything to keep the connection',
    answer: stream(
      'data: \n\n',
      'data:\n\n',
      chunk({ content: 'Yes' }),
      'data: \n\n',
      chunk({}, { usage: USAGE }, 'stop'),
      DONE,
    ),
    check: says('Yes'),
  },
  {
    source: 'lidge-jun/opencodex#1170',
    pair: 'mc',
    says: 'writes no space after the colon, and no end marker',
    answer: stream(
      ...[chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), counted(USAGE)].map((each) =>
        each.replace('data: ', 'data:'),
      ),
    ),
    check: (seen) => {
      says('Yes')(seen);
      uses(30, 12)(seen);
    },
  },
  {
    source: 'SamSaffron/term-llm#456',
    pair: 'mr',
    says: 'divides an event into several lines of data',
    answer: stream(
      created,
      `event: response.completed\n${JSON.stringify(COMPLETED_R, null, 1)
        .split('\n')
        .map((line) => `data: ${line}`)
        .join('\n')}\n\n`,
    ),
    check: (seen) => {
      says('Yes')(seen);
      uses(30, 12)(seen);
    },
  },
  {
    source: 'farion1231/cc-switch#1787',
    pair: 'mc',
    says: 'ends lines with a carriage return and a line feed',
    answer: stream(
      [chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), counted(USAGE), DONE].join('').replaceAll('\n', '\r\n'),
    ),
    check: (seen) => {
      says('Yes')(seen);
      uses(30, 12)(seen);
    },
  },
  {
    source: 'Alishahryar1/free-claude-code#121',
    pair: 'mc',
    says: 'has no usage at all, in an answer that is no stream',
    whole: true,
    answer: {
      status: 200,
      body: { id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }] },
    },
    check: (seen) => {
      says('Yes')(seen);
      assert.match(seen.text, /"input_tokens":\d+.*"output_tokens":\d+/);
    },
  },
  {
    source: 'ogx-ai/ogx#6415',
    pair: 'mc',
    says: 'has read three quarters of its input from its cache',
    answer: stream(
      chunk({ content: 'Yes' }),
      chunk({}, {}, 'stop'),
      counted({ prompt_tokens: 100, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 75 } }),
      DONE,
    ),
    check: (seen) => {
      assert.match(seen.text, /"input_tokens":25,.*"cache_read_input_tokens":75/);
      uses(100, 5)(seen);
    },
  },
  {
    source: 'danny-avila/LibreChat#13795',
    pair: 'cm',
    says: 'counts its cache beside its input',
    answer: stream(
      startM({ input_tokens: 10, cache_read_input_tokens: 70, cache_creation_input_tokens: 20, output_tokens: 1 }),
      saidM('Yes'),
      endM({ output_tokens: 5 }),
    ),
    request: { stream: true, messages: [ASKED], stream_options: { include_usage: true } },
    check: (seen) => {
      assert.match(seen.text, /"prompt_tokens":100,/);
      uses(100, 5)(seen);
    },
  },
  {
    source: 'router-for-me/CLIProxyAPI#2273',
    pair: 'cc',
    says: 'reports zeros as its usage',
    answer: stream(
      chunk({ content: 'Yes' }),
      chunk({}, {}, 'stop'),
      counted({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }),
      DONE,
    ),
    check: (seen) => {
      assert.equal(seen.record.end, 'completed');
      assert.ok((seen.record.usage?.inputTokens ?? 0) > 0);
      assert.equal(seen.record.usageIsEstimated, true);
    },
  },
];
