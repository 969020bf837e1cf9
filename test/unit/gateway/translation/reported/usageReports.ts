import assert from 'node:assert/strict';
import {
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

export const USAGES: readonly Report[] = [
  {
    source: 'agentjido/req_llm#462',
    pair: 'mc',
    says: 'ends without the blank line of its last event',
    answer: stream(chunk({ content: 'Yes' }), chunk({}, { usage: USAGE }, 'stop').trimEnd()),
    check: (seen) => {
      says('Yes')(seen);
      uses(30, 12)(seen);
    },
  },
  {
    source: 'QuantumNous/new-api#7241',
    pair: 'rr',
    says: 'is incomplete, with its usage',
    answer: stream(
      created,
      saidR('Half'),
      named({
        type: 'response.incomplete',
        ...{
          sequence_number: 9,
          response: response('incomplete', { incomplete_details: { reason: 'max_output_tokens' }, usage: usageR }),
        },
      }),
    ),
    check: uses(30, 12),
  },
  {
    source: 'envoyproxy/ai-gateway#2184',
    pair: 'rr',
    says: 'has failed, with its usage',
    answer: stream(
      created,
      saidR('Half'),
      named({
        type: 'response.failed',
        ...{
          sequence_number: 9,
          response: response('failed', { error: { code: 'server_error', message: 'THE REASON' }, usage: usageR }),
        },
      }),
    ),
    check: (seen) => {
      uses(30, 12)(seen);
      fails(/THE REASON/)(seen);
    },
  },
  {
    source: 'QuantumNous/new-api#1296',
    pair: 'mc',
    says: "has the reason of another format's end",
    answer: {
      status: 200,
      body: {
        id: 'msg_1',
        choices: [{ finish_reason: 'end_turn', index: 0, message: { role: 'assistant', content: 'Yes' } }],
        usage: USAGE,
      },
    },
    whole: true,
    check: (seen) => {
      says('Yes')(seen);
      uses(30, 12)(seen);
    },
  },
  {
    source: 'diegosouzapw/OmniRoute#6906',
    pair: 'rc',
    says: 'has usage, which the last event of a response must have',
    answer: stream(chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), counted(USAGE), DONE),
    check: (seen) => assert.match(seen.text, /response\.completed[\s\S]*"input_tokens":30[\s\S]*"output_tokens":12/),
  },
  {
    source: 'router-for-me/CLIProxyAPI#2179',
    pair: 'rr',
    says: 'ends without usage, which is not zero',
    answer: stream(
      created,
      saidR('Several words of an answer'),
      named({ type: 'response.completed', ...{ sequence_number: 9, response: response('completed') } }),
    ),
    check: ({ record: { usage, usageIsEstimated } }) =>
      assert.ok(usageIsEstimated === true && (usage?.outputTokens ?? 0) > 2 && (usage?.inputTokens ?? 0) > 0),
  },
  {
    source: 'MiXaiLL76/auto_ai_router#142',
    pair: 'mm',
    says: 'reports no input, but output',
    answer: stream(startM({ input_tokens: 0, output_tokens: 0 }), saidM('Yes'), endM({ output_tokens: 12 })),
    check: ({ record: { usage, usageIsEstimated } }) =>
      assert.ok(usageIsEstimated === true && (usage?.inputTokens ?? 0) > 0 && (usage?.outputTokens ?? 0) >= 1),
  },
  {
    source: 'BerriAI/litellm#33772',
    pair: 'rr',
    says: 'reports cache writes in the details',
    answer: stream(
      created,
      saidR('Yes'),
      named({
        type: 'response.completed',
        ...{
          sequence_number: 9,
          response: response('completed', {
            usage: { ...usageR, input_tokens_details: { cached_tokens: 4, cache_write_tokens: 20 } },
          }),
        },
      }),
    ),
    check: ({ record: { usage } }) => assert.deepEqual([usage?.cachedInputTokens, usage?.cacheWriteTokens], [4, 20]),
  },
  {
    source: 'BerriAI/litellm#11789',
    pair: 'cc',
    says: 'reports cache reads beside empty details',
    answer: stream(
      chunk({ content: 'Yes' }),
      chunk({}, {}, 'stop'),
      counted({
        prompt_tokens: 2459,
        completion_tokens: 23,
        total_tokens: 2482,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: null },
        cache_read_input_tokens: 2455,
        cache_creation_input_tokens: 0,
      }),
      DONE,
    ),
    check: ({ record: { usage } }) => assert.deepEqual([usage?.inputTokens, usage?.cachedInputTokens], [2459, 2455]),
  },
  {
    source: 'BerriAI/litellm#9812',
    pair: 'mm',
    says: 'counts cache writes apart from the input',
    answer: stream(
      startM({ input_tokens: 3, cache_creation_input_tokens: 12304, cache_read_input_tokens: 0, output_tokens: 1 }),
      saidM('Yes'),
      endM({ output_tokens: 550 }),
    ),
    check: (seen) => {
      uses(12307, 550)(seen);
      assert.equal(seen.record.usage?.cacheWriteTokens, 12304);
    },
  },
  {
    source: 'BerriAI/litellm#14849',
    pair: 'mc',
    says: 'includes cache reads in the input',
    answer: stream(
      chunk({ content: 'Yes' }),
      chunk({}, {}, 'stop'),
      counted({
        prompt_tokens: 1000,
        completion_tokens: 5,
        total_tokens: 1005,
        prompt_tokens_details: { text_tokens: 1000, cached_tokens: 900 },
      }),
      DONE,
    ),
    check: ({ record: { usage } }) => assert.deepEqual([usage?.inputTokens, usage?.cachedInputTokens], [1000, 900]),
  },
  {
    source: 'BerriAI/litellm#11364',
    pair: 'cc',
    says: 'has reads and writes in the details and beside them',
    answer: stream(
      chunk({ content: 'Yes' }),
      chunk({}, {}, 'stop'),
      counted({
        prompt_tokens: 98805,
        completion_tokens: 5120,
        total_tokens: 103925,
        prompt_tokens_details: { cached_tokens: 66360, cache_creation_tokens: 32435 },
        cache_read_input_tokens: 66360,
        cache_creation_input_tokens: 32435,
        completion_tokens_details: { reasoning_tokens: 1710 },
      }),
      DONE,
    ),
    check: ({ record: { usage } }) =>
      assert.deepEqual([usage?.inputTokens, usage?.cachedInputTokens, usage?.cacheWriteTokens], [98805, 66360, 32435]),
  },
  {
    source: 'router-for-me/CLIProxyAPI#1700',
    pair: 'mc',
    says: 'reports its input at the end, and Claude Code reads it at the start',
    answer: stream(chunk({ content: 'Yes' }), chunk({}, {}, 'stop'), counted(USAGE), DONE),
    check: ({ text }) => assert.match(text, /message_start[^\n]*\n[^\n]*"input_tokens":[1-9]/),
  },
  {
    source: 'Alishahryar1/free-claude-code#209',
    pair: 'mc',
    says: 'reports no usage',
    answer: {
      status: 200,
      body: { id: 'c', choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }] },
    },
    whole: true,
    check: ({ text }) => assert.ok(JSON.parse(text).usage.input_tokens > 0 && JSON.parse(text).usage.output_tokens > 0),
  },
  {
    source: 'anthropics/claude-code#22575',
    pair: 'mc',
    says: 'reports zeros first',
    answer: stream(
      chunk({ content: 'Yes' }, { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }),
      chunk({}, {}, 'stop'),
      counted(USAGE),
      DONE,
    ),
    check: uses(30, 12),
  },
];
