import assert from 'node:assert/strict';
import {
  call,
  calls,
  callsOf,
  chunk,
  created,
  DONE,
  named,
  type Report,
  response,
  stream,
  USAGE,
  usageR,
} from './report.ts';

export const CALLS: readonly Report[] = [
  {
    source: 'EdamAme-x/pentect#1022',
    pair: 'mc',
    says: 'ends a call with its end marker alone',
    answer: stream(chunk(call(0, 'a', 'run', '{"cmd": "ls"}')), DONE),
    check: calls(['run', '{"cmd": "ls"}']),
  },
  {
    source: 'Gitlawb/openclaude#1259',
    pair: 'mr',
    says: 'has the arguments of a call only in its last event',
    answer: stream(
      created,
      named({
        type: 'response.output_item.added',
        ...{
          output_index: 0,
          item: { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'Glob', arguments: '', status: 'in_progress' },
        },
      }),
      named({
        type: 'response.function_call_arguments.done',
        ...{ output_index: 0, item_id: 'fc_1', arguments: '{"pattern":"*"}' },
      }),
      named({
        type: 'response.output_item.done',
        ...{
          output_index: 0,
          item: {
            type: 'function_call',
            id: 'fc_1',
            call_id: 'a',
            name: 'Glob',
            arguments: '{"pattern":"*"}',
            status: 'completed',
          },
        },
      }),
      named({ type: 'response.completed', ...{ response: response('completed', { usage: usageR }) } }),
    ),
    check: calls(['Glob', '{"pattern":"*"}']),
  },
  {
    source: 'QuantumNous/new-api#2499',
    pair: 'mc',
    says: 'has empty texts and no name in the pieces of a call',
    answer: stream(
      chunk({ role: 'assistant', content: '' }),
      chunk({
        content: '',
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'Write', arguments: '' } }],
      }),
      chunk({
        content: '',
        tool_calls: [{ index: 0, id: null, type: 'function', function: { name: null, arguments: '{"a":' } }],
      }),
      chunk({ content: '', tool_calls: [{ index: 0, id: null, function: { name: null, arguments: '1}' } }] }),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['Write', '{"a":1}']),
  },
  {
    source: 'decolua/9router#3416',
    pair: 'mc',
    says: 'divides long arguments within escapes',
    answer: stream(
      chunk(call(0, 'a', 'Bash', '')),
      ...(JSON.stringify({ command: `echo "\\"x\\"" | grep -E 'a|b' && ${'ls; '.repeat(150)}` })
        .match(/[\s\S]{1,5}/g)
        ?.map((piece) => chunk(call(0, undefined, undefined, piece))) ?? []),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: (seen) => assert.equal(JSON.parse(callsOf(seen)[0]?.[1] ?? '').command.length > 600, true),
  },
  {
    source: 'InternLM/lmdeploy#3412',
    pair: 'mc',
    says: 'numbers all calls 0, with empty IDs in their pieces',
    answer: stream(
      chunk(call(0, 'a', 'f', '')),
      chunk(call(0, '', undefined, '{"x":1}')),
      chunk(call(0, 'b', 'g', '')),
      chunk(call(0, '', undefined, '{"y":2}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    source: 'sgl-project/sglang#7117',
    pair: 'mc',
    says: 'numbers all calls 0, with the ID in each piece',
    answer: stream(
      chunk(call(0, '0', 'f', '')),
      chunk(call(0, '0', undefined, '{"x":1}')),
      chunk(call(0, '1', 'g', '')),
      chunk(call(0, '1', undefined, '{"y":2}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    source: 'ai-dynamo/dynamo#4723',
    pair: 'rc',
    says: 'sends whole calls, all with index 0',
    answer: stream(
      chunk(call(0, 'a', 'f', '{"x":1}')),
      chunk({ content: '\n' }),
      chunk(call(0, 'b', 'g', '{"y":2}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    source: 'huggingface/smolagents#1958',
    pair: 'mc',
    says: 'sends whole calls of one tool with one index and no IDs',
    answer: stream(
      chunk(call(0, undefined, 'search', '{"q":"a"}')),
      chunk(call(0, undefined, 'search', '{"q":"b"}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['search', '{"q":"a"}'], ['search', '{"q":"b"}']),
  },
  {
    source: 'SamSaffron/term-llm#314',
    pair: 'mc',
    says: 'leaves the index out',
    answer: stream(
      chunk({
        tool_calls: [
          { id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', function: { name: 'g', arguments: '{"y":2}' } },
        ],
      }),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    source: 'jin-bo/agentao#117',
    pair: 'rc',
    says: 'leaves the index out, and the ID in further pieces',
    answer: stream(
      chunk(call(undefined, 'a', 'f', '{"x"')),
      chunk(call(undefined, undefined, undefined, ':1}')),
      chunk(call(undefined, 'b', 'g', '{"y"')),
      chunk(call(undefined, undefined, undefined, ':2}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    source: 'agno-agi/agno#8880',
    pair: 'mc',
    says: 'has the rest of a call at another index',
    answer: stream(
      chunk(call(0, 'a', 'f', '{"x":1}')),
      chunk(call(0, 'b', 'g', '{"y"')),
      chunk(call(1, undefined, undefined, ':2}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}'], ['g', '{"y":2}']),
  },
  {
    source: 'sgl-project/sglang#4700',
    pair: 'mc',
    says: 'has empty names in further pieces',
    answer: stream(
      chunk(call(0, 'a', 'f', '')),
      chunk(call(0, '0', '', '{"x":1}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['f', '{"x":1}']),
  },
  {
    source: 'dyedd/lens#49',
    pair: 'mc',
    says: 'continues a whole call with the arguments of the next one',
    answer: stream(
      chunk(call(0, 'a', 'glob', '')),
      chunk(call(0, undefined, '', '{"pattern":"**/*"}')),
      chunk(call(0, undefined, '', '{"path":"wiki"}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['glob', '{"pattern":"**/*"}'], ['glob', '{"path":"wiki"}']),
  },
  {
    source: 'NousResearch/hermes-agent#62940',
    pair: 'rc',
    says: 'sends the arguments of several calls in one piece',
    answer: stream(
      chunk(call(0, 'a', 'add', '{"d":"1"}{"d":"2"}{"d":"3"}')),
      chunk({}, { usage: USAGE }, 'tool_calls'),
      DONE,
    ),
    check: calls(['add', '{"d":"1"}'], ['add', '{"d":"2"}'], ['add', '{"d":"3"}']),
  },
];
