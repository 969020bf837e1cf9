import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import {
  appendPrivateFile,
  ensurePrivateDatabase,
  ensurePrivateFolder,
  replacePrivateFile,
  writePrivateFile,
} from '../../../src/files/privateFiles.ts';

describe('private files', () => {
  let folder: TemporaryFolder;
  let path: string;

  before(function () {
    // Windows has no such modes.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    folder = await temporaryFolder();
    path = join(folder.path, 'file');
  });
  afterEach(() => folder.remove());

  const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

  /** Runs with a umask that removes nothing, or too much. */
  async function under(umask: number, work: () => Promise<void> | void): Promise<void> {
    const before = process.umask(umask);
    try {
      await work();
    } finally {
      process.umask(before);
    }
  }

  const writers: Readonly<Record<string, () => Promise<void> | void>> = {
    'that are written': () => writePrivateFile(path, 'text'),
    'that are appended to': () => appendPrivateFile(path, 'text'),
    'that are replaced': () => replacePrivateFile(path, 'text'),
    'that are databases': () => ensurePrivateDatabase(path),
  };
  for (const [which, write] of Object.entries(writers)) {
    for (const umask of [0o000, 0o022, 0o277]) {
      it(`${which} have mode 600 under a umask of ${umask.toString(8)}`, async () => {
        await under(umask, write);
        assert.equal(modeOf(path), '600');
      });
    }

    it(`${which} get mode 600 if they were accessible to others`, async () => {
      writeFileSync(path, '');
      chmodSync(path, 0o666);
      await write();
      assert.equal(modeOf(path), '600');
    });
  }

  it('include the SQLite files next to a database', () => {
    const beside = ['', '-wal', '-shm', '-journal'].map((suffix) => path + suffix);
    for (const file of beside) {
      writeFileSync(file, '');
      chmodSync(file, 0o666);
    }
    ensurePrivateDatabase(path);
    assert.deepEqual(beside.map(modeOf), ['600', '600', '600', '600']);
  });

  it('are in folders with mode 700 under any umask', async () => {
    for (const umask of [0o000, 0o022, 0o077]) {
      const inner = join(folder.path, `umask-${umask}`, 'inner');
      await under(umask, () => ensurePrivateFolder(inner));
      assert.deepEqual([modeOf(join(inner, '..')), modeOf(inner)], ['700', '700']);
    }
  });

  it('are made private with a folder that was accessible to others', async () => {
    const inner = join(folder.path, 'conversations', 'images');
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, 'image.png'), '');
    for (const [file, mode] of [
      [join(inner, 'image.png'), 0o644],
      [inner, 0o755],
      [join(folder.path, 'conversations'), 0o755],
    ] as const) {
      chmodSync(file, mode);
    }
    await ensurePrivateFolder(join(folder.path, 'conversations'));
    assert.deepEqual([join(folder.path, 'conversations'), inner, join(inner, 'image.png')].map(modeOf), [
      '700',
      '700',
      '600',
    ]);
  });

  it('do not include the target of a link in the folder', async () => {
    const own = join(folder.path, 'own');
    mkdirSync(own);
    chmodSync(own, 0o755);
    writeFileSync(path, '');
    chmodSync(path, 0o644);
    symlinkSync(path, join(own, 'link'));
    await ensurePrivateFolder(own);
    assert.equal(modeOf(path), '644');
  });

  it('are replaced atomically, without leaving other files behind', async () => {
    await writePrivateFile(path, 'old');
    await replacePrivateFile(path, 'new');
    assert.equal(readFileSync(path, 'utf8'), 'new');
    assert.deepEqual(await readdir(folder.path), ['file']);
  });

  it('keep their text if they cannot be replaced, and the temporary file is removed', async () => {
    mkdirSync(path);
    await assert.rejects(replacePrivateFile(path, 'new'));
    assert.deepEqual(await readdir(folder.path), ['file']);
  });

  it('are never overwritten if they must be new', async () => {
    await writePrivateFile(path, 'old', 'wx');
    await assert.rejects(writePrivateFile(path, 'new', 'wx'), { code: 'EEXIST' });
    assert.equal(readFileSync(path, 'utf8'), 'old');
  });
});
