import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { findProgram, versionOf } from '../../../src/tools/installedTools.ts';

describe('a tool installed on this machine', () => {
  let folder: TemporaryFolder;

  before(function () {
    // A program is identified by its file mode here.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => folder.remove());

  async function program(name: string, script: string, mode = 0o755): Promise<string> {
    const path = join(folder.path, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, mode);
    return path;
  }
  const find = (name: string, path: string) => findProgram(name, { platform: 'linux', env: { PATH: path } });

  it('is found in the first PATH folder that contains it', async () => {
    const path = await program('codex', 'true');
    const other = join(folder.path, 'other');
    await mkdir(other);
    assert.equal(await find('codex', [other, folder.path].join(delimiter)), path);
    assert.equal(await find('claude', folder.path), undefined);
  });

  it('is not found if it is not executable, or in the current folder', async () => {
    await program('codex', 'true', 0o644);
    assert.equal(await find('codex', folder.path), undefined);
    assert.equal(await find('node', ['.', 'node_modules/.bin', ''].join(delimiter)), undefined);
  });

  it('reports its version in any wording', async () => {
    assert.equal(await versionOf(await program('codex', 'echo "codex-cli 0.169.0"')), '0.169.0');
    assert.equal(await versionOf(await program('claude', 'echo "2.1.330 (Claude Code)"')), '2.1.330');
  });

  it('has no version if its program fails, reports none or is missing', async () => {
    assert.equal(await versionOf(await program('broken', 'echo 1.2.3; exit 1')), undefined);
    assert.equal(await versionOf(await program('silent', 'true')), undefined);
    assert.equal(await versionOf(join(folder.path, 'missing')), undefined);
  });
});
