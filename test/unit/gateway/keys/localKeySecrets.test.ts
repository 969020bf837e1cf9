import assert from 'node:assert/strict';
import { digestOf, LocalKeySecrets } from '../../../../src/gateway/keys/localKeySecrets.ts';

const SECRETS = ['key_first', 'key_second-and-much-longer-than-the-others', 'key_third'];
const KEYS = SECRETS.map((secret, nth) => ({ id: `id${nth}`, digest: digestOf(secret) }));

describe('the lookup of a local key', () => {
  const secrets = new LocalKeySecrets(KEYS);

  it('finds the key in either header', () => {
    for (const [nth, secret] of SECRETS.entries()) {
      assert.equal(secrets.identify({ authorization: `Bearer ${secret}` }), `id${nth}`);
      assert.equal(secrets.identify({ 'x-api-key': secret }), `id${nth}`);
    }
  });

  it('uses the second header if the first one does not match', () => {
    assert.equal(secrets.identify({ authorization: 'Bearer key_wrong', 'x-api-key': 'key_third' }), 'id2');
  });

  for (const secret of ['key_wrong', 'key_firs', 'key_firsu', 'key_first_', 'KEY_FIRST', 'k', '', 'x'.repeat(5000)]) {
    it(`finds no key for ${JSON.stringify(secret.slice(0, 50))}`, () => {
      assert.equal(secrets.identify({ authorization: `Bearer ${secret}` }), undefined);
      assert.equal(secrets.identify({ 'x-api-key': secret }), undefined);
    });
  }

  it('finds each of a hundred thousand keys', () => {
    const many = Array.from({ length: 100_000 }, (_, nth) => ({
      id: `k${nth}`,
      digest: digestOf(`key_${nth}`),
    }));
    const all = new LocalKeySecrets(many);
    let found = 0;
    for (let nth = 0; nth < many.length; nth += 10)
      if (all.identify({ 'x-api-key': `key_${nth}` }) === `k${nth}`) found++;
    assert.equal(found, 10_000);
  });
});
