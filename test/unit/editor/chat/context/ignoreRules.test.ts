import assert from 'node:assert/strict';
import { excludedBy, IgnoreRules } from '../../../../../src/editor/chat/context/ignoreRules.ts';

describe('what git leaves out', () => {
  const rules = (files: Readonly<Record<string, string>>) => new IgnoreRules(async (path) => files[path]);

  it('is nothing where there are no rules', async () => {
    assert.equal(await rules({}).matching('src/a.ts'), undefined);
  });

  it('is what a rule names, in any folder below it, and is told by the file that has the rule', async () => {
    const found = rules({ '.gitignore': '*.log\n/dist/\n' });
    assert.equal(await found.matching('server/logs/today.log'), '.gitignore');
    assert.equal(await found.matching('dist/extension.js'), '.gitignore');
    assert.equal(await found.matching('dist/'), '.gitignore');
    assert.equal(await found.matching('src/dist/a.ts'), undefined);
  });

  it('follows the rules of nested files, relative to where they are', async () => {
    const found = rules({ 'server/.gitignore': '/data\n' });
    assert.equal(await found.matching('server/data/users.json'), 'server/.gitignore');
    assert.equal(await found.matching('data/users.json'), undefined);
  });

  it('lets a deeper file take a path back, but not from a folder that is left out', async () => {
    const found = rules({
      '.gitignore': '*.log\nbuild/\n',
      'logs/.gitignore': '!keep.log\n',
      'build/.gitignore': '!*\n',
    });
    assert.equal(await found.matching('logs/keep.log'), undefined);
    assert.equal(await found.matching('logs/other.log'), '.gitignore');
    assert.equal(await found.matching('build/main.js'), '.gitignore');
  });

  it('is also what the clone alone leaves out, unless a .gitignore takes it back', async () => {
    const found = rules({ '.git/info/exclude': 'notes/\n*.draft\n', '.gitignore': '!kept.draft\n' });
    assert.equal(await found.matching('notes/today.md'), '.git/info/exclude');
    assert.equal(await found.matching('src/other.draft'), '.git/info/exclude');
    assert.equal(await found.matching('src/kept.draft'), undefined);
  });

  it('reads each file once', async () => {
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

describe('what the setting files.exclude hides', () => {
  const setting = {
    '**/.git': true,
    '**/*.{map,tmp}': true,
    'private/**': true,
    '**/*.js': { when: '$(basename).ts' },
  };

  it('is told by its pattern', () => {
    assert.equal(excludedBy('src/a.map', setting), '**/*.{map,tmp}');
    assert.equal(excludedBy('b.tmp', setting), '**/*.{map,tmp}');
    assert.equal(excludedBy('private/notes.md', setting), 'private/**');
    assert.equal(excludedBy('sub/.git/config', setting), '**/.git');
  });

  it('is neither what no pattern names, nor what is off or hangs on a condition', () => {
    assert.equal(excludedBy('src/a.ts', setting), undefined);
    assert.equal(excludedBy('src/a.js', setting), undefined);
    assert.equal(excludedBy('a.map', { '**/*.map': false }), undefined);
  });
});
