import assert from 'node:assert/strict';
import { readTokenCount } from '../../../src/service/apiClient.ts';

describe('readTokenCount', () => {
  const counts: readonly unknown[] = [
    { input_tokens: 12 },
    { inputTokens: 12 },
    { input_tokens: '12' },
    { data: { input_tokens: 12 } },
    { usage: { input_tokens: 12 } },
    { object: 'response.input_tokens', input_tokens: 12 },
    { total_tokens: 12 },
  ];
  for (const body of counts) {
    it(`reads ${JSON.stringify(body)}`, () => assert.deepEqual(readTokenCount(body), { inputTokens: 12, raw: body }));
  }

  for (const body of [{}, null, [], { input_tokens: -1 }, { input_tokens: 1.5 }, { input_tokens: true }, 'x']) {
    it(`rejects ${JSON.stringify(body)}`, () => {
      assert.throws(() => readTokenCount(body), { name: 'ServiceError', kind: 'malformed' });
    });
  }
});
