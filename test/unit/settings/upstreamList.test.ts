import assert from 'node:assert/strict';
import { readAliasList, readUpstreamList } from '../../../src/settings/upstreamList.ts';

const LOCAL = { id: 'local', baseUrl: 'http://127.0.0.1:11434/v1', formats: ['chat-completions'], models: ['llama*'] };

describe('upstreams in the settings', () => {
  it('are read unchanged, and offer all models if none are listed', () => {
    const { models: _, ...vendor } = { ...LOCAL, id: 'vendor', secret: 'vendor' };
    assert.deepEqual(readUpstreamList([LOCAL, vendor]), {
      upstreams: [LOCAL, { ...vendor, models: ['*'] }],
      problems: [],
    });
  });

  for (const [what, wrong, problem] of [
    [
      'no address',
      { ...LOCAL, id: 'x', baseUrl: undefined },
      /Upstream 2 \(x\).*ignored.*baseUrl: This must be a string/,
    ],
    ['an address of no web server', { ...LOCAL, id: 'x', baseUrl: 'llama' }, /baseUrl: This must start with http/],
    ['no format', { ...LOCAL, id: 'x', formats: [] }, /formats: This must be non-empty/],
    ['an unknown format', { ...LOCAL, id: 'x', formats: ['openai'] }, /formats\.0: .*"chat-completions"/],
    ['an unknown member', { ...LOCAL, id: 'x', apiKey: 'sk-1' }, /There is no member apiKey here/],
    ['a key in place of its name', { ...LOCAL, id: 'x', secret: 'sk 1' }, /secret: Enter the name of a key/],
    ['the id of another', LOCAL, /id: Another upstream has the id “local”/],
    ['the id of the service', { ...LOCAL, id: 'hosted' }, /id: “hosted” is reserved by Model Access/],
    ['no object', 'llama', /Upstream 2 in modelAccess\.upstreams is ignored\. This must be an object/],
  ] as const) {
    it(`ignore an entry with ${what}, report it, and keep the rest`, () => {
      const { upstreams, problems } = readUpstreamList([LOCAL, wrong]);
      assert.deepEqual(upstreams, [LOCAL]);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', problem);
    });
  }

  it('are empty if the setting is not a list', () => {
    assert.deepEqual(readUpstreamList('x'), { upstreams: [], problems: ['modelAccess.upstreams must be a list.'] });
  });
});

describe('aliases in the settings', () => {
  it('are read, and those without a model are reported', () => {
    const { aliases, problems } = readAliasList({ fast: 'local/llama', empty: '', number: 1 });
    assert.deepEqual(aliases, { fast: 'local/llama' });
    assert.deepEqual(problems.length, 2);
    assert.match(problems.join(), /“empty”.*“number”/);
  });

  it('are empty if the setting is not an object', () => {
    assert.equal(readAliasList(['a']).problems.length, 1);
  });
});
