import assert from 'node:assert/strict';
import { extraTrigger } from '../../../../../src/gateway/routing/failover/errorWords.ts';

describe('The words of a refusal', () => {
  const triggerOf = (message: string) => extraTrigger({ kind: 'invalidRequest', message }, 400);
  const overflows = [
    'The decoder prompt (length 9007) is longer than the maximum model length of 8192',
    'Your request exceeded model token limit: 131072',
    'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
  ];
  for (const message of overflows) {
    it(`name an overflow: ${message}`, () => assert.equal(triggerOf(message), 'overflow'));
  }

  const others = [
    'max_tokens (20000) exceeds the limit of 8192 output tokens',
    'max_tokens: 20000 > 8192, which is the maximum allowed number of output tokens',
    'temperature must be at most 2',
  ];
  for (const message of others) {
    it(`name no overflow: ${message}`, () => assert.equal(triggerOf(message), undefined));
  }
});
