/** Answers that may mean several things. Each kind is one that answers made from real commits have. */
import assert from 'node:assert/strict';
import { propose } from '../../../../src/chat/apply/proposal.ts';
import { suggestedText, suggestionsIn } from '../../../../src/chat/apply/suggestion.ts';

const MARK = '// ... existing code ...';
const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

describe('an answer that may mean several things', () => {
  const functions = lines(
    'function first() {',
    '  return 1;',
    '}',
    '',
    'function second() {',
    '  return 2;',
    '}',
    '',
    'function third() {',
    '  return 3;',
    '}',
  );
  const added = ['function added() {', '  return 4;', '}'];

  it('asks where a new function goes that is between two marks', () => {
    assert.equal(propose(functions, lines(MARK, '', ...added, '', MARK), 'a.js'), undefined);
    const after = lines(MARK, '', 'function second() {', '  return 2;', '}', '', ...added, '', MARK);
    const right = functions.replace('  return 2;\n}\n', `  return 2;\n}\n\n${added.join('\n')}\n`);
    assert.equal(propose(functions, after, 'a.js'), right);
  });

  it('asks if the only new lines beside a mark have all words of a line that would stay', () => {
    const file = lines('first=1', 'load "$folder/list of items.txt"', 'save "$folder/all.txt"');
    const code = lines('# ...', 'QUIET=1 load "$folder/list of items.txt"', 'save "$folder/all.txt"');
    assert.equal(propose(file, code, 'a.sh'), undefined);
  });

  it('asks if statements that are alike are matched across others', () => {
    const stop = ['  if (stopped) {', '    return;', '  }'];
    const file = lines('function run() {', '  finish();', ...stop, '  await start(all);', ...stop, '}');
    const code = lines(
      'function run() {',
      '  attach();',
      ...stop,
      '  await begin(all);',
      '  finish();',
      `  ${MARK}`,
      '}',
    );
    const merged = propose(file, code, 'a.js');
    assert.ok(merged === undefined || merged.includes('await start(all);'), merged);
  });

  it('asks if it leaves a name without a use, whose declaration it does not show', () => {
    const file = lines('const one = load();', '', 'function run() {', '  return one(1);', '}', '', 'run();');
    const code = lines("import { two } from 'two';", MARK, '', 'function run() {', '  return two(1);', '}', '', MARK);
    assert.equal(propose(file, code, 'a.ts'), undefined);
    const kept = lines(
      "import { two } from 'two';",
      MARK,
      '',
      'function run() {',
      '  return two(one(1));',
      '}',
      '',
      MARK,
    );
    assert.equal(propose(file, kept, 'a.ts')?.includes('const one = load();\n'), true);
  });

  it('keeps an import that nothing uses any more', () => {
    const file = lines("import { one } from 'one';", '', 'function run() {', '  return one(1);', '}', '', 'run();');
    const code = lines("import { two } from 'two';", MARK, '', 'function run() {', '  return two(1);', '}', '', MARK);
    const merged = propose(file, code, 'a.ts');
    assert.ok(merged?.includes("import { one } from 'one';"), merged);
    assert.ok(merged?.includes('return two(1);'), merged);
  });

  it('asks if a function of several types is shown without its type', () => {
    const type = (name: string) => [
      `class ${name} {`,
      '  read(text) {',
      `    return ${name}.of(text);`,
      '  }',
      '}',
      '',
    ];
    const file = lines(
      'class Main {',
      '  start() {',
      '    return 1;',
      '  }',
      '}',
      '',
      ...type('Left'),
      ...type('Right'),
    );
    const code = lines('start() {', '  return 2;', '}', '', 'read(text) {', '  return text.trim();', '}');
    assert.equal(propose(file, code, 'a.js'), undefined);
  });

  it('asks if a section has another level', () => {
    const file = lines('# All', '', '## One', '', 'First text.', '', '## Two', '', 'End.');
    const code = lines('<!-- ... -->', '', '### Two', '', 'End.', '', '<!-- ... -->');
    assert.equal(propose(file, code, 'a.md'), undefined);
  });

  it('asks if it ends where the file goes on, in a language without a sign for the end', () => {
    const body = ['    first = read()', '    second = parse(first)', '    third = check(second)', '    return third'];
    const file = lines(
      'import a',
      '',
      'def one():',
      ...body,
      '',
      'def two():',
      ...body.map((line) => line.replace('third', 'last')),
    );
    const cut = (last: number) => lines(...file.replace('import a', 'import b').split('\n').slice(0, last));
    assert.equal(propose(file, cut(9), 'a.py'), undefined);
    assert.equal(propose(file, cut(10), 'a.py'), undefined);
    assert.equal(propose(file, cut(11).trimEnd().slice(0, -9), 'a.py'), undefined);
  });

  it('knows the function that a head with a mark in its block belongs to, if its name changes a little', () => {
    const body = ['    String pattern = "yyyy";', '    Gson gson = build(pattern);', '    check(gson);'];
    const method = (name: string) => [`  public void ${name}() {`, ...body, '  }'];
    const other = ['  public void other() {', '    stop();', '  }'];
    const file = lines('class A {', ...other, '', ...method('testValueIsOveriden'), '}');
    const head = ['  public void testValueIsOverridden() {', '    // ...', '  }'];
    const code = lines('class A {', '  // ...', '', ...head, '}');
    assert.equal(propose(file, code, 'A.java'), file.replace('Overiden', 'Overridden'));
  });
});

describe('a comment with the path of the file', () => {
  const file = lines('first();', '', 'second();');
  const applied = (code: string, path: string) => {
    const texts = suggestionsIn(code, 'js').map((suggestion) => suggestedText(file, suggestion, path)?.text);
    return texts[0];
  };

  it('is no part of its text, unless the file has it', () => {
    assert.equal(
      applied(lines('// src/a.js', 'first();', '', 'second(1);'), '/shop/src/a.js'),
      file.replace('second()', 'second(1)'),
    );
    assert.equal(
      applied(lines('// src/b.js', 'first();', '', 'second();'), '/a.js'),
      lines('// src/b.js', file.trimEnd()),
    );
  });

  it('begins another file only after a blank line', () => {
    const code = lines(
      '// a.js',
      'first();',
      '',
      'function read() {',
      '  // list.txt',
      '}',
      '',
      '// b.js',
      'second();',
    );
    assert.equal(suggestionsIn(code, 'js').length, 2);
  });
});
