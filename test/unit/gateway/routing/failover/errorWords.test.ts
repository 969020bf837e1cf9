import assert from 'node:assert/strict';
import { extraTrigger } from '../../../../../src/gateway/routing/failover/failure.ts';

describe('The words of a refusal', () => {
  const triggerOf = (message: string) => extraTrigger({ kind: 'invalidRequest', message }, 400);
  const overflows = [
    'The decoder prompt (length 9007) is longer than the maximum model length of 8192',
    'Your request exceeded model token limit: 131072',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
    '`inputs` must have less than 4096 tokens. Given: 5000',
    '`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 200 `max_new_tokens`',
    'request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it',
    'Prompt contains 33000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    'tokens in request more than max tokens allowed: 140000 > 131072',
    'number of input tokens (9000) has exceeded max_seq_len (8192) limit',
    'Range of input length should be [1, 30720]',
    'Please reduce the length of the messages or completion.',
    'total message size 300000 exceeds limit 245000',
  ];
  for (const message of overflows) {
    it(`name an overflow: ${message}`, () => assert.equal(triggerOf(message), 'overflow'));
  }

  const others = [
    'max_tokens (20000) exceeds the limit of 8192 output tokens',
    'max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens',
    'max_tokens (20000) exceeds the limit for this request: 8192 output tokens',
    'max_tokens is too large: 30000. This model supports at most 16384 completion tokens.',
    'messages: at most 100 images are allowed in the prompt',
    'messages.0.content.1: image exceeds the maximum size of 5242880 bytes',
    'tools: at most 1024 tools are allowed with a prompt, which is less than 2000',
    'temperature must be at most 2',
  ];
  for (const message of others) {
    it(`name no overflow: ${message}`, () => assert.equal(triggerOf(message), undefined));
  }
});
