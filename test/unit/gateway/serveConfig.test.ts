import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServeOptions, UsageError } from '../../../src/gateway/serveOptions.ts';

const UPSTREAM = {
  id: 'x',
  baseUrl: 'http://127.0.0.1:9/api/v1',
  formats: ['chat-completions'],
  apiKeyEnv: 'X_KEY',
  models: ['*'],
};

describe('the configuration of several upstreams', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'config-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  const read = (content: unknown, environment: NodeJS.ProcessEnv = { X_KEY: 'sk-x' }, ...args: string[]) => {
    const file = join(folder, 'upstreams.json');
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
    return readServeOptions(['--config', file, ...args], environment);
  };

  it('has its keys from the environment', () => {
    const options = read({ upstreams: [UPSTREAM], aliases: { usual: 'x/real' } });
    const { apiKeyEnv: _, ...settings } = UPSTREAM;
    assert.deepEqual(options?.upstream, {
      kind: 'routed',
      upstreams: [{ ...settings, apiKey: 'sk-x' }],
      aliases: { usual: 'x/real' },
    });
    assert.deepEqual(options?.warnings, []);
  });

  it('takes every model where none is named, and needs no key', () => {
    const { apiKeyEnv: _, models: __, ...least } = UPSTREAM;
    const { upstream } = read({ upstreams: [least] }) ?? {};
    assert.deepEqual(upstream?.kind === 'routed' && upstream.upstreams, [{ ...least, models: ['*'] }]);
  });

  it('warns of a key that is not set', () => {
    assert.match(read({ upstreams: [UPSTREAM] }, {})?.warnings.join() ?? '', /X_KEY is not set/);
  });

  it('stands beside the upstream of the other option', () => {
    const options = read({ upstreams: [UPSTREAM] }, {}, '--upstream', 'sandbox');
    assert.deepEqual(options?.upstream.kind === 'routed' && options.upstream.service, { kind: 'sandbox' });
  });

  for (const [name, content, complaint] of [
    ['no JSON', '{', /not JSON/],
    ['no upstreams', { upstreams: [] }, /upstreams/],
    [
      'an unknown format',
      { upstreams: [{ ...UPSTREAM, formats: ['x'] }] },
      /upstreams\.0\.formats\.0.*chat-completions/,
    ],
    ['no format', { upstreams: [{ ...UPSTREAM, formats: [] }] }, /formats/],
    ['another kind of address', { upstreams: [{ ...UPSTREAM, baseUrl: 'ftp://x' }] }, /baseUrl.*http/],
    ['a slash in an id', { upstreams: [{ ...UPSTREAM, id: 'a/b' }] }, /id.*letters/],
    ['one id twice', { upstreams: [UPSTREAM, UPSTREAM] }, /two upstreams/],
  ] as const) {
    it(`is refused with ${name}, naming it`, () => {
      assert.throws(
        () => read(content),
        (error) => error instanceof UsageError && complaint.test(error.message),
      );
    });
  }

  it('is refused when its file is missing', () => {
    assert.throws(() => readServeOptions(['--config', join(folder, 'none.json')], {}), UsageError);
  });
});
