import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SecretMask } from '../../../../src/gateway/traffic/secretMask.ts';

const KEY = `key_${'aB3-_'.repeat(6)}`;

describe('the mask of keys in bodies', () => {
  it('finds keys of the service and the gateway, wherever a text in pieces is split', () => {
    const mask = new SecretMask();
    fc.assert(
      fc.property(fc.array(fc.nat(60), { maxLength: 5 }), fc.string(), fc.string(), (cuts, before, after) => {
        const text = `${before} ${KEY} ${after}`;
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((end, nth) => text.slice(places[nth], end));
        const masked = mask.applyToPieces(pieces);
        assert.ok(!masked.join('').includes(KEY.slice(4)));
        assert.deepEqual(
          masked.map(({ length }) => length),
          pieces.map(({ length }) => length),
        );
      }),
    );
  });

  it('finds known keys of any form, but not placeholder words for a key', () => {
    const mask = new SecretMask(['vendor.secret/0123456789', 'none']);
    assert.equal(mask.apply('vendor.secret/0123456789, none'), '.............key_...6789, none');
  });

  it('finds known keys encoded in JSON and base64, also in pieces', () => {
    const secret = 'key_of-the-service-0123456789';
    const mask = new SecretMask([secret]);
    const spelt = [secret.replace('_', '\\u005f'), Buffer.from(`user:${secret}`).toString('base64')];
    for (const text of spelt) {
      const pieces = [`before ${text.slice(0, 9)}`, `${text.slice(9)} after`];
      const masked = mask.applyToPieces(pieces);
      assert.deepEqual(
        masked.map(({ length }) => length),
        pieces.map(({ length }) => length),
      );
      assert.match(masked.join(''), /^before [^ ]*\.{8}[^ ]* after$/, text);
    }
  });

  it('ignores words that only resemble a key', () => {
    const text = '{"api_key_id": 3, "key_a": "monkey_business_time"}';
    assert.equal(new SecretMask().apply(text), text);
  });

  it('processes megabytes that look like a key', () => {
    const text = 'key_'.repeat(4_000_000);
    const masked = new SecretMask().apply(text);
    assert.equal(masked.length, text.length);
    assert.ok(masked.startsWith('key_••••'));
  });
});
