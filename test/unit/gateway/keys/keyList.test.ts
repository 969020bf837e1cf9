import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Budget, IssuedKey, KeyTerms } from '../../../../src/gateway/keys/issuedKey.ts';
import { detailsOf } from '../../../../src/gateway/keys/issuedKey.ts';
import { KeyList, parseKeys, serializeKeys } from '../../../../src/gateway/keys/keyList.ts';
import { LocalKeyError } from '../../../../src/gateway/keys/keyTerms.ts';

const NOW = 1_790_000_000_000;
const TERMS: KeyTerms = {
  budgets: [{ amount: 5, unit: 'usd', period: 'daily' }],
  expiresAt: NOW + 1000,
  models: ['familya-*'],
};

describe('the list of local keys', () => {
  it('creates keys with different secrets', () => {
    const first = new KeyList().create(' aider ', TERMS, NOW);
    const second = first.list.create('terminal', {}, NOW);
    assert.equal(first.key.name, 'aider');
    assert.match(first.key.secret, /^key_[\w-]{43}$/);
    assert.notEqual(first.key.secret, second.key.secret);
    assert.notEqual(first.key.id, second.key.id);
    assert.deepEqual(second.list.keys, [first.key, second.key]);
    const { id: _, secret: __, ...details } = first.key;
    assert.deepEqual(details, { name: 'aider', createdAt: NOW, lowersLimits: true, ...TERMS });
  });

  it('is displayed without secrets', () => {
    const { list, key } = new KeyList().create('aider', TERMS, NOW);
    assert.ok(!JSON.stringify(list.keys.map(detailsOf)).includes(key.secret));
    assert.deepEqual(list.keys.map(detailsOf), [
      { id: key.id, name: 'aider', createdAt: NOW, lowersLimits: true, ...TERMS },
    ]);
  });

  it('rotates the secret and nothing else', () => {
    const { list, key } = new KeyList().create('aider', TERMS, NOW);
    const rotated = list.rotate(key.id, NOW + 5);
    assert.notEqual(rotated.key.secret, key.secret);
    const changedAt = { secret: NOW + 5 };
    assert.deepEqual({ ...rotated.key, secret: key.secret }, { ...key, rotatedAt: NOW + 5, changedAt });
    assert.deepEqual(rotated.list.keys, [rotated.key]);
    assert.deepEqual(list.keys, [key]);
  });

  it('revokes one key and leaves the others', () => {
    const first = new KeyList().create('aider', {}, NOW);
    const second = first.list.create('terminal', {}, NOW);
    const { list, key } = second.list.revoke(first.key.id);
    assert.deepEqual(key, first.key);
    assert.deepEqual(list.keys, [second.key]);
    assert.equal(list.find(first.key.id), undefined);
    assert.throws(() => list.revoke(first.key.id), LocalKeyError);
    assert.throws(() => list.rotate(first.key.id, NOW), LocalKeyError);
  });

  it('keeps the name of a revoked key, marked, also for one that is stored, and while other keys change', () => {
    const first = new KeyList().create('aider', {}, NOW);
    const { list } = first.list.revoke(first.key.id);
    const next = list.create('aider', {}, NOW);
    const changed = next.list.change(next.key.id, 'aider', TERMS, NOW).list.rotate(next.key.id, NOW).list;
    for (const each of [changed, parseKeys(serializeKeys(changed))])
      assert.deepEqual(each.names, { [first.key.id]: 'aider (revoked)', [next.key.id]: 'aider' });
    const elsewhere = first.list.change(first.key.id, 'coder', {}, NOW).list.revoke(first.key.id).list;
    assert.equal(changed.merge(elsewhere).names[first.key.id], 'coder (revoked)');
    assert.deepEqual(changed.merge(elsewhere).names, elsewhere.merge(changed).names);
  });

  it('lowers output limits unless its owner says otherwise, which a change of other terms keeps', () => {
    const { list, key } = new KeyList().create('aider', {}, NOW);
    assert.equal(key.lowersLimits, true);
    const kept = list.change(key.id, 'aider', { lowersLimits: false }, NOW);
    assert.equal(kept.key.lowersLimits, false);
    assert.equal(kept.list.change(key.id, 'aider', TERMS, NOW).key.lowersLimits, false);
    assert.equal(new KeyList().create('ci', { lowersLimits: false }, NOW).key.lowersLimits, false);
  });

  it('changes name and restrictions, and keeps the secret', () => {
    const { list, key } = new KeyList().create('aider', TERMS, NOW);
    const changed = list.change(key.id, 'Aider', { models: ['familyc-5.4'] }, NOW);
    assert.deepEqual(changed.key, {
      id: key.id,
      name: 'Aider',
      createdAt: NOW,
      lowersLimits: true,
      models: ['familyc-5.4'],
      secret: key.secret,
      changedAt: { name: NOW, daily: NOW, expiresAt: NOW, models: NOW },
    });
  });

  it('rejects names that cannot be distinguished', () => {
    const { list } = new KeyList().create('aider', {}, NOW);
    for (const name of ['', '  ', 'AIDER', ' aider', 'a\nb', 'x'.repeat(61)]) {
      assert.throws(() => list.create(name, {}, NOW), LocalKeyError, name);
    }
  });

  it('treats a limit of 0 as none', () => {
    const { key } = new KeyList().create('aider', { limits: { parallel: 2, requestsPerMinute: 0 } }, NOW);
    assert.deepEqual(key.limits, { parallel: 2 });
    assert.equal(new KeyList().create('aider', { limits: { parallel: 0 } }, NOW).key.limits, undefined);
  });

  it('rejects invalid restrictions', () => {
    const bad: readonly KeyTerms[] = [
      { budgets: [{ amount: 0, unit: 'usd', period: 'total' }] },
      { budgets: [{ amount: -1, unit: 'usd', period: 'total' }] },
      { budgets: [{ amount: Number.NaN, unit: 'usd', period: 'total' }] },
      { budgets: [{ amount: Number.POSITIVE_INFINITY, unit: 'tokens', period: 'total' }] },
      { budgets: [{ amount: 0.5, unit: 'tokens', period: 'total' }] },
      { budgets: [1, 2].map((amount) => ({ amount, unit: 'usd', period: 'daily' })) },
      { limits: { parallel: -1 } },
      { limits: { requestsPerMinute: 0.5 } },
      { limits: { sessionDollars: -1 } },
      { limits: { tokensPerMinute: Number.POSITIVE_INFINITY } },
      { expiresAt: NOW },
      { expiresAt: Number.NaN },
      { models: [] },
      { models: [' '] },
      { models: ['x'.repeat(201)] },
    ];
    for (const terms of bad) {
      assert.throws(() => new KeyList().create('aider', terms, NOW), LocalKeyError, JSON.stringify(terms));
    }
  });
});

describe('the stored form of the local keys', () => {
  const limit = fc.integer({ min: 1, max: 1e6 });
  const terms = fc.record<KeyTerms>(
    {
      budgets: fc.uniqueArray(
        fc.record<Budget>(
          {
            amount: fc.integer({ min: 1, max: 1e6 }),
            unit: fc.constantFrom('usd', 'tokens'),
            period: fc.constantFrom('total', 'daily', 'monthly'),
          },
          { noNullPrototype: true },
        ),
        { selector: ({ period }) => period, minLength: 1 },
      ),
      limits: fc.record(
        { parallel: limit, requestsPerMinute: limit, tokensPerMinute: limit },
        { requiredKeys: ['parallel'], noNullPrototype: true },
      ),
      expiresAt: fc.integer({ min: NOW + 1, max: NOW * 2 }),
      models: fc.array(fc.stringMatching(/^[a-z*.-]{1,20}$/), { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );

  it('restores the same list', () => {
    fc.assert(
      fc.property(fc.array(terms, { maxLength: 5 }), fc.nat({ max: 4 }), (all, rotated) => {
        let list = new KeyList();
        for (const [place, each] of all.entries()) list = list.create(`key ${place}`, each, NOW).list;
        const id = list.keys[rotated]?.id;
        if (id !== undefined) list = list.rotate(id, NOW).list;
        assert.deepEqual(parseKeys(serializeKeys(list)).keys, list.keys);
      }),
    );
  });

  it('is rejected as a whole if it is damaged, without showing its content', () => {
    const { list, key } = new KeyList().create('aider', TERMS, NOW);
    const text = serializeKeys(list);
    const damaged = [
      '',
      'null',
      '[]',
      text.slice(0, -10),
      text.replace('"usd"', '"eur"'),
      text.replace('"createdAt"', '"created"'),
      text.replace('"expiresAt":', '"expiresAt":"never","was":'),
      text.replace('key_', 'sk-'),
    ];
    for (const each of damaged) {
      assert.throws(
        () => parseKeys(each),
        (error) => error instanceof LocalKeyError && !error.message.includes(key.secret.slice(4, 12)),
      );
    }
  });

  it('distinguishes a later version from damage', () => {
    assert.throws(() => parseKeys('{"version":5,"keys":[{"new":1}]}'), /Update Model Access\.$/);
  });
});

describe('lists that several windows have changed', () => {
  const base = new KeyList().create('aider', { ...TERMS, limits: { parallel: 1 } }, NOW).list;
  const [aider] = base.keys as [IssuedKey];
  const change = (list: KeyList, terms: KeyTerms, now = NOW + 1) =>
    list.change(aider.id, 'aider', terms, now, aider).list;

  it('have the changes of all to different budgets, limits, and terms of one key', () => {
    const total: Budget = { amount: 9, unit: 'usd', period: 'total' };
    const one = change(base, { ...aider, budgets: [total, ...(aider.budgets ?? [])] });
    const two = change(base, { ...aider, limits: { parallel: 1, requestsPerMinute: 7 } });
    const three = base.rotate(aider.id, NOW + 2).list;
    const [key] = one.merge(two).merge(three).keys;
    assert.deepEqual(
      key?.budgets?.map(({ period }) => period),
      ['total', 'daily'],
    );
    assert.deepEqual(key?.limits, { parallel: 1, requestsPerMinute: 7 });
    assert.equal(key?.secret, three.keys[0]?.secret);
  });

  it('have the last change of what two have changed, also if it removed a term', () => {
    const earlier = change(base, { ...aider, models: ['familyc-*'] });
    const { models: _, ...others } = aider;
    const later = change(base, others, NOW + 2);
    assert.equal(earlier.merge(later).keys[0]?.models, undefined);
    assert.deepEqual(change(earlier, { ...aider, models: ['last'] }, NOW).merge(later).keys[0]?.models, ['last']);
  });

  it('keep only the changed parts if the user was asked about an earlier version', () => {
    const meanwhile = change(base, { ...aider, budgets: [{ amount: 7, unit: 'usd', period: 'monthly' }] });
    const { key } = meanwhile.change(aider.id, 'Aider', aider, NOW + 2, aider);
    assert.deepEqual([key.name, key.budgets], ['Aider', [{ amount: 7, unit: 'usd', period: 'monthly' }]]);
  });

  it('contain no key that was revoked or discarded in one of them', () => {
    const revoked = base.revoke(aider.id).list;
    assert.deepEqual(base.rotate(aider.id, NOW + 9).list.merge(revoked).keys, []);
    const discarded = new KeyList([], { ids: [], before: NOW + 5 });
    const { list, key } = discarded.create('new', {}, NOW);
    assert.deepEqual(base.merge(list).keys, [key]);
  });

  it('have one first key, the older one, and distinct names', () => {
    const [one, two] = [KeyList.first('default', NOW), KeyList.first('default', NOW + 1)];
    assert.deepEqual(two.merge(one).keys, one.keys);
    const named = [new KeyList().create('Aider', {}, NOW + 3).list, base].map((list) => list.merge(one));
    const names = named.map((list) => list.merge(base).keys.map(({ name }) => name));
    assert.deepEqual(names[0]?.toSorted(), ['Aider 2', 'aider', 'default']);
  });

  it('are the same in every order of merging', () => {
    const step = fc.tuple(fc.constantFrom('create', 'change', 'rotate', 'revoke'), fc.nat(2), fc.nat(3));
    const lists = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(lists, (all) => {
        const [one, two, three] = all.map((steps) => steps.reduce(changed, base)) as [KeyList, KeyList, KeyList];
        const merged = one.merge(two).merge(three);
        assert.deepEqual(three.merge(two.merge(one)), merged);
        assert.deepEqual(merged.merge(two), merged);
        assert.deepEqual(parseKeys(serializeKeys(merged)), merged);
      }),
    );
  });

  function changed(list: KeyList, [what, which, number]: readonly [string, number, number]): KeyList {
    const key = list.keys[which];
    if (what === 'create') {
      const name = `key ${list.keys.length} ${number}`;
      return list.keys.some((each) => each.name === name) ? list : list.create(name, {}, NOW + number).list;
    }
    if (key === undefined) return list;
    if (what === 'rotate') return list.rotate(key.id, NOW + number).list;
    if (what === 'revoke') return list.revoke(key.id).list;
    return list.change(key.id, key.name, { limits: { parallel: number + 1 } }, NOW + number).list;
  }
});
