import assert from 'node:assert/strict';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import * as fc from 'fast-check';
import { matchesAny } from '../../../../src/gateway/core/modelPattern.ts';
import type { IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import { KeyRing } from '../../../../src/gateway/keys/keyRing.ts';
import { runs } from '../../../support/randomRuns.ts';

const NOW = 1_790_000_000_000;

const issued = (id: string, members: Partial<IssuedKey> = {}): IssuedKey => ({
  id,
  name: id,
  createdAt: NOW,
  secret: `key_${id}`,
  ...members,
});
const bearer = (secret: string): IncomingHttpHeaders => ({ authorization: `Bearer ${secret}` });

describe('KeyRing', () => {
  const rings: KeyRing[] = [];

  afterEach(() => {
    for (const ring of rings.splice(0)) ring.dispose();
  });

  const ringOf = (keys: readonly IssuedKey[], options?: ConstructorParameters<typeof KeyRing>[1]): KeyRing => {
    const ring = new KeyRing(keys, options);
    rings.push(ring);
    return ring;
  };

  /** A key ring with an adjustable clock, and the IDs that it has closed so far. */
  const watched = (keys: readonly IssuedKey[]) => {
    const closed: string[][] = [];
    const clock = { now: NOW };
    const ring = ringOf(keys, { onClose: (ids) => closed.push([...ids]), now: () => clock.now });
    return { ring, closed, clock };
  };

  const refusalOf = (ring: KeyRing, headers: IncomingHttpHeaders) => {
    const admission = ring.identify(headers);
    assert.ok(!admission.ok);
    return admission.refusal;
  };

  it('identifies the key in either header', () => {
    const ring = ringOf([issued('one'), issued('two')]);
    for (const headers of [bearer('key_two'), { 'x-api-key': 'key_two' }]) {
      assert.deepEqual(ring.identify(headers), { ok: true, key: { id: 'two', name: 'two', createdAt: NOW } });
    }
  });

  it('uses the second header if the first one does not match', () => {
    const admission = ringOf([issued('one')]).identify({ ...bearer('key_wrong'), 'x-api-key': 'key_one' });
    assert.ok(admission.ok);
    assert.equal(admission.key.id, 'one');
  });

  for (const secret of ['key_wrong', 'key_firs', 'key_firsu', 'key_first_', 'KEY_FIRST', 'k', '', 'x'.repeat(5000)]) {
    it(`finds no key for ${JSON.stringify(secret.slice(0, 50))}`, () => {
      const ring = ringOf([issued('first'), issued('second-and-much-longer-than-the-others')]);
      for (const headers of [bearer(secret), { 'x-api-key': secret }]) assert.ok(!ring.identify(headers).ok);
    });
  }

  it('finds each of a hundred thousand keys', () => {
    const ring = ringOf(Array.from({ length: 100_000 }, (_, nth) => issued(`${nth}`)));
    for (let nth = 0; nth < 100_000; nth += 10) {
      const admission = ring.identify({ 'x-api-key': `key_${nth}` });
      assert.ok(admission.ok && admission.key.id === `${nth}`);
    }
  });

  it('rejects unknown and missing keys', () => {
    const ring = ringOf([issued('one')]);
    assert.match(refusalOf(ring, bearer('key_two')).error.message, /does not recognize/);
    assert.match(refusalOf(ring, {}).error.message, /is missing/);
    assert.equal(refusalOf(ringOf([]), bearer('key_one')).error.status, 401);
  });

  it('rejects a key from the moment it expires, with that reason', () => {
    const { ring, clock } = watched([issued('one', { expiresAt: NOW + 5 })]);
    clock.now = NOW + 4;
    assert.ok(ring.identify(bearer('key_one')).ok);
    clock.now = NOW + 5;
    const { error } = refusalOf(ring, bearer('key_one'));
    assert.deepEqual([error.status, error.kind], [401, 'authentication']);
    assert.match(error.message, /^The local key "one" expired on 2026-/);
  });

  it('applies other keys immediately, and reports which ones must end their requests', () => {
    const { ring, closed } = watched([issued('one'), issued('two'), issued('three')]);
    ring.set([issued('one'), issued('two', { secret: 'key_rotated' }), issued('four')]);
    assert.deepEqual(closed, [['two', 'three']]);
    assert.ok(!ring.identify(bearer('key_two')).ok);
    assert.ok(!ring.identify(bearer('key_three')).ok);
    for (const secret of ['key_one', 'key_rotated', 'key_four']) assert.ok(ring.identify(bearer(secret)).ok);
  });

  it('ends nothing if only names and restrictions change', () => {
    const { ring, closed } = watched([issued('one')]);
    ring.set([issued('one', { name: 'another', models: ['*'] })]);
    assert.deepEqual(closed, []);
  });

  it('reports once that a key was set to expired', () => {
    const { ring, closed } = watched([issued('one')]);
    ring.set([issued('one', { expiresAt: NOW - 1 })]);
    ring.set([issued('one', { expiresAt: NOW - 1 }), issued('two')]);
    assert.deepEqual(closed, [['one']]);
  });

  it('reports when a key expires', async () => {
    const closed: string[] = [];
    const at = Date.now();
    ringOf([issued('one', { expiresAt: at + 30 }), issued('two', { expiresAt: at + 1e12 })], {
      onClose: (ids) => closed.push(...ids),
    });
    while (closed.length === 0) await wait(10);
    assert.deepEqual(closed, ['one']);
    assert.ok(Date.now() >= at + 30);
  });
});

describe('a model pattern', () => {
  it('matches the same names as an equivalent regular expression', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
    const model = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
    fc.assert(
      fc.property(pattern, model, (written, name) => {
        const wanted = new RegExp(`^${written.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(name);
        assert.equal(matchesAny([written], name), wanted);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('can be one of several', () => {
    assert.ok(matchesAny(['x', 'familya-*'], 'familya-opus-4.6'));
    assert.ok(matchesAny(['*'], ''));
    assert.ok(!matchesAny([], 'x'));
  });
});
