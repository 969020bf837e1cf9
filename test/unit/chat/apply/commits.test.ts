/** Kinds of answers that were made from real commits, in our own words. */
import assert from 'node:assert/strict';
import { propose } from '../../../../src/chat/apply/proposal.ts';

const MARK = '// ... existing code ...';
const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

describe('an answer in the shape of a commit', () => {
  it('keeps the indentation of prose', () => {
    const file = lines('# All', '', '* One:', '    first', '', '* Two:', '    second', '', '## Next', '', 'Old.');
    const code = lines('## Next', '', '* New:', '  third', '  - fourth');
    assert.equal(propose(file, code, 'a.md'), file.replace('Old.', '* New:\n  third\n  - fourth'));
  });

  it('finds sections that are within different ones', () => {
    const file = lines(
      '# All',
      '',
      '## One',
      '',
      '### A',
      '',
      'a',
      '',
      '## Two',
      '',
      '### B',
      '',
      'b',
      '',
      '## C',
      '',
      'c',
    );
    const code = lines(
      '<!-- ... -->',
      '',
      '### A',
      '',
      'x',
      '',
      '<!-- ... -->',
      '',
      '### B',
      '',
      'y',
      '',
      '<!-- ... -->',
    );
    assert.equal(propose(file, code, 'a.md'), file.replace('\na\n', '\nx\n').replace('\nb\n', '\ny\n'));
  });

  it('keeps the sections within one whose text is shown alone', () => {
    const file = lines(
      '# All',
      '',
      'First.',
      '',
      '## One',
      '',
      'One.',
      '',
      '### Inner',
      '',
      'Inner.',
      '',
      '## Two',
      '',
      'End.',
    );
    assert.equal(propose(file, lines('# All', '', 'Other.'), 'a.md'), file.replace('First.', 'Other.'));
    assert.equal(propose(file, lines('## One', '', 'Other.'), 'a.md'), file.replace('One.\n', 'Other.\n'));
  });

  it('asks if it shows a section within another one than the file does', () => {
    const file = lines('# All', '', '## One', '', 'a', '', '## Two', '', '### Inner', '', 'b', '', '## Three', '', 'c');
    assert.equal(propose(file, lines('## One', '', 'x', '', '### Inner', '', 'y'), 'a.md'), undefined);
  });

  const workflow = lines(
    'on:',
    '  push:',
    'jobs:',
    '  build:',
    '    steps:',
    '      - uses: tools/checkout@v1',
    '      - uses: tools/node@v1',
    '        with:',
    "          version: '20'",
    '          cache: npm',
    '      - run: npm ci',
  );

  it('finds a step by its name, whatever the version, and its keys', () => {
    const code = lines('- uses: tools/node@v2', '  with:', "    version: '22'", '    cache: npm');
    const right = workflow.replace('node@v1', 'node@v2').replace("'20'", "'22'");
    assert.equal(propose(workflow, code, 'a.yml'), right);
    const marked = lines(
      '# ...',
      'jobs:',
      '  build:',
      '    steps:',
      '      # ...',
      '      - uses: tools/node@v2',
      '        with:',
      "          version: '22'",
      '          # ...',
      '      # ...',
    );
    assert.equal(propose(workflow, marked, 'a.yml'), right);
  });

  it('replaces one key that is most of the file, and keeps the others', () => {
    const code = workflow.split('\n').slice(2).join('\n').replace('npm ci', 'npm test');
    assert.equal(propose(workflow, code, 'a.yml'), workflow.replace('npm ci', 'npm test'));
  });

  it('adds entries of a list that are like those before them', () => {
    const entry = (version: string) => [`    - IMAGE: "base-${version}"`, `      ARCH: "64"`];
    const file = lines('jobs:', '  matrix:', ...entry('1'), ...entry('2'), ...entry('3'), 'end: true');
    const code = lines('jobs:', '  matrix:', '    # ...', ...entry('4'), ...entry('5'), '# ...');
    const right = lines('jobs:', '  matrix:', ...['1', '2', '3', '4', '5'].flatMap(entry), 'end: true');
    assert.equal(propose(file, code, 'a.yml'), right);
  });

  it('changes a key with a slash in its name', () => {
    const file = lines('{', '  "a": 1,', '  "@scope/tool": "^4.11.2",', '  "c": 3', '}');
    const code = lines('{', `  ${MARK}`, '  "@scope/tool": "^5.0.3",', `  ${MARK}`, '}');
    assert.equal(propose(file, code, 'a.json'), file.replace('^4.11.2', '^5.0.3'));
  });

  it('asks if it shows all parts of a component but one, or ends within a part', () => {
    const template = ['<template>', '  <p>', '    {{ a }}', '    {{ b }}', '    {{ c }}', '  </p>', '</template>', ''];
    const style = ['<style>', 'p {', '  color: red;', '  margin: 0;', '}', '</style>'];
    const file = lines(...template, '<script>', 'const a = 1;', '</script>', '', ...style);
    assert.equal(propose(file, lines(...template, ...style).replace('red', 'blue'), 'a.vue'), undefined);
    assert.equal(propose(file, lines(...template.slice(0, 6)).replace('{{ a }}', '{{ d }}'), 'a.vue'), undefined);
  });

  it('asks if most of a file is shown, but lacks items in several places', () => {
    const rule = (name: string) => [`.${name} {`, `  width: ${name.length}px;`, `  height: ${name.length}px;`, '}', ''];
    const small = (name: string) => [`.${name} { color: red; }`, ''];
    const file = [...rule('one'), ...small('a'), ...small('b'), ...rule('three'), ...small('c'), ...rule('fourth')];
    const code = [...rule('one'), ...rule('three'), ...rule('fourth')].join('\n').replace('width: 3', 'width: 4');
    assert.equal(propose(lines(...file), code, 'a.css'), undefined);
  });

  it('asks if a mark would stand for nothing while other lines vanish', () => {
    const file = lines('.a {', '  color: red;', '  margin: 0;', '  padding: 0;', '}');
    const code = lines('.a {', `  ${MARK}`, '  color: red;', '}');
    assert.equal(propose(file, code, 'a.scss'), undefined);
  });

  it('asks if it shows a piece of a block after a mark', () => {
    const file = lines(
      'def run(all):',
      '    for one in all:',
      '        if one:',
      '            use(one)',
      '            end(one)',
    );
    const code = lines('def run(all):', '    # ...', '            use(one, 1)', '            end(one)');
    assert.equal(propose(file, code, 'a.py'), undefined);
  });

  it('asks if a mark is within a text over several lines', () => {
    const file = lines('const text = `', '  one', '  two', '`;', 'const b = 1;');
    assert.equal(propose(file, lines('const text = `', `  ${MARK}`, '  three', '`;'), 'a.js'), undefined);
  });

  it('reads dots within a comment over several lines as text', () => {
    const file = lines(
      'type A struct {',
      '\t// Use is shown.',
      '\tUse string',
      '',
      '\t// Long is shown, too.',
      '\tLong string',
      '}',
    );
    const comment = ['\t// Use is shown:', '\t//   ... repeats the previous value.', '\t//   | divides values.'];
    const code = lines(
      '// ...',
      'type A struct {',
      ...comment,
      '\tUse string',
      '',
      '\t// Long is shown, too.',
      '\tLong string',
      '}',
    );
    assert.equal(propose(file, code, 'a.go'), file.replace('\t// Use is shown.', comment.join('\n')));
  });

  it('replaces a comment over several lines after a mark', () => {
    const file = lines('const a = 1;', '/**', ' * Old one.', ' * Old two.', ' */', 'function run() {', '  go(1);', '}');
    const code = lines(MARK, '/**', ' * New one.', ' */', 'function run() {', '  go(2);', '}');
    const right = lines('const a = 1;', '/**', ' * New one.', ' */', 'function run() {', '  go(2);', '}');
    assert.equal(propose(file, code, 'a.js'), right);
  });

  it('asks if it declares a name again, unless it takes the same names from another value', () => {
    const file = lines(
      "import one from './one.js';",
      "import { two } from './two.js';",
      'const { a, b } = one;',
      'run(a, b);',
    );
    assert.equal(propose(file, lines(MARK, 'const two = load();', 'run(a, b);'), 'a.js'), undefined);
    const code = lines(MARK, 'const { a, b } = other;', MARK);
    assert.equal(propose(file, code, 'a.js'), file.replace('} = one', '} = other'));
  });

  it('keeps what follows a block without a sign for its end, which ends with a mark', () => {
    const file = lines(
      'class A(object):',
      '    x = 1',
      '',
      '',
      'class B:',
      '    y = 1',
      '',
      '',
      'class C:',
      '    z = 1',
    );
    const code = lines('# ...', '', 'class A:', '    # ...', '', '', 'class C:', '    z = 2', '', '# ...');
    const right = file.replace('(object)', '').replace('z = 1', 'z = 2');
    assert.equal(propose(file, code, 'a.py'), right);
  });

  it('asks if two statements are equally like the one that it shows', () => {
    const file = lines('const all = [1];', 'accept<One>([all]);', 'accept<OneSync>([all]);');
    assert.equal(propose(file, lines('const all = [1];', 'accept<SyncOne>([all]);'), 'a.ts'), undefined);
  });

  it('puts a new import beside those of its package', () => {
    const imports = (...names: readonly string[]) => names.map((name) => `import ${name};`);
    const all = ['java.io.Reader', 'java.io.Closeable', 'java.util.Map', 'com.a.B'];
    const body = ['', 'class A {', '  int a = 1;', '}'];
    const code = lines(MARK, ...imports('java.io.Writer'), MARK, ...body).replace('= 1', '= 2');
    const right = lines(...imports(...all.slice(0, 2), 'java.io.Writer', ...all.slice(2)), ...body).replace(
      '= 1',
      '= 2',
    );
    assert.equal(propose(lines(...imports(...all), ...body), code, 'A.java'), right);
  });

  const call = (name: string, uses: string) => [
    '',
    `export function ${name}(book) {`,
    '  log(book);',
    `  return ${uses};`,
    '}',
  ];
  const helper = (name: string) => ['', `function ${name}(book) {`, '  return book.title.trim();', '}'];
  const shelf = lines(
    "import { log } from './log.js';",
    "import { sort } from './sort.js';",
    ...helper('titleOf'),
    ...call('add', 'sort(titleOf(book))'),
    ...helper('nameOf'),
    ...call('remove', 'sort(nameOf(book))'),
    ...helper('last'),
  );

  it('replaces a whole file that lacks what nothing in it uses any more', () => {
    const whole = lines(
      "import { log } from './log.js';",
      ...call('add', 'titles.get(book)'),
      ...call('remove', 'names.get(book)'),
      ...helper('last'),
    );
    assert.equal(propose(shelf, whole, 'a.js'), whole);
  });

  it('replaces a whole file without an import whose name only a comment still has', () => {
    const whole = shelf
      .replace("import { sort } from './sort.js';\n", '')
      .replaceAll(/sort\((\w+\(book\))\)/g, '$1 /* sort */');
    assert.equal(propose(shelf, whole.replaceAll(' /* sort */', ''), 'a.js'), whole.replaceAll(' /* sort */', ''));
    const noted = shelf.replace('function titleOf', '// Names are in the order of sort.\nfunction titleOf');
    const changed = noted.replace("import { sort } from './sort.js';\n", '').replaceAll(/sort\((\w+\(book\))\)/g, '$1');
    assert.equal(propose(noted, changed, 'a.js'), changed);
  });

  it('asks if several functions are missing that the rest of it still uses', () => {
    const part = lines(
      "import { log } from './log.js';",
      "import { sort } from './sort.js';",
      ...call('add', 'sort(titleOf(book), 1)'),
      ...call('remove', 'sort(nameOf(book), 1)'),
      ...helper('last'),
    );
    assert.equal(propose(shelf, part, 'a.js'), undefined);
  });

  it('replaces a whole file without its last function if the rest no longer uses it', () => {
    const file = lines("import { log } from './log.js';", ...call('add', 'titleOf(book)'), ...helper('titleOf'));
    const whole = lines("import { log } from './log.js';", ...call('add', 'book.title'));
    assert.equal(propose(file, whole, 'a.js'), whole);
    const part = whole.replace('book.title', 'titleOf(book, 1)');
    assert.equal(propose(file, part, 'a.js'), file.replace('titleOf(book);', 'titleOf(book, 1);'));
  });

  const visit = lines(
    '// Visits all books.',
    '// Each of them once.',
    'export function visit(books) {',
    '  const seen = new Set();',
    '  for (const book of books) {',
    '    if (seen.has(book.id)) {',
    '      continue;',
    '    }',
    '    seen.add(book.id);',
    '    report({',
    '      book,',
    '      place: { row: book.row }',
    '    });',
    '  }',
    '  for (const book of books) {',
    '    if (book.isNew) {',
    '      continue;',
    '    }',
    '    close(book);',
    '  }',
    '  return seen.size;',
    '}',
    '',
    'export function none() {',
    '  return 0;',
    '}',
  );

  it('finds the lines around marks within blocks whose ends it omits', () => {
    const inner = [
      '    if (seen.has(book.id)) {',
      `      ${MARK}`,
      '    seen.add(book.id);',
      '    log(book);',
      '    report({',
    ];
    const code = lines(
      'export function visit(books) {',
      `  ${MARK}`,
      ...inner,
      `  ${MARK}`,
      '  return seen.size;',
      '}',
    );
    assert.equal(
      propose(visit, code, 'a.js'),
      visit.replace('(book.id);\n    rep', '(book.id);\n    log(book);\n    rep'),
    );
  });

  it('takes over a comma that a line of signs gets within a function', () => {
    const inner = ['      book,', '      place: { row: book.row },', '      count: 1', '    });'];
    const code = lines('export function visit(books) {', `  ${MARK}`, ...inner, `  ${MARK}`, '}');
    assert.equal(propose(visit, code, 'a.js'), visit.replace('book.row }\n', 'book.row },\n      count: 1\n'));
  });

  it('finds a function below a mark that stands for a part of its comment', () => {
    const code = lines(
      MARK,
      '',
      '// Visits all books.',
      MARK,
      'export function visit(books) {',
      `  ${MARK}`,
      '    seen.add(book.id);',
      '    log(book);',
      '    report({',
      `  ${MARK}`,
      '}',
      '',
      MARK,
    );
    assert.equal(
      propose(visit, code, 'a.js'),
      visit.replace('(book.id);\n    rep', '(book.id);\n    log(book);\n    rep'),
    );
  });

  it('asks if the lines beside marks are in several places', () => {
    const inner = ['      continue;', '    }', '    log(book);', `    ${MARK}`];
    const code = lines('export function visit(books) {', `  ${MARK}`, ...inner, '  return seen.size;', '}');
    assert.equal(propose(visit, code, 'a.js'), undefined);
  });

  it('keeps the beginning of a text that describes a function', () => {
    const file = lines(
      'def run(path):',
      '    """Runs what is in a file.',
      '',
      '    :param path: the flie.',
      '    """',
      '    read(path)',
      '    start()',
      '',
      '',
      'def stop():',
      '    pass',
    );
    const code = lines(
      'def run(path):',
      '    # ... existing code ...',
      '    :param path: the file.',
      '    """',
      '    # ... existing code ...',
      '    start()',
    );
    const result = propose(file, code, 'a.py');
    assert.ok(result === undefined || result.includes('Runs what is in a file.'));
    const whole = code
      .replace('    :param', '\n    :param')
      .replace('...\n\n', '...\n\n')
      .replace('def run(path):\n', 'def run(path):\n    """Runs what is in a file.\n\n')
      .replace('    # ... existing code ...\n\n    :param', '    :param');
    assert.equal(propose(file, whole, 'a.py'), file.replace('flie', 'file'));
  });

  it('replaces a whole file whose imports were rewritten', () => {
    const body = [
      '',
      'fn one() {',
      '    a(1);',
      '    a(2);',
      '    a(3);',
      '    a(4);',
      '}',
      '',
      'fn two() {',
      '    b(1);',
      '    b(2);',
      '}',
    ];
    const file = lines('use std::fs;', 'use std::io;', 'use std::path::Path;', ...body);
    const code = lines('use std::{io, path::Path};', ...body).replace('b(2)', 'b(3)');
    assert.equal(propose(file, code, 'a.rs'), code);
  });

  it('recognizes an import over several lines, and a call whose name is on its next line', () => {
    const file = lines(
      'import {',
      '  a,',
      '  b,',
      "} from './x.js';",
      '',
      'task(',
      "  'build',",
      '  all(a),',
      ');',
      '',
      'task(',
      "  'test',",
      '  all(b),',
      ');',
    );
    const code = lines("import { a, b, c } from './x.js';", MARK, 'task(', "  'test',", '  all(b, c),', ');');
    const right = file.replace('{\n  a,\n  b,\n}', '{ a, b, c }').replace('all(b)', 'all(b, c)');
    assert.equal(propose(file, code, 'a.js'), right);
  });

  it('asks if an import vanishes whose names are still used', () => {
    const imports = [
      "import { one } from './one.js';",
      "import { two } from './two.js';",
      "import { three } from './three.js';",
    ];
    const file = lines(...imports, '', 'function run() {', '  one(two(three(1)));', '}');
    const shown = [imports[0] ?? '', imports[2] ?? ''];
    const code = lines(...shown, MARK, '', 'function run() {', '  one(two(three(2)));', '}', MARK);
    assert.equal(propose(file, code, 'a.js'), undefined);
    const python = ['def run():', '    log(1)', '    log(2)', '    log(3)', '    return typing.Any'];
    const answer = lines('from .a import log', '', ...python).replace('log(3)', 'log(4)');
    assert.equal(propose(lines('import typing', '', 'from .a import log', '', ...python), answer, 'a.py'), undefined);
  });

  it('asks if statements that are much alike could be the one between two marks', () => {
    const call = (options: string) => `await call('test', { ${options} }).send('');`;
    const file = lines(call("one: ''"), call("one: '' as Text"), 'end();');
    assert.equal(propose(file, lines(MARK, call('two: true, stop: now()'), MARK), 'a.ts'), undefined);
  });

  it('asks if it shows an item twice that a list has once', () => {
    const steps = (version: number, size: number) => [
      `      - uses: tools/checkout@v${version}`,
      `      - uses: tools/python@v${version}`,
      '        with:',
      `          size: ${size}`,
    ];
    const cache = (version: number) => ['      - name: keep the cache', `        uses: tools/cache@v${version}`];
    const first = ['jobs:', '  one:', '    steps:', ...steps(1, 1)];
    const file = lines(...first, '  two:', '    steps:', ...steps(1, 2), ...cache(1));
    const code = lines(...steps(2, 1), '', ...steps(2, 2), '', ...cache(2));
    assert.equal(propose(file, code, 'a.yml'), undefined);
  });

  it('finds a block by its lines if its first line tells nothing', () => {
    const attempt = (call: string) => [
      '  try {',
      `    ${call};`,
      `    log('${call}');`,
      '  } catch {',
      '    stop();',
      '  }',
    ];
    const file = lines('function run() {', ...attempt('first()'), '  pause();', ...attempt('second()'), '}');
    const code = lines(
      'function run() {',
      `  ${MARK}`,
      '  try {',
      '    second();',
      "    log('done');",
      `    ${MARK}`,
      '}',
    );
    assert.equal(propose(file, code, 'a.js'), undefined);
    const closed = code.replace(`    ${MARK}\n`, '  } catch {\n    stop();\n  }\n');
    assert.equal(propose(file, closed, 'a.js'), file.replace("log('second()')", "log('done')"));
  });

  it('finds an object of a list by its name, and a rule of a style sheet by its selector', () => {
    const entry = (name: string, value: number) => [
      '    {',
      `      "name": "${name}",`,
      `      "value": ${value}`,
      '    }',
    ];
    const file = lines('{', '  "all": [', ...entry('one', 1), ...['    ,'].slice(1), '  ]', '}');
    const two = file.replace('    }\n  ]', `    },\n${entry('two', 2).join('\n')}\n  ]`);
    const code = lines('{', '  "all": [', `    ${MARK}`, ...entry('two', 3), '  ]', '}');
    assert.equal(propose(two, code, 'a.json'), two.replace('"value": 2', '"value": 3'));
    const rules = lines('.a :is(h1, h2) {', '  margin: 0;', '}', '.b :is(h1, h2) {', '  margin: 1px;', '}');
    const rule = lines('/* ... */', '.b :is(h1, h2) {', '  margin: 2px;', '}');
    assert.equal(propose(rules, rule, 'a.css'), rules.replace('1px', '2px'));
  });

  it('reads conditions of a type on lines of their own as part of its first line', () => {
    const type = (name: string, value: number) => [
      `impl<T> Read for ${name}<T>`,
      'where',
      '    T: Copy,',
      '{',
      '    fn read(&self) -> u32 {',
      `        ${value}`,
      '    }',
      '}',
      '',
    ];
    const file = lines(...type('One', 1), ...type('Two', 2)).trimEnd();
    const code = lines('// ...', ...type('Two', 3)).trimEnd();
    assert.equal(propose(file, code, 'a.rs'), file.replace('        2', '        3'));
  });

  it('replaces the text that describes a function, and a comment above an item with a mark', () => {
    const file = lines('def run(all):', '    """Runs all."""', '    first(all)', '    second(all)', '    third(all)');
    const code = lines('def run(all):', '    """Runs', '    what it gets."""', '    # ...', '    third(all, 1)');
    const right = file.replace('Runs all.', 'Runs\n    what it gets.').replace('third(all)', 'third(all, 1)');
    assert.equal(propose(file, code, 'a.py'), right);
    const type = lines(
      '/** All that was there before. */',
      'class A {',
      '  one() {}',
      '',
      '  two() {',
      '    go();',
      '  }',
      '}',
    );
    const shown = lines(
      '/** Quite other words. */',
      'class A {',
      `  ${MARK}`,
      '',
      '  two() {',
      '    go(1);',
      '  }',
      '}',
    );
    assert.equal(
      propose(type, shown, 'a.js'),
      type.replace('All that was there before', 'Quite other words').replace('go()', 'go(1)'),
    );
  });

  it('finds a function with another name if it omits its lines, and asks if it shows most of them', () => {
    const body = [
      '    const list = read(all);',
      '    check(list);',
      '    sort(list);',
      '    await write(list);',
      '  });',
    ];
    const test = (title: string) => [`  it('${title}', async () => {`, ...body, ''];
    const file = lines("describe('all', () => {", '  clear();', '', ...test('keeps the list that was read'), '});');
    const code = lines(
      "describe('all', () => {",
      `  ${MARK}`,
      '',
      "  it('keeps the list as it was read', async () => {",
      `    ${MARK}`,
      '  });',
      '});',
    );
    assert.equal(propose(file, code, 'a.js'), file.replace('that was', 'as it was'));
    const whole = lines("describe('all', () => {", `  ${MARK}`, '', ...test('does something else'), '});').replace(
      'sort(',
      'order(',
    );
    assert.equal(propose(file, whole, 'a.js'), undefined);
  });

  it('keeps all imports that replace one', () => {
    const file = lines(
      "import { one, two } from './all.js';",
      "import { three } from './three.js';",
      '',
      'run(one, two, three);',
    );
    const imports = [
      "import { one } from './one.js';",
      "import { two } from './two.js';",
      "import { three } from './three.js';",
    ];
    const right = lines(...imports, '', 'run(one, two, three);');
    assert.equal(propose(file, lines(...imports, MARK), 'a.js'), right);
  });

  it('asks if a function may be an overload of the one with its name', () => {
    const file = lines('class A {', '  void stop(Call call) {', '    all.clear();', '    call.end();', '  }', '}');
    const code = lines('class A {', `  ${MARK}`, '', '  void stop() {', '    all.clear();', '  }', '}');
    assert.equal(propose(file, code, 'A.java'), undefined);
  });

  it('tells conditions of the same words apart by their lines, also wrapped ones', () => {
    const block = (head: readonly string[], name: string) => [
      ...head,
      `        ${name} = value(sign)`,
      `        use(${name})`,
    ];
    const first = block(["    if sign == 'a' or sign == 'b':"], 'one');
    const second = block(["    if sign == '+' or (sign == '-' and not test(value[0], kind)):"], 'two');
    const file = lines('def run(sign):', ...first, ...second, '    end()');
    const head = ["    if sign == '+' or sign == '!' or (", "            sign == '-' and not test(value[0], kind)):"];
    const code = lines('def run(sign):', '    # ...', ...head, '        # ...', '        use(two, 2)', '    # ...');
    const right = lines('def run(sign):', ...first, ...block(head, 'two'), '    end()').replace(
      'use(two)',
      'use(two, 2)',
    );
    assert.equal(propose(file, code, 'a.py'), right);
  });

  it('finds a method in the type that has its lines, whatever type the others are of', () => {
    const type = (name: string, body: readonly string[]) => [`class ${name}:`, '    def get(self, key):', ...body, ''];
    const [left, right] = [
      ['        a(key)', '        b(key)', '        c(key)'],
      ['        d(key)', '        e(key)', '        f(key)'],
    ];
    const other = ['    def only(self):', '        g(1)'];
    const file = lines(...type('Left', left), ...type('Right', right), ...other);
    const code = lines('    def get(self, key):', ...left, '        h(key)', '', '    def only(self):', '        g(2)');
    assert.equal(propose(file, code, 'a.py'), file.replace('c(key)', 'c(key)\n        h(key)').replace('g(1)', 'g(2)'));
  });
});

describe('an answer without marks in the shape of a commit', () => {
  it('replaces an import of the same name, although it shows nothing else', () => {
    const file = lines("import { a } from 'a';", "import type { Render } from 'far/away';", '', 'start(a);');
    const code = lines("import type { Render } from './near';");
    assert.equal(propose(file, code, 'a.ts'), file.replace('far/away', './near'));
    const php = lines('<?php', '', 'use Tools\\TestCase;', '', 'class ShelfTest extends TestCase', '{', '}');
    assert.equal(
      propose(php, lines('use Tools\\Unit\\TestCase;'), 'a.php'),
      php.replace('Tools\\Test', 'Tools\\Unit\\Test'),
    );
  });

  it('finds what has no name by the comment before it', () => {
    const comment = ['# Shells without this option list no files', '# whose names begin with a dot.'];
    const file = lines(
      '#!/bin/sh',
      '',
      ...comment,
      'if [ -n "$(which setopt)" ]; then',
      '  setopt dots',
      'fi',
      '',
      'run',
    );
    const code = lines(...comment, 'if type setopt; then', '  setopt dots', 'fi');
    assert.equal(propose(file, code, 'a.sh'), file.replace('[ -n "$(which setopt)" ]', 'type setopt'));
    const doc = ['  /**', '   * Creates an instance of this type.', '   */'];
    const java = lines('public interface Creator<T> {', ...doc, '  public T create(Type type);', '}');
    assert.equal(propose(java, lines(...doc, '  T create(Type type);'), 'A.java'), java.replace('public T', 'T'));
  });

  it('finds statements of a script that are like its own', () => {
    const file = lines(
      '#!/bin/sh',
      'strip out/tool',
      'cp man/tool.1 "$TO/man1/tool.1"',
      'cp man/lib.1 "$TO/man1/lib.1"',
      'ls',
    );
    const code = lines('cp docs/man/tool.1 "$TO/man1/tool.1"', 'cp docs/man/lib.1 "$TO/man1/lib.1"');
    assert.equal(propose(file, code, 'a.sh'), file.replaceAll('cp man', 'cp docs/man'));
  });

  it('finds a comment of the file that it changes beside a method', () => {
    const doc = (name: string) => [
      '/**',
      ` * Writes messages to ${name}.`,
      ' *',
      ' * Needs a socket of the service.',
      ' */',
    ];
    const method = (call: string) => [
      '    public function format($record)',
      '    {',
      `        return ${call};`,
      '    }',
    ];
    const file = lines('<?php', ...doc('Fluetd'), '', 'class Formatter', '{', ...method('json($record)'), '}');
    const code = lines(...doc('Fluentd'), '', ...method('text($record)'));
    const right = file.replace('Fluetd', 'Fluentd').replace('json(', 'text(');
    assert.equal(propose(file, code, 'a.php'), right);
  });

  it('replaces several functions that are most of a script', () => {
    const texts = ['first', 'second', 'third', 'fourth'].map((text) => `  echo "${text}"`);
    const fn = (name: string, text: string) => [`${name}() {`, ...texts, `  ${text} "$1"`, '}', ''];
    const [head, tail] = [['VERSION=1', ''], ['one "$@"']];
    const file = lines(...head, ...fn('one', 'run'), ...fn('two', 'run'), ...fn('three', 'run'), ...tail);
    const code = lines(...fn('one', 'go'), ...fn('three', 'go'));
    const right = lines(...head, ...fn('one', 'go'), ...fn('two', 'run'), ...fn('three', 'go'), ...tail);
    assert.equal(propose(file, code, 'a.sh'), right);
  });

  it('asks where something belongs that the type of what is beside it has not', () => {
    const rust = lines(
      'impl Glob {',
      '    fn has_prefix(&self) -> bool {',
      '        self.is(1)',
      '    }',
      '}',
      '',
      'check!(one);',
    );
    const changed = ['fn has_prefix(&self) -> bool {', '    self.is(2)', '}'];
    assert.equal(propose(rust, lines(...changed, '', 'check!(two);'), 'a.rs'), undefined);
    const js = lines('class A {', '  read() {', '    return 1;', '  }', '}', '', 'function open() {', '  run();', '}');
    const method = ['read() {', '  return 2;', '}'];
    assert.equal(propose(js, lines(...method, '', 'function close() {', '  end();', '}'), 'a.js'), undefined);
  });

  it('asks if it shows something deeper beside an item of the file, whose type it does not show', () => {
    const file = lines(
      'type Id = string',
      '',
      'interface One {',
      '  /** The ID. */',
      '  id: Id;',
      '}',
      '',
      'interface Two {',
      '  id: Id;',
      '}',
    );
    const code = lines(
      'interface One {',
      '  id: Id;',
      '  name: string;',
      '}',
      '',
      '  /** The second ID. */',
      '  id: Id;',
    );
    assert.equal(propose(file, code, 'a.ts'), undefined);
  });

  it('does not read a key that is indented more as a part of the one before', () => {
    const file = lines(
      '{',
      '  "name": "a",',
      '  "version": "1",',
      '  "main": "a.js",',
      '  "needs": {',
      '    "b": "1"',
      '  }',
      '}',
    );
    const merged = propose(file, lines('  "version": "2",', '', '    "b": "2",'), 'package.json');
    assert.ok(merged === undefined || JSON.parse(merged).needs.b === '2', merged);
  });

  it('asks if a document that is mostly rewritten lacks a section', () => {
    const section = (name: string, text: string) => [`## ${name}`, '', text, `More of ${text}`, ''];
    const file = lines(
      '# All',
      '',
      'First.',
      '',
      ...section('Start', 'a'),
      ...section('Sponsors', 'b'),
      ...section('Questions', 'c'),
    );
    const code = lines('# All', '', ...section('Begin', 'x'), ...section('Questions', 'y'), ...section('License', 'z'));
    assert.equal(propose(file, code, 'a.md'), undefined);
  });

  it('asks if what looks like a whole file lacks a function that others may use', () => {
    const body = ['one', 'two', 'three', 'four', 'five', 'six'].map((name) => `  take(${name}, all);`);
    const head = ["import { take } from './take';", ''];
    const shown = ['export const show = (value) => {', '  return String(value);', '};', ''];
    const file = lines(...head, ...shown, 'const replace = (value) => {', ...body, '  return value;', '};');
    const code = lines(
      "import { take, isSymbol } from './take';",
      '',
      'const replace = (value) => {',
      ...body,
      '  return isSymbol(value) ? value.text : value;',
      '};',
    );
    const merged = propose(file, code, 'a.ts');
    assert.ok(merged === undefined || merged.includes('export const show'), merged);
  });

  it('asks if a declaration may be one more of several of its name', () => {
    const hook = (name: string, handler: string) => [
      '  addHook<',
      '    Route extends AnyRoute = AnyRoute,',
      '    Config = DefaultConfig',
      '  >(',
      `    name: '${name}',`,
      `    hook: ${handler}<Server, Route, Config>`,
      '  ): Instance<Server>;',
      '',
    ];
    const file = lines('interface Instance<Server> {', ...hook('ask', 'AskHandler'), ...hook('end', 'EndHandler'), '}');
    assert.equal(propose(file, lines(...hook('ask', 'AsyncAskHandler')), 'a.d.ts'), undefined);
  });

  it('replaces a comment over several paragraphs as a whole', () => {
    const license = [
      'Copyright of all authors.',
      'All rights are reserved.',
      '',
      'Use of this code is governed by a license',
      'that can be found beside it.',
    ];
    const file = lines('/*', ...license, '*/', '', 'package maths', '', 'func One() {}');
    const code = lines(...license.map((line) => `// ${line}`.trimEnd()));
    const merged = propose(file, code, 'a.go');
    assert.ok(merged === undefined || merged === code + file.slice(file.indexOf('\npackage')), merged);
  });

  it('does not take a new method for another version of one with the same comment', () => {
    const test = (name: string, given: string, ...checks: readonly string[]) => [
      '    /**',
      '     * @covers Shop\\Meter::__invoke',
      '     * @covers Shop\\Meter::format',
      '     */',
      `    public function ${name}()`,
      '    {',
      `        $meter = new Meter(${given});`,
      '        $read = $meter($this->record());',
      ...checks.map((check) => `        ${check}`),
      '    }',
    ];
    const head = ['namespace Shop;', '', 'class MeterTest extends TestCase', '{'];
    const old = test(
      'testReads',
      '',
      '$this->assertArrayHasKey("used", $read);',
      '$this->assertRegExp("#B$#", $read["used"]);',
    );
    const added = test(
      'testReadsNumbers',
      'true',
      '$this->assertArrayHasKey("used", $read);',
      '$this->assertIsInt($read["used"]);',
    );
    const file = lines('<?php', '', ...head, ...old, '}');
    const code = lines(MARK, '', 'class MeterTest extends TestCase', '{', `    ${MARK}`, '', ...added, '}');
    const merged = propose(file, code, 'test/MeterTest.php');
    assert.ok(merged === undefined || merged === lines('<?php', '', ...head, ...old, '', ...added, '}'), merged);
  });
});

describe('an answer that does not show what it may remove', () => {
  it('keeps the license and the package of a file whose first comment is another one', () => {
    const license = lines('// Copyright of all authors.', '// All rights are reserved.', '');
    const code = lines('// Package maths counts quickly.', 'package maths', '', 'func One() {', '\tcount(1)', '}');
    const file = license + code.replace('quickly', 'slowly');
    assert.equal(propose(file, code, 'a.go'), license + code);
  });

  it('keeps the namespace of a file of which the answer shows all else', () => {
    const type = (kind: string, set: string) => [
      `public ${kind} Attempt`,
      '{',
      '    public Attempt(int number)',
      '    {',
      '        Number = number;',
      '        Begin = Clock.Now();',
      '        Log.Write("begins", number);',
      '        Log.Count(number, Begin);',
      '    }',
      '',
      `    public int Number { get;${set} }`,
      '}',
    ];
    const file = lines('namespace Shop.Orders;', '', ...type('sealed class', ' private set;'));
    const code = lines('#pragma warning disable CA1815', '', ...type('readonly struct', ''));
    const merged = propose(file, code, 'Attempt.cs');
    assert.ok(merged === undefined || merged.includes('namespace Shop.Orders;'), merged);
  });

  it('does not take a call for a declaration of what it calls, whose import would vanish', () => {
    const options = (color: string) => ['  title: "Shop",', '  menu: ["one", "two"],', `  color: "${color}",`];
    const file = lines("import { setUp } from './setUp';", '', 'export default setUp({', ...options('red'), '});');
    const code = lines('export default setUp({', ...options('blue'), '});');
    const merged = propose(file, code, 'shop.config.ts');
    assert.ok(merged === undefined || merged.includes('import { setUp }'), merged);
  });

  it('does not replace a condition of a style sheet with one that has other rules', () => {
    const when = '@media (width < 600px) {';
    const file = lines('p {', '  color: red;', '}', when, '  nav {', '    display: none;', '  }', '}', 'a {}');
    const code = lines(when, '  [dir=rtl] nav {', '    float: left;', '  }', '}');
    for (const shown of [code, lines('/* ... */', '', code, '/* ... */')]) {
      const merged = propose(file, shown, 'a.css');
      assert.ok(merged === undefined || merged.includes('display: none'), merged);
    }
  });

  it('does not take some rules of a style sheet for all of it if a name occurs twice', () => {
    const colors = (count: number) => Array.from({ length: count }, (_, index) => `  --color-${index}: #00${index};`);
    const icons = [':root {', '  --icon-up: url("up.svg");', '  --icon-down: url("down.svg");', '}', ''];
    const rules = (size: number) => [':root {', ...colors(20), `  --size: ${size};`, '}', ''];
    const last = (mark: string) => ['[data-theme="dark"] {', ...colors(20), `  --mark: ${mark};`, '}'];
    const file = lines(...rules(1), ...icons, ...last('red'));
    const code = lines(...rules(2), ...last('blue'));
    const merged = propose(file, code, 'a.css');
    assert.ok(merged === undefined || merged.includes('--icon-up'), merged);
  });

  it('does not take a document of which most sections are missing for a whole one', () => {
    const section = (name: string, text: string) => ['', `## ${name}`, '', text];
    const file = lines(
      '<p>Logo</p>',
      '',
      '# Shop',
      '',
      'Small.',
      ...section('Use', 'Run it.'),
      ...section('License', 'A'),
    );
    const code = lines('# Shop', '', 'Tiny.', ...section('License', 'B'));
    const merged = propose(file, code, 'README.md');
    assert.ok(merged === undefined || merged.includes('## Use'), merged);
  });

  it('tells items of one name apart by the systems that they are for', () => {
    const open = (system: string, ...body: readonly string[]) => [
      `    #[cfg(${system})]`,
      '    fn open(path: &Path) -> Handle {',
      ...body.map((line) => `        ${line}`),
      '    }',
      '',
    ];
    const unix = open('unix', 'let bytes = path.as_bytes();', 'check(bytes);', 'Handle::of(bytes)');
    const windows = open('windows', 'let text = path.to_text();', 'Handle::of(text)');
    const others = open('not(any(unix, windows))', 'log("not supported");', 'Handle::none()');
    const close = ['    fn close(&self) {}', '}'];
    const file = lines('impl Handle {', ...unix, ...windows, ...close);
    const code = lines('impl Handle {', `    ${MARK}`, '', ...windows, ...others, `    ${MARK}`, '}');
    const merged = propose(file, code, 'handle.rs');
    assert.ok(
      merged === undefined || merged === lines('impl Handle {', ...unix, ...windows, ...others, ...close),
      merged,
    );
  });

  it('does not take the version of a function for another system because its lines are the same', () => {
    const test = (condition: string, expected: string) => [
      `#[cfg(${condition})]`,
      'check!(reads_zeros, |mut dir: Dir| {',
      '    dir.write("file", "one two");',
      `    assert_eq!(dir.read(), "${expected}");`,
      '});',
      '',
    ];
    const rest = ['fn main() {', '    run();', '}'];
    const file = lines(...test('not(windows)', 'one'), ...test('windows', 'one two'), ...rest);
    const code = lines(MARK, '', ...test('not(windows)', 'one two'), MARK);
    const merged = propose(file, code, 'tests.rs');
    assert.ok(merged === undefined || merged === file.replace('"one");', '"one two");'), merged);
  });

  it('keeps the first lines of a comment of which the answer shows the last one after a mark in a list', () => {
    const step = (name: string, version: number) => [`      - name: ${name}`, `        uses: shop/${name}@v${version}`];
    const comment = ['      # Sends the results to the board.', '      # Leave it out to keep them.'];
    const head = ['jobs:', '  check:', '    steps:'];
    const own = ['        with:', '          file: all.json', '          days: 5'];
    const file = lines(...head, ...step('read', 1), ...own, '', ...comment, ...step('send', 1));
    const shown = ['        with:', '          file: all.json', '          # ...'];
    const code = lines(...head, ...step('read', 2), ...shown, comment[1] ?? '', ...step('send', 2));
    const merged = propose(file, code, '.github/workflows/check.yml');
    assert.ok(merged === undefined || merged === file.replaceAll('@v1', '@v2'), merged);
  });

  it('keeps the comment of a key that an answer shows among others without it', () => {
    const job = (name: string, version: number) => [
      `  ${name}:`,
      '    runs-on: linux',
      `    uses: shop/run@v${version}`,
    ];
    const jobs = (version: number, ...comment: readonly string[]) =>
      lines('jobs:', '  # Checks each change.', ...job('check', version), '', ...comment, ...job('size', version));
    const file = lines('name: Checks', '') + jobs(1, '  # Runs in this repository only.');
    const code = lines('# ...', '') + jobs(2);
    assert.equal(propose(file, code, 'checks.yml'), file.replaceAll('@v1', '@v2'));
  });
});
