import assert from 'node:assert/strict';
import { matchesGlob } from '../../../../src/agent/customizations/glob.ts';
import { readInstructionFile } from '../../../../src/agent/customizations/instructionFile.ts';
import { twinsOf } from '../../../../src/agent/customizations/twins.ts';

const ruleOf = (front: string) =>
  readInstructionFile(`---\n${front}\n---\nUse tabs.`, '.github/instructions/a.instructions.md');

describe('a file with instructions', () => {
  it('applies to its folder, and at the root to everything', () => {
    const scope = (path: string) => readInstructionFile('Use tabs.', path).scope;
    assert.deepEqual(scope('AGENTS.md'), { type: 'always' });
    assert.deepEqual(scope('packages/web/AGENTS.md'), { type: 'folder', folder: 'packages/web' });
    assert.deepEqual(scope('.claude/CLAUDE.md'), { type: 'always' });
    assert.deepEqual(scope('web/.claude/CLAUDE.md'), { type: 'folder', folder: 'web' });
    assert.deepEqual(scope('.github/copilot-instructions.md'), { type: 'always' });
  });

  it('applies to the files that its globs name, as they are written in public repositories', () => {
    assert.deepEqual(ruleOf('applyTo: "**/*.ts,**/*.{js,jsx}"').scope, {
      type: 'files',
      globs: ['**/*.ts', '**/*.{js,jsx}'],
    });
    assert.deepEqual(ruleOf('applyTo: **/*.py').scope, { type: 'files', globs: ['**/*.py'] });
    assert.deepEqual(ruleOf('applyTo:\n  - src/**\n  - *.md').scope, { type: 'files', globs: ['src/**', '*.md'] });
    assert.deepEqual(ruleOf('applyTo:\n  - "src/**, app/**"').scope, { type: 'files', globs: ['src/**', 'app/**'] });
    assert.deepEqual(ruleOf("applyTo: '**'").scope, { type: 'always' });
  });

  it('waits for the person without a glob, but a rule of Claude Code always applies', () => {
    assert.deepEqual(ruleOf('description: x').scope, { type: 'manual' });
    assert.deepEqual(readInstructionFile('Use tabs.', '.claude/rules/style.md').scope, { type: 'always' });
    assert.deepEqual(readInstructionFile('---\npaths: ["src/**"]\n---\nx', '.claude/rules/style.md').scope, {
      type: 'files',
      globs: ['src/**'],
    });
  });

  it('is not sent without its front matter, and has its name and description', () => {
    const file = ruleOf('name: Style\ndescription: Use when: writing\napplyTo: "**"');
    assert.equal(file.text, 'Use tabs.');
    assert.equal(file.name, 'Style');
    assert.equal(file.description, 'Use when: writing');
    assert.deepEqual(file.problems, []);
  });

  it('never applies by itself if its front matter is wrong', () => {
    for (const front of ['applyTo: {a: 1}', 'applyTo: 5', 'applyTo: "**\nname: x', '- a']) {
      const { scope, problems } = ruleOf(front);
      assert.deepEqual(scope, { type: 'manual' }, front);
      assert.equal(problems[0]?.severity, 'error', front);
    }
    const unclosed = readInstructionFile('---\napplyTo: "**"\nUse tabs.', 'a.instructions.md');
    assert.equal(unclosed.problems.length, 1);
  });

  it('may begin with a rule instead of front matter', () => {
    const { text, problems } = readInstructionFile('---\n\n# Style\n', '.github/copilot-instructions.md');
    assert.equal(text, '---\n\n# Style');
    assert.deepEqual(problems, []);
  });
});

describe('the glob of instructions', () => {
  const cases: readonly [string, string, boolean][] = [
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['*.ts', 'src/a.ts', true],
    ['/*.ts', 'src/a.ts', false],
    ['src/**', 'src/a/b.ts', true],
    ['src/**', 'packages/web/src/a.ts', true],
    ['src/**/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/a/b.ts', false],
    ['**/*.{ts,tsx}', 'a.tsx', true],
    ['**/{test,spec}/**/*.{js,ts}', 'lib/spec/a/b.js', true],
    ['file?.md', 'file1.md', true],
    ['[a-c].md', 'b.md', true],
    ['[!a-c].md', 'b.md', false],
    ['[z-a].md', 'b.md', false],
    ['a+b(c).md', 'a+b(c).md', true],
    ['./docs/*.md', 'docs/a.md', true],
    ['**/*.ts', 'a.tsx', false],
  ];
  for (const [glob, path, expected] of cases) {
    it(`${glob} ${expected ? 'matches' : 'does not match'} ${path}`, () => {
      assert.equal(matchesGlob(glob, path), expected);
    });
  }
});

describe('a glob that is made to be slow', () => {
  const path = `${'folder/'.repeat(40)}aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.ts`;
  for (const glob of [
    '{a,b}'.repeat(40),
    `${'{'.repeat(5_000)}${'}'.repeat(5_000)}`,
    '**/'.repeat(100),
    '*a'.repeat(40),
  ]) {
    it(`matches nothing, and takes no time: ${glob.slice(0, 10)}`, () => {
      assert.equal(matchesGlob(`${glob}x.py`, path), false);
    });
  }
});

describe('twins among instructions', () => {
  const file = (path: string, text: string, realPath = path) => ({ path, text, realPath });
  const twin = (...files: readonly ReturnType<typeof file>[]) =>
    [...twinsOf(files)].map(([path, other]) => [path, other.path]);
  const agents = file('/w/AGENTS.md', 'Use tabs.\nTest first.');

  it('are links, copies, and files that only point to another one', () => {
    assert.deepEqual(twin(agents, file('/w/CLAUDE.md', agents.text, '/w/AGENTS.md')), [
      ['/w/CLAUDE.md', '/w/AGENTS.md'],
    ]);
    assert.deepEqual(twin(agents, file('/w/CLAUDE.md', 'Use tabs.  Test first.\n')), [
      ['/w/CLAUDE.md', '/w/AGENTS.md'],
    ]);
    for (const text of [
      '@AGENTS.md',
      'AGENTS.md',
      '# CLAUDE.md\n\nSee [AGENTS.md](./AGENTS.md).',
      'Read AGENTS.md first.',
    ]) {
      assert.deepEqual(twin(file('/w/CLAUDE.md', text), agents), [['/w/CLAUDE.md', '/w/AGENTS.md']], text);
    }
    assert.deepEqual(twin(agents, file('/w/.github/copilot-instructions.md', 'See ../AGENTS.md')), [
      ['/w/.github/copilot-instructions.md', '/w/AGENTS.md'],
    ]);
  });

  it('say nothing more than the other file', () => {
    for (const text of [
      '@AGENTS.md\n\nUse spaces.',
      'See AGENTS.md. Always use spaces.',
      'See AGENTS.md and docs/style.md.',
    ]) {
      assert.deepEqual(twin(agents, file('/w/CLAUDE.md', text)), [], text);
    }
    assert.deepEqual(twin(agents, file('/w/web/CLAUDE.md', '@AGENTS.md')), []);
  });

  it('lead to the same file, however many there are', () => {
    const link = file('/w/CLAUDE.md', agents.text, '/w/AGENTS.md');
    const pointer = file('/w/.github/copilot-instructions.md', '@../CLAUDE.md');
    assert.deepEqual(twin(agents, link, pointer), [
      ['/w/CLAUDE.md', '/w/AGENTS.md'],
      ['/w/.github/copilot-instructions.md', '/w/AGENTS.md'],
    ]);
  });

  it('are never both left out', () => {
    const [a, b] = [file('/w/AGENTS.md', '@CLAUDE.md'), file('/w/CLAUDE.md', '@AGENTS.md')];
    assert.deepEqual(twin(a, b), [['/w/AGENTS.md', '/w/CLAUDE.md']]);
  });
});
