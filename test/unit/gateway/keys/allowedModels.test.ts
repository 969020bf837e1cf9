import assert from 'node:assert/strict';
import type { Offer } from '../../../../src/gateway/core/upstream.ts';
import { checkModel } from '../../../../src/gateway/keys/allowedModels.ts';
import { keyWith } from '../budgets/planned.ts';
import { InstantUpstream } from '../support/instantUpstream.ts';

const limited = (...models: string[]) => ({ ...keyWith(), models });
const offer = (id: string, model: string): Offer => {
  const upstream = Object.assign(new InstantUpstream(), { id });
  return { model, member: { upstream, modelsRequest: () => assert.fail() } };
};
const allows = (models: string[], asked: string, ...offers: Offer[]) =>
  checkModel(limited(...models), asked, offers) === undefined;

describe('the model list of a local key', () => {
  it('allows only its models', () => {
    const key = limited('familya-*', 'familyc-5.4');
    for (const model of ['familya-opus-4.6', 'familyc-5.4']) {
      assert.equal(checkModel(key, model, [offer('hosted', model)]), undefined);
    }
    const refused = checkModel(key, 'familyc-5.4-large', [offer('hosted', 'familyc-5.4-large')])?.error;
    assert.deepEqual([refused?.status, refused?.kind], [403, 'permission']);
    assert.match(refused?.message ?? '', /cannot use .* It can use: familya-\*, familyc-5\.4\.$/);
  });

  it('applies to the name that the upstream gets', () => {
    assert.ok(allows(['familya-*'], 'fast', offer('hosted', 'familya-haiku')));
    assert.ok(!allows(['fast*'], 'fast', offer('hosted', 'familya-haiku')));
    assert.ok(allows(['familya-*'], 'hosted/familya-haiku', offer('hosted', 'familya-haiku')));
    assert.ok(!allows(['llama*'], 'llama-server/gpt-large', offer('llama-server', 'gpt-large')));
  });

  it('matches an alias by its full name, and upstream and model separated by a slash', () => {
    assert.ok(allows(['fast'], 'fast', offer('hosted', 'familya-haiku')));
    assert.ok(allows(['local/*'], 'local/gpt', offer('local', 'gpt')));
    assert.ok(allows(['local/*'], 'gpt', offer('local', 'gpt')));
    assert.ok(!allows(['local/*'], 'gpt', offer('local', 'gpt'), offer('vendor', 'gpt')));
    assert.ok(allows(['meta/*'], 'vendor/meta/llama', offer('vendor', 'meta/llama')));
  });

  it('applies to an unknown name', () => {
    assert.ok(allows(['a*'], 'abc'));
    assert.ok(!allows(['a*'], 'bcd'));
  });

  it('requires a model to be named, as a budget does', () => {
    assert.equal(checkModel(limited('a'), undefined, [])?.error.status, 400);
    assert.equal(checkModel(keyWith({ amount: 1, unit: 'usd', period: 'total' }), undefined, [])?.error.status, 400);
    assert.equal(checkModel(keyWith(), undefined, []), undefined);
  });
});
