import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServeOptions } from '../../../../packages/gateway/src/cli/options.ts';

const PAGE = readFileSync(new URL('../../../../docs/deployment.md', import.meta.url), 'utf8');

describe('the recipes in docs/deployment.md', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recipes-'));
    for (const name of ['service-key', 'local-key']) {
      writeFileSync(join(folder, name), 'key_for-the-recipes-of-the-page\n', { mode: 0o600 });
    }
    writeFileSync(
      join(folder, 'upstreams.json'),
      '{"upstreams":[{"id":"a","baseUrl":"http://127.0.0.1:9","formats":["messages"]}]}',
    );
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('start the gateway with systemd, with its credentials and state directory', () => {
    const line = /^ExecStart=\/usr\/local\/bin\/model-access-gateway (.*)$/m.exec(PAGE)?.[1] ?? '';
    const args = line.replaceAll(/\$\{(?:CREDENTIALS|STATE)_DIRECTORY\}/g, folder).split(' ');
    const { ledger, drainMs, warnings } = readServeOptions(args, {});
    assert.deepEqual([ledger, warnings], [join(folder, 'ledger.sqlite'), []]);
    const timeout = Number(/^TimeoutStopSec=(\d+)$/m.exec(PAGE)?.[1]);
    assert.ok(timeout * 1000 > drainMs, 'systemd kills it before it has drained');
  });

  it('start the gateway with launchd', () => {
    const texts = [...PAGE.matchAll(/^ {4}<string>(.*)<\/string>$/gm)].map(([, text = '']) => text);
    assert.equal(texts[1], '/usr/local/bin/model-access-gateway');
    const args = texts.slice(2).map((text) => text.replace('/Users/NAME/.config/model-access-gateway', folder));
    const { port, warnings } = readServeOptions(args, {});
    assert.deepEqual([port, warnings], [8787, []]);
  });

  it('start the container with more time to stop than to drain', () => {
    const args = /model-access-gateway (--allow-host localhost --drain \d+) \\$/m.exec(PAGE)?.[1]?.split(' ') ?? [];
    const { drainMs } = readServeOptions(['--listen', '0.0.0.0:8787', ...args], {});
    assert.ok(Number(/--stop-timeout (\d+)/.exec(PAGE)?.[1]) * 1000 > drainMs);
  });
});
