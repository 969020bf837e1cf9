import assert from 'node:assert/strict';
import { shownHeaders } from '../../../src/service/shownHeaders.ts';

describe('headers shown in the traffic view', () => {
  it('hide the value of a header that may contain a secret, whatever its format', () => {
    const names = ['x-api-key', 'Authorization', 'x-auth-token', 'cookie', 'x-amz-signature', 'session-id', 'X-Secret'];
    const shown = shownHeaders(Object.fromEntries(names.map((name) => [name, 'canary'])));
    assert.deepEqual(
      shown,
      names.map((name) => [name, '…']),
    );
  });

  it('mask text that looks like a key in any other header', () => {
    assert.ok(!JSON.stringify(shownHeaders({ 'x-note': 'see key_0123456789abcdef' })).includes('0123456789'));
  });

  it('show rate limits and each value of a list, and omit absent values', () => {
    const headers = { 'x-ratelimit-remaining-tokens': '12', 'x-via': ['a', 'b'], 'x-age': 3, 'x-none': undefined };
    assert.deepEqual(shownHeaders(headers), [
      ['x-ratelimit-remaining-tokens', '12'],
      ['x-via', 'a'],
      ['x-via', 'b'],
      ['x-age', '3'],
    ]);
  });
});
