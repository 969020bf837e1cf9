import assert from 'node:assert/strict';
import { shownHeaders } from '../../../src/service/shownHeaders.ts';

describe('headers in the traffic view', () => {
  it('show no value of a header that may carry a secret, whatever it looks like', () => {
    const names = ['x-api-key', 'Authorization', 'x-auth-token', 'cookie', 'x-amz-signature', 'session-id', 'X-Secret'];
    const shown = shownHeaders(Object.fromEntries(names.map((name) => [name, 'canary'])));
    assert.deepEqual(
      shown,
      names.map((name) => [name, '…']),
    );
  });

  it('mask what looks like a key in any other header', () => {
    assert.ok(!JSON.stringify(shownHeaders({ 'x-note': 'see key_0123456789abcdef' })).includes('0123456789'));
  });

  it('show limits of rate, each value of a list, and nothing for what is absent', () => {
    const headers = { 'x-ratelimit-remaining-tokens': '12', 'x-via': ['a', 'b'], 'x-age': 3, 'x-none': undefined };
    assert.deepEqual(shownHeaders(headers), [
      ['x-ratelimit-remaining-tokens', '12'],
      ['x-via', 'a'],
      ['x-via', 'b'],
      ['x-age', '3'],
    ]);
  });
});
