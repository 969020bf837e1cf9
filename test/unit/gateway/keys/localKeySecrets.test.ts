import assert from 'node:assert/strict';
import { LocalKeys } from '../../../../src/gateway/keys/localKeySecrets.ts';

const SECRETS = ['key_first', 'key_second-and-much-longer-than-the-others', 'key_third'];
const KEYS = SECRETS.map((secret, nth) => ({ id: `id${nth}`, name: secret, secret, createdAt: 0 }));

/** How long the compared values are, in bytes, for each comparison that a request causes. */
function comparisons(headers: { authorization?: string; 'x-api-key'?: string }): readonly number[] {
  const lengths: number[] = [];
  const keys = new LocalKeys(KEYS, (a, b) => {
    lengths.push(a.length, b.length);
    return a.equals(b);
  });
  keys.identify(headers);
  return lengths;
}

describe('the comparison of a sent key with the known ones', () => {
  const all = Array.from({ length: 2 * KEYS.length }, () => 32);

  for (const secret of [...SECRETS, 'key_wrong', 'key_firsu', 'k', '', 'x'.repeat(5000)]) {
    it(`takes every known key and values of one length, for ${JSON.stringify(secret.slice(0, 50))}`, () => {
      assert.deepEqual(comparisons({ 'x-api-key': secret }), all);
    });
  }

  it('is the same for a bearer token, whether it is the first, the last or none of them', () => {
    for (const secret of [...SECRETS, 'key_wrong']) {
      assert.deepEqual(comparisons({ authorization: `Bearer ${secret}` }), all);
    }
  });

  it('finds whose key it is', () => {
    const keys = new LocalKeys(KEYS);
    assert.deepEqual(
      SECRETS.map((secret) => keys.identify({ authorization: `Bearer ${secret}` })),
      ['id0', 'id1', 'id2'],
    );
    assert.equal(keys.identify({ authorization: 'Bearer key_wrong' }), undefined);
  });
});
