import assert from 'node:assert/strict';
import { namedModels, upstreamFor } from '../../../src/settings/servedBy.ts';

const upstream = (id: string, ...models: string[]) => ({
  id,
  models,
  baseUrl: 'http://127.0.0.1:9/v1',
  formats: ['chat-completions' as const],
});

describe('the upstream that serves a model', () => {
  const upstreams = [
    upstream('wide', 'family*'),
    upstream('close', 'familya-*', 'llama'),
    upstream('exact', 'familya-x'),
  ];

  it('is the one with the most specific match', () => {
    assert.equal(upstreamFor('familya-x', upstreams)?.id, 'exact');
    assert.equal(upstreamFor('familya-y', upstreams)?.id, 'close');
    assert.equal(upstreamFor('familyb-1', upstreams)?.id, 'wide');
  });

  it('is the first of equally specific matches', () => {
    assert.equal(upstreamFor('m', [upstream('one', 'm'), upstream('two', 'm')])?.id, 'one');
  });

  it('is the service if no upstream matches', () => {
    assert.equal(upstreamFor('other', upstreams), undefined);
  });

  it('lists the models that are named individually', () => {
    assert.deepEqual(upstreams.map(namedModels), [[], ['llama'], ['familya-x']]);
  });
});
