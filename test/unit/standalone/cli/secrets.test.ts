import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServeOptions } from '../../../../packages/gateway/src/cli/options.ts';

describe('the options for secrets', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function configured(config: object, environment: NodeJS.ProcessEnv = {}) {
    const file = join(folder, 'config.json');
    writeFileSync(file, JSON.stringify(config));
    return readServeOptions(['--config', file], environment);
  }

  it('name a policy, which is off by default, also under its earlier name', () => {
    assert.equal(readServeOptions([], {}).secretPolicy, 'off');
    assert.equal(readServeOptions(['--secrets', 'seal'], {}).secretPolicy, 'seal');
    assert.equal(readServeOptions(['--detect-secrets'], {}).secretPolicy, 'report');
    assert.throws(
      () => readServeOptions(['--secrets', 'hide'], {}),
      /--secrets must be one of off, report, seal, refuse/,
    );
  });

  it('name policies of keys and upstreams', () => {
    const upstream = { id: 'a', baseUrl: 'https://example.com/v1', formats: ['messages'], secrets: 'seal' };
    const { localKeys, upstream: opened } = configured({
      upstreams: [upstream],
      keys: [{ name: 'aider', secrets: 'refuse' }],
    });
    assert.equal(localKeys.find(({ name }) => name === 'aider')?.secrets, 'refuse');
    assert.ok(opened.kind === 'routed' && opened.upstreams[0]?.secretPolicy === 'seal');
    assert.throws(() => configured({ keys: [{ name: 'aider', secrets: 'hide' }] }), /secrets/);
  });

  it('name values in the environment and in files, of which words do not count', () => {
    writeFileSync(join(folder, '.env'), 'TOKEN="from a file 1"\nMODE=production\n');
    writeFileSync(join(folder, '.env.local'), 'OTHER=also-from-a-file-2\n');
    const secretValues = { environment: ['DEPLOY', 'ABSENT'], files: [join(folder, '.env*')] };
    const { knownSecrets } = configured({ secretValues }, { DEPLOY: 'from the environment 3' });
    assert.deepEqual(knownSecrets.map(({ value }) => value).sort(), [
      'also-from-a-file-2',
      'from a file 1',
      'from the environment 3',
    ]);
  });
});
