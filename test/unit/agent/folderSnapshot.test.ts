import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FolderSnapshot } from '../../../src/agent/folderSnapshot.ts';

const LARGE = 5 * 1024 * 1024;
/** A time at which all files of a test are old. */
const AFTERWARDS = Date.now() + 24 * 60 * 60_000;

describe('what a command changes in a folder', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'snapshot-')));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = async (path: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  };
  const run = (command: string, cwd = folder) => execFileSync('/bin/sh', ['-c', command], { cwd, encoding: 'utf8' });
  const git = (words: string) => run(`git -c user.name=a -c user.email=a@b.example ${words}`);

  /** A repository with a file that is committed, one that is changed, and one that Git does not have. */
  async function repository(): Promise<void> {
    run('git init -q -b main .');
    await write('.gitignore', 'ignored.txt\nbuild/\n');
    await write('src/clean.ts', 'clean\n');
    await write('src/other.ts', 'other\n');
    await write('src/dirty.ts', 'committed\n');
    git('add .');
    git('commit -q -m first');
    await write('src/dirty.ts', 'own edits\n');
    await write('src/new.ts', 'untracked\n');
    await write('ignored.txt', 'only here\n');
  }

  /** Runs a command, and returns the earlier contents of what it has changed. */
  async function changesOf(
    command: string,
    options: { git?: string; inner?: string; takenAt?: number } = { git: 'git' },
  ) {
    const snapshot = await FolderSnapshot.take(join(folder, options.inner ?? ''), options.git, options.takenAt);
    run(command);
    const { changed, unknown } = await snapshot.changes();
    const texts = changed.map(({ path, before }) => [path, before && Buffer.from(before).toString()] as const);
    return { changed: Object.fromEntries(texts.sort()), unknown: [...unknown].sort() };
  }

  const CASES: readonly (readonly [command: string, changed: Record<string, string | undefined>])[] = [
    ['true', {}],
    ['touch src/clean.ts src/dirty.ts src/new.ts', {}],
    ["sed -i 's/clean/changed/' src/clean.ts", { 'src/clean.ts': 'clean\n' }],
    ['echo more >> src/dirty.ts', { 'src/dirty.ts': 'own edits\n' }],
    ['echo more >> src/new.ts', { 'src/new.ts': 'untracked\n' }],
    [
      'rm -r src',
      {
        'src/clean.ts': 'clean\n',
        'src/other.ts': 'other\n',
        'src/dirty.ts': 'own edits\n',
        'src/new.ts': 'untracked\n',
      },
    ],
    ['echo made > src/made.ts', { 'src/made.ts': undefined }],
    ['mv src/clean.ts src/moved.ts', { 'src/clean.ts': 'clean\n', 'src/moved.ts': undefined }],
    ['git mv src/clean.ts src/moved.ts', { 'src/clean.ts': 'clean\n', 'src/moved.ts': undefined }],
    ['git checkout -q -- .', { 'src/dirty.ts': 'own edits\n' }],
    ['git stash -q -u', { 'src/dirty.ts': 'own edits\n', 'src/new.ts': 'untracked\n' }],
    ['git clean -q -f', { 'src/new.ts': 'untracked\n' }],
    ['git add -A', {}],
    ['git add -A; echo staged > src/clean.ts; git add -A', { 'src/clean.ts': 'clean\n' }],
    ['git -c user.name=a -c user.email=a@b.example commit -q -a -m second', {}],
    [
      'echo second > src/clean.ts; git -c user.name=a -c user.email=a@b.example commit -q -a -m second',
      { 'src/clean.ts': 'clean\n' },
    ],
    ['git rm -q -f src/dirty.ts', { 'src/dirty.ts': 'own edits\n' }],
    ['git rm -q --cached src/clean.ts', {}],
    ['echo x > ignored.txt; mkdir build; echo y > build/out.js', {}],
  ];
  for (const [command, expected] of CASES) {
    it(`is seen in a repository, with the content before: ${command}`, async () => {
      await repository();
      const { changed, unknown } = await changesOf(command);
      assert.deepEqual(changed, expected);
      assert.deepEqual(unknown, []);
    });
  }

  it('is seen without Git, too', async () => {
    await write('a.txt', 'one\n');
    await write('deep/er/b.txt', 'two\n');
    await write('node_modules/c.txt', 'three\n');
    const command = 'echo more >> a.txt; rm -r deep; echo made > d.txt; rm node_modules/c.txt';
    for (const options of [{ git: 'git' }, {}]) {
      const { changed, unknown } = await changesOf(command, options);
      assert.deepEqual(changed, { 'a.txt': 'one\n', 'd.txt': undefined, 'deep/er/b.txt': 'two\n' });
      assert.deepEqual(unknown, []);
      await write('a.txt', 'one\n');
      await write('deep/er/b.txt', 'two\n');
      await rm(join(folder, 'd.txt'));
      await write('node_modules/c.txt', 'three\n');
    }
  });

  it('is seen in a folder within a repository, with the line ends that Git sets', async () => {
    run('git init -q .');
    await write('.gitattributes', '*.txt eol=crlf\n');
    await write('inner/a.txt', 'one\r\ntwo\r\n');
    await write('b.txt', 'outside\r\n');
    git('add .');
    const { changed } = await changesOf('rm inner/a.txt b.txt', { git: 'git', inner: 'inner' });
    assert.deepEqual(changed, { 'a.txt': 'one\r\ntwo\r\n' });
  });

  it('is seen with the line ends that the file had, also if Git would write others', async () => {
    run('git init -q . && git config core.autocrlf true');
    await write('lf.txt', 'one\ntwo\n');
    await write('crlf.txt', 'one\r\ntwo\r\n');
    git('add . 2>/dev/null');
    const { changed } = await changesOf('rm *.txt');
    assert.deepEqual(changed, { 'crlf.txt': 'one\r\ntwo\r\n', 'lf.txt': 'one\ntwo\n' });
  });

  it('is not compared file by file if it is more than is kept', async () => {
    run('git init -q .');
    for (let count = 0; count < 20; count += 1) await write(`file${count}.txt`, 'text\n');
    git('add .');
    const snapshot = await FolderSnapshot.take(folder, 'git');
    run('sed -i s/text/words/ *.txt');
    await assert.rejects(snapshot.changes(19), /More than 19 files were changed/);
    assert.equal((await snapshot.changes(20)).changed.length, 20);
  });

  it('is seen if the editor names a Git that is not there', async () => {
    await write('a.txt', 'one\n');
    const { changed } = await changesOf('rm a.txt', { git: '/missing/git' });
    assert.deepEqual(changed, { 'a.txt': 'one\n' });
  });

  it('is seen in repositories within the folder', async () => {
    await repository();
    await write('lib/a.txt', 'one\n');
    run('git init -q . && git add .', join(folder, 'lib'));
    const { changed } = await changesOf('echo more >> lib/a.txt; rm src/clean.ts');
    assert.deepEqual(changed, { 'lib/a.txt': 'one\n', 'src/clean.ts': 'clean\n' });
  });

  it('is seen in names of any kind, and in bytes that are no text', async () => {
    run('git init -q .');
    const bytes = Buffer.from([0, 255, 13, 10, 128]);
    await write('with space "and" ä\t.bin', bytes);
    git('add .');
    const snapshot = await FolderSnapshot.take(folder, 'git');
    run('rm *.bin');
    assert.deepEqual(await snapshot.changes(), {
      changed: [{ path: 'with space "and" ä\t.bin', before: bytes, after: undefined, isOld: false }],
      unknown: [],
    });
  });

  it('is named if the earlier content is not known', async () => {
    await repository();
    await write('large.bin', Buffer.alloc(LARGE));
    const { changed, unknown } = await changesOf(
      'echo more >> large.bin; echo more >> src/clean.ts; git init -q cloned',
    );
    assert.deepEqual(changed, { 'src/clean.ts': 'clean\n' });
    assert.deepEqual(unknown, ['cloned', 'large.bin']);
    const removed = await changesOf('rm -rf .git; echo more > src/other.ts', { git: 'git', takenAt: AFTERWARDS });
    assert.ok(removed.unknown.includes('src/other.ts'));
    assert.deepEqual(removed.changed, {});
  });

  it('does not count as new what was moved from where it was not seen, because it exists only there', async () => {
    await repository();
    const command = 'mv ignored.txt kept.txt; mv src/clean.ts src/moved.ts';
    const { changed, unknown } = await changesOf(command, { git: 'git', takenAt: AFTERWARDS });
    assert.deepEqual(changed, { 'src/clean.ts': 'clean\n', 'src/moved.ts': undefined });
    assert.deepEqual(unknown, ['kept.txt']);
  });

  it('does not count as new what is no longer ignored', async () => {
    await repository();
    const { changed, unknown } = await changesOf('echo > .gitignore', { git: 'git', takenAt: AFTERWARDS });
    assert.deepEqual(changed, { '.gitignore': 'ignored.txt\nbuild/\n' });
    assert.deepEqual(unknown, ['ignored.txt']);
  });

  it('follows no link', async () => {
    await repository();
    await symlink('/etc', join(folder, 'link'));
    const { changed } = await changesOf('ln -s /etc/hosts made; rm link; ln -sf /etc/hosts src/clean.ts');
    assert.deepEqual(changed, { 'src/clean.ts': 'clean\n' });
    assert.match(await readFile(join(folder, 'src/other.ts'), 'utf8'), /other/);
  });
});
