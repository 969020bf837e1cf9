import assert from 'node:assert/strict';
import {
  CUT,
  call,
  chunk,
  created,
  DONE,
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
} from './report.ts';

export const STREAMS: readonly Report[] = [
  {
    source: 'CommandCodeAI/command-code#785',
    pair: 'mc',
    says: 'ends silently in the middle of a call',
    answer: stream(chunk(call(0, 'a', 'write', '{"path": "x", "te'))),
    check: fails(CUT),
  },
  {
    source: 'agentjido/req_llm#638',
    pair: 'mc',
    says: 'has its finish reason in an event without content',
    answer: stream(chunk({ content: 'Yes' }), chunk({}, { usage: USAGE }, 'stop')),
    check: says('Yes'),
  },
  {
    source: 'gethnet/litellm-connector-copilot#97',
    pair: 'cc',
    says: 'ends without its end marker',
    answer: stream(chunk({ content: 'Yes' }), chunk({}, {}, 'stop')),
    check: (seen) => {
      says('Yes')(seen);
      assert.match(seen.text, /data: \[DONE\]\n\n$/);
    },
  },
  {
    source: 'farion1231/cc-switch#5093',
    pair: 'mc',
    says: 'has an empty finish reason in each event',
    answer: stream(
      chunk({ reasoning_content: 'Hm.' }, {}, ''),
      chunk({ content: 'Yes' }, {}, ''),
      chunk({}, { usage: USAGE }, 'stop'),
      DONE,
    ),
    check: says('Yes'),
  },
  {
    source: 'decolua/9router#4079',
    pair: 'mc',
    says: 'is an empty stream',
    answer: stream(),
    check: fails(/without any output/),
  },
  {
    source: 'openclaw/openclaw#108989',
    pair: 'mr',
    says: 'ends after a call without its last event',
    answer: stream(
      created,
      named({
        type: 'response.output_item.done',
        ...{
          output_index: 0,
          item: { type: 'function_call', id: 'fc_1', call_id: 'a', name: 'read', arguments: '{}', status: 'completed' },
        },
      }),
    ),
    check: fails(CUT),
  },
  {
    source: 'zyycn/codex-proxy-rs#90',
    pair: 'rr',
    says: 'reports an error in the middle, which Codex reads only as a failed response',
    answer: stream(
      created,
      saidR('Half'),
      named({
        type: 'error',
        ...{ code: 'server_is_overloaded', message: 'THE REASON', param: null, sequence_number: 5 },
      }),
    ),
    check: (seen) => assert.match(seen.text, /event: response\.failed\ndata: .*THE REASON/),
  },
  {
    source: 'router-for-me/CLIProxyAPI#4527',
    pair: 'rr',
    says: 'begins with an error event',
    answer: stream(named({ type: 'error', ...{ sequence_number: 0, code: 'request_timeout', message: 'THE REASON' } })),
    check: (seen) => {
      assert.ok(seen.status >= 400);
      fails(/THE REASON/)(seen);
    },
  },
  {
    source: 'StringKe/claudex#10',
    pair: 'mr',
    says: 'fails because the conversation is too long',
    answer: stream(
      created,
      named({
        type: 'response.failed',
        ...{
          response: response('failed', {
            error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
          }),
        },
      }),
    ),
    check: (seen) => {
      assert.ok(seen.status >= 400 && seen.status < 500, String(seen.status));
      fails(/context window/)(seen);
    },
  },
  {
    source: 'SaladDay/cc-switch-cli#322',
    pair: 'mc',
    says: 'starts a message that its clients must be able to add to',
    answer: stream(chunk({ content: 'Yes' }), chunk({}, { usage: USAGE }, 'stop'), DONE),
    check: ({ text }) =>
      assert.match(
        text,
        /"message_start","message":\{(?=[^\n]*"content":\[\])(?=[^\n]*"stop_reason":null)(?=[^\n]*"stop_sequence":null)/,
      ),
  },
  {
    source: 'openai-php/client#780',
    pair: 'mc',
    says: 'has timings beside its reasoning',
    answer: stream(
      chunk({ reasoning_content: 'Hm.' }, { timings: { cache_n: 7 } }),
      chunk({ content: 'Yes' }, { timings: { cache_n: 8 } }),
      chunk({}, { usage: USAGE, timings: {} }, 'stop'),
      DONE,
    ),
    check: (seen) => {
      says('Yes')(seen);
      assert.ok(seen.answer?.parts.some(({ type }) => type === 'reasoning'));
    },
  },
  {
    source: 'ggml-org/llama.cpp#12137',
    pair: 'mc',
    says: 'reaches its limit without output',
    answer: stream(chunk({}, { usage: { prompt_tokens: 43, completion_tokens: 1, total_tokens: 44 } }, 'length'), DONE),
    check: ({ text }) => assert.match(text, /"stop_reason":"max_tokens"/),
  },
  {
    source: 'farion1231/cc-switch#6672',
    pair: 'mm',
    says: 'is cut in the middle',
    answer: stream(startM({ input_tokens: 30, output_tokens: 1 }), saidM('Half')),
    check: fails(/Connection error/),
  },
  {
    source: 'sindresorhus/got#1964',
    pair: 'mc',
    says: 'names a compression that it has not applied',
    answer: {
      stream: JSON.stringify({
        id: 'c',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
        usage: USAGE,
      }),
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    },
    whole: true,
    check: says('Yes'),
  },
  {
    source: 'projectdiscovery/httpx#307',
    pair: 'cc',
    says: 'names a compression of a stream that it has not applied',
    answer: {
      stream: chunk({ content: 'Yes' }) + chunk({}, { usage: USAGE }, 'stop') + DONE,
      headers: { 'content-encoding': 'gzip' },
    },
    check: says('Yes'),
  },
  {
    source: 'ai-ecoverse/slicc#3037',
    pair: 'mc',
    says: 'is compressed without naming it',
    answer: {
      stream: JSON.stringify({
        id: 'c',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Yes' }, finish_reason: 'stop' }],
        usage: USAGE,
      }),
      gzip: true,
      headers: { 'content-type': 'application/json', 'content-encoding': '' },
    },
    whole: true,
    check: says('Yes'),
  },
];
