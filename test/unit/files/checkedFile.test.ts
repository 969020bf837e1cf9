import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { FileMovedError, readCheckedFile } from '../../../src/files/checkedFile.ts';
import { realPlace } from '../../../src/files/realPlace.ts';

const SECRET = 'what nobody shared';

describe('a checked file', () => {
  let folder: TemporaryFolder;
  let work: string;
  let outside: string;

  beforeEach(async () => {
    folder = await temporaryFolder();
    const root = await realpath(folder.path);
    [work, outside] = [join(root, 'work'), join(root, 'outside')];
    await mkdir(join(work, 'docs'), { recursive: true });
    await mkdir(outside);
    await writeFile(join(work, 'docs', 'notes.md'), 'notes');
    await writeFile(join(outside, 'notes.md'), SECRET);
  });
  afterEach(() => folder.remove());

  const notes = async () => (await realPlace(join(work, 'docs', 'notes.md'), [work])).real;
  const read = async (path: string, maxBytes = 100) => {
    const { bytes } = await readCheckedFile(path, maxBytes);
    return bytes && Buffer.from(bytes).toString();
  };

  it('is read if it has not changed since', async () => {
    assert.equal(await read(await notes()), 'notes');
  });

  it('is read if a program saved it again', async () => {
    const checked = await notes();
    await writeFile(join(work, 'new'), 'newer notes');
    await rename(join(work, 'new'), checked);
    assert.equal(await read(checked), 'newer notes');
  });

  it('is read if the workspace is behind a symbolic link', async () => {
    await symlink(work, join(outside, 'link'), 'dir');
    const { real } = await realPlace(join(outside, 'link', 'docs', 'notes.md'), [join(outside, 'link')]);
    assert.equal(await read(real), 'notes');
  });

  it('is not read if it was replaced with a link', async () => {
    const checked = await notes();
    await rm(checked);
    await symlink(join(outside, 'notes.md'), checked);
    await assert.rejects(read(checked), FileMovedError);
  });

  it('is not read if its folder was replaced with a link', async () => {
    const checked = await notes();
    await rename(join(work, 'docs'), join(work, 'old'));
    await symlink(outside, join(work, 'docs'), 'dir');
    await assert.rejects(read(checked), FileMovedError);
  });

  it('is not read if it is now a folder', async () => {
    const checked = await notes();
    await rm(checked);
    await mkdir(checked);
    await assert.rejects(read(checked), FileMovedError);
  });

  it('is not waited for if it is now a pipe', async function () {
    if (process.platform === 'win32') this.skip();
    const checked = await notes();
    await rm(checked);
    execFileSync('mkfifo', [checked]);
    await assert.rejects(read(checked), FileMovedError);
  });

  it('is never another file, however often a program swaps it with a link', async () => {
    const checked = await notes();
    await symlink(outside, join(work, 'link'), 'dir');
    let isOver = false;
    const exchange = async () => {
      while (!isOver) {
        await rename(join(work, 'docs'), join(work, 'old'));
        await rename(join(work, 'link'), join(work, 'docs'));
        await rename(join(work, 'docs'), join(work, 'link'));
        await rename(join(work, 'old'), join(work, 'docs'));
      }
    };
    const exchanging = exchange();
    const texts = new Set<string | undefined>();
    for (let turn = 0; turn < 2000; turn += 1) {
      // Between two exchanges, the folder does not exist.
      texts.add(await read(checked).catch(() => undefined));
    }
    isOver = true;
    await exchanging;
    assert.equal(texts.has(SECRET), false);
  });

  it('is not kept in memory if it is larger than the limit', async () => {
    const checked = await notes();
    await appendFile(checked, ' and more');
    assert.deepEqual(await readCheckedFile(checked, 5), { size: 14, bytes: undefined });
  });

  it('is read only up to the limit, even if its size is unknown', async function () {
    if (process.platform !== 'linux') this.skip();
    // Its size is 0 in the file system.
    assert.equal((await readCheckedFile('/proc/cpuinfo', 10)).bytes, undefined);
  });
});
