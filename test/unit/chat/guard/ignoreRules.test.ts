import assert from 'node:assert/strict';
import { excludedBy, IgnoreRules } from '../../../../src/chat/guard/ignoreRules.ts';

describe('files ignored by Git', () => {
  const rules = (files: Readonly<Record<string, string>>) => new IgnoreRules(async (path) => files[path]);

  it('are none without rules', async () => {
    assert.equal(await rules({}).matching('src/a.ts'), undefined);
  });

  it('match a rule in any subfolder, and the rule’s file is reported', async () => {
    const found = rules({ '.gitignore': '*.log\n/dist/\n' });
    assert.equal(await found.matching('server/logs/today.log'), '.gitignore');
    assert.equal(await found.matching('dist/extension.js'), '.gitignore');
    assert.equal(await found.matching('dist/'), '.gitignore');
    assert.equal(await found.matching('src/dist/a.ts'), undefined);
  });

  it('follow the rules of nested files, relative to their folders', async () => {
    const found = rules({ 'server/.gitignore': '/data\n' });
    assert.equal(await found.matching('server/data/users.json'), 'server/.gitignore');
    assert.equal(await found.matching('data/users.json'), undefined);
  });

  it('can be included again by a nested file, but not in an ignored folder', async () => {
    const found = rules({
      '.gitignore': '*.log\nbuild/\n',
      'logs/.gitignore': '!keep.log\n',
      'build/.gitignore': '!*\n',
    });
    assert.equal(await found.matching('logs/keep.log'), undefined);
    assert.equal(await found.matching('logs/other.log'), '.gitignore');
    assert.equal(await found.matching('build/main.js'), '.gitignore');
  });

  it('include those in .git/info/exclude, unless a .gitignore includes them again', async () => {
    const found = rules({ '.git/info/exclude': 'notes/\n*.draft\n', '.gitignore': '!kept.draft\n' });
    assert.equal(await found.matching('notes/today.md'), '.git/info/exclude');
    assert.equal(await found.matching('src/other.draft'), '.git/info/exclude');
    assert.equal(await found.matching('src/kept.draft'), undefined);
  });

  it('are found by reading each rule file only once', async () => {
    const read: string[] = [];
    const found = new IgnoreRules(async (path) => {
      read.push(path);
      return undefined;
    });
    await found.matching('a/b.ts');
    await found.matching('a/c.ts');
    assert.deepEqual(read, ['.git/info/exclude', '.gitignore', 'a/.gitignore']);
  });
});

describe('files hidden by files.exclude', () => {
  const setting = {
    '**/.git': true,
    '**/*.{map,tmp}': true,
    'private/**': true,
    '**/*.js': { when: '$(basename).ts' },
  };

  it('are reported with their pattern', () => {
    assert.equal(excludedBy('src/a.map', setting), '**/*.{map,tmp}');
    assert.equal(excludedBy('b.tmp', setting), '**/*.{map,tmp}');
    assert.equal(excludedBy('private/notes.md', setting), 'private/**');
    assert.equal(excludedBy('sub/.git/config', setting), '**/.git');
  });

  it('are not those without a matching pattern, or with a disabled or conditional one', () => {
    assert.equal(excludedBy('src/a.ts', setting), undefined);
    assert.equal(excludedBy('src/a.js', setting), undefined);
    assert.equal(excludedBy('a.map', { '**/*.map': false }), undefined);
  });
});
