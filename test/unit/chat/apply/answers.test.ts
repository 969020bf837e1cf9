/** Short answers as models write them by themselves, for files that they do not show as a whole. */
import assert from 'node:assert/strict';
import { propose } from '../../../../src/chat/apply/proposal.ts';
import { withShownMembers } from '../../../../src/chat/apply/shownMembers.ts';

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`;

describe('a short answer', () => {
  describe('with a call that has a block', () => {
    const file = lines(
      'export function Clock({ zone, onTick }) {',
      '  const timer = useRef(0);',
      '',
      '  useEffect(() => {',
      '    timer.current = setInterval(onTick, 1000);',
      '    return () => clearInterval(timer.current);',
      '  }, [onTick]);',
      '',
      '  return <time>{zone}</time>;',
      '}',
    );

    it('does not replace another call of the same function', () => {
      const code = lines(
        '  useEffect(() => {',
        "    const onKey = (event) => event.key === 'Escape' && hide();",
        "    window.addEventListener('keydown', onKey);",
        "    return () => window.removeEventListener('keydown', onKey);",
        '  }, [hide]);',
      );
      assert.equal(propose(file, code, 'clock.jsx'), undefined);
    });

    it('does not replace another function without a name', () => {
      const program = lines('func main() {', '\tgo func() {', '\t\tserve(1)', '\t}()', '', '\twait()', '}');
      const code = lines('\tgo func() {', '\t\tclean()', '\t}()');
      assert.equal(propose(program, code, 'main.go'), undefined);
    });

    it('replaces the one that it is a version of', () => {
      const code = lines(
        '  useEffect(() => {',
        '    timer.current = setInterval(onTick, 1000);',
        '    onTick();',
        '    return () => clearInterval(timer.current);',
        '  }, [onTick]);',
      );
      assert.equal(propose(file, code, 'clock.jsx'), file.replace('1000);\n', '1000);\n    onTick();\n'));
    });
  });

  it('with an arm of a match keeps the arms with other conditions', () => {
    const file = lines(
      'fn read(word: &str) -> Option<Unit> {',
      '    match next(word) {',
      '        Ok(s) if s == "KM" => {',
      '            Some(Unit::Kilometer)',
      '        }',
      '        Ok(s) if s == "MI" => {',
      '            Some(Unit::Mile)',
      '        }',
      '        Err(_) => None,',
      '    }',
      '}',
    );
    const added = lines('        Ok(s) if s == "FT" => {', '            Some(Unit::Foot)', '        }');
    const code = lines('        Ok(s) if s == "MI" => {', '            Some(Unit::Mile)', '        }') + added;
    assert.equal(propose(file, code, 'unit.rs'), file.replace('        Err', `${added}        Err`));
  });

  it('with a new case before a mark keeps the first case, and closes no other block', () => {
    const file = lines(
      'function read(kind) {',
      '  switch (kind) {',
      "    case 'open': {",
      '      if (check(1)) {',
      '        save(1);',
      '      }',
      '      return first;',
      '    }',
      '    default: {',
      '      return last;',
      '    }',
      '  }',
      '}',
    );
    const added = lines("    case 'close': {", '      const target = find(2);', '      return target;', '    }');
    const code = `${lines('function read(kind) {', '  switch (kind) {')}${added}${lines('    // ...', '  }', '}')}`;
    assert.equal(propose(file, code, 'read.js'), file.replace("    case 'open'", `${added}    case 'open'`));
  });

  it('with a macro that declares a test keeps the tests with other names', () => {
    const file = lines(
      'rgtest!(quiet, |dir: Dir, mut cmd: Cmd| {',
      '    dir.create("a", TEXT);',
      '    cmd.arg("-q");',
      '    eq!(0, cmd.stats());',
      '});',
    );
    const added = lines(
      'rgtest!(other, |dir: Dir, mut cmd: Cmd| {',
      '    dir.create("a", TEXT);',
      '    cmd.arg("-r");',
      '    eq!(0, cmd.stats());',
      '});',
    );
    const proposed = propose(file, `// ...\n\n${added}`, 'stats.rs');
    assert.equal(proposed ?? `${file}\n${added}`, `${file}\n${added}`);
  });

  describe('with a component', () => {
    const file = lines(
      'function Form() {',
      '  return (',
      '    <Panel>',
      '      <Field',
      '        name="street"',
      '        value={street}',
      '      />',
      '      <Field',
      '        name="city"',
      '        value={city}',
      '      />',
      '      <Save onClick={send}>Save</Save>',
      '    </Panel>',
      '  );',
      '}',
    );

    it('does not replace one that has another name', () => {
      const code = lines(
        'function Form() {',
        '  return (',
        '    <Panel>',
        '      {/* ... existing fields ... */}',
        '      <Field',
        '        name="country"',
        '        value={country}',
        '      />',
        '      <Save onClick={send}>Save</Save>',
        '    </Panel>',
        '  );',
        '}',
      );
      const proposed = propose(file, code, 'form.jsx') ?? file;
      assert.match(proposed, /name="street"/);
      assert.match(proposed, /name="city"/);
    });

    it('replaces the one of its name', () => {
      const code = lines('      <Field', '        name="city"', '        value={city ?? home}', '      />');
      assert.equal(propose(file, code, 'form.jsx'), file.replace('{city}', '{city ?? home}'));
    });
  });

  describe('with a few members of an object, a rule, or a class', () => {
    const manifest = lines(
      '{',
      '  "name": "clock",',
      '  "scripts": {',
      '    "build": "bundle",',
      '    "lint": "check",',
      '    "start": "serve",',
      '    "test": "mocha"',
      '  }',
      '}',
    );
    const style = lines(
      '.box {',
      '  color: red;',
      '  margin: 0;',
      '  padding: 0;',
      '}',
      '',
      'p {',
      '  margin: 0;',
      '}',
    );
    const type = lines(
      'class Shelf:',
      '    """Holds books."""',
      '',
      '    def add(self, book):',
      '        self.books.append(book)',
      '',
      '    def find(self, title):',
      '        return [book for book in self.books if book.title == title]',
    );
    const cases = [
      {
        path: 'package.json',
        file: manifest,
        code: lines('"scripts": {', '  "test": "vitest run",', '  "test:watch": "vitest"', '}'),
        kept: manifest.replace('"mocha"', '"vitest run",\n    "test:watch": "vitest"'),
      },
      {
        path: 'package.json',
        file: manifest,
        code: lines('{', '  "scripts": {', '    "test": "mocha --parallel"', '  }', '}'),
        kept: manifest.replace('"mocha"', '"mocha --parallel"'),
      },
      {
        path: 'box.css',
        file: style,
        code: lines('.box {', '  margin: 1rem;', '}'),
        kept: style.replace('margin: 0;\n  padding', 'margin: 1rem;\n  padding'),
      },
      {
        path: 'wide.css',
        file: `@media (min-width: 60em) {\n${style}}\n`,
        code: lines('@media (min-width: 60em) {', 'p {', '  margin: 1rem;', '}', '}'),
        kept: `@media (min-width: 60em) {\n${style.replace('p {\n  margin: 0', 'p {\n  margin: 1rem')}}\n`,
      },
      {
        path: 'project.toml',
        file: lines('[project]', 'name = "clock"', 'version = "1.0"', 'needs = ["time"]', '', '[lint]', 'length = 100'),
        code: lines('[project]', 'needs = ["time", "zone"]'),
        kept: lines(
          '[project]',
          'name = "clock"',
          'version = "1.0"',
          'needs = ["time", "zone"]',
          '',
          '[lint]',
          'length = 100',
        ),
      },
      {
        path: 'shelf.py',
        file: type,
        code: lines(
          'class Shelf:',
          '    """Holds books."""',
          '',
          '    def __len__(self):',
          '        return len(self.books)',
        ),
        kept: `${type}\n${lines('    def __len__(self):', '        return len(self.books)')}`,
      },
    ];
    for (const { path, file, code, kept } of cases) {
      it(`asks in ${path}, and can keep all others: ${code.split('\n').at(-3)?.trim()}`, () => {
        assert.equal(propose(file, code, path), undefined);
        assert.equal(withShownMembers(file, code, path), kept);
      });
    }

    it('replaces it if most members are shown', () => {
      const code = lines('.box {', '  color: red;', '  margin: 1rem;', '}');
      assert.equal(propose(style, code, 'box.css'), style.replace('margin: 0;\n  padding: 0;', 'margin: 1rem;'));
    });
  });

  it('with a list that has nothing in common with the one of its name asks', () => {
    const file = lines('packages:', "- 'core'", "- 'server'", 'nix:', '  packages: [zlib]');
    assert.equal(propose(file, lines('packages:', '- pkg-config', '- zlib'), 'stack.yaml'), undefined);
    assert.equal(
      propose(file, lines('packages:', "- 'core'", "- 'server'", "- 'cli'"), 'stack.yaml'),
      file.replace("- 'server'\n", "- 'server'\n- 'cli'\n"),
    );
  });

  describe('with an import', () => {
    const cases: readonly (readonly [string, readonly string[], string, string?])[] = [
      ['a.py', ['"""Doc."""', '', 'from __future__ import annotations', '', 'import os'], 'import json', 'import os'],
      [
        'A.java',
        ['/* License */', 'package a.b;', '', 'import java.util.List;'],
        'import java.util.Map;',
        'import java',
      ],
      ['a.kt', ['package a', '', 'import a.B'], 'import a.C'],
      ['A.java', ['package a.b;'], 'import java.util.Map;'],
      ['a.php', ['<?php', '', 'namespace A;', '', 'use B\\C;'], 'use A\\B;', 'use B'],
      ['a.jsx', ["'use client'", '', "import { a } from 'a'"], "import { b } from 'b'", 'import { a'],
      ['a.rs', ['//! Docs.', '#![allow(unused)]', '', 'use std::io;'], 'use std::fs;', 'use std::io'],
    ];
    const blocks: Readonly<Record<string, (word: string) => string>> = {
      py: (word) => lines('', '', 'def f():', `    return ${word}`),
      rs: (word) => lines('', 'fn f() {', `    ${word}();`, '}'),
      kt: (word) => lines('', 'class A {', '    fun f() {', `        ${word}()`, '    }', '}'),
    };
    const block = (path: string, word: string) =>
      (blocks[path.split('.')[1] ?? ''] ?? ((name) => lines('', 'class A {', '  f() {', `    ${name}();`, '  }', '}')))(
        word,
      );
    for (const [path, head, added, next] of cases) {
      it(`adds it where imports are in ${path}: ${added}`, () => {
        const sign = path.endsWith('.py') ? '#' : '//';
        const code = `${added}\n${sign} ... existing code ...\n${block(path, 'h')}`;
        const shown = next === undefined ? `${added}\n${block(path, 'h')}` : code;
        const lastLine = head.findIndex((line) => next !== undefined && line.startsWith(next));
        const isFirst = head.at(-1)?.startsWith('import') === false && next === undefined;
        const expected =
          lastLine === -1 ? [...head, ...(isFirst ? [''] : []), added] : head.toSpliced(lastLine, 0, added);
        assert.equal(
          propose(`${lines(...head)}${block(path, 'g')}`, shown, path),
          `${lines(...expected)}${block(path, 'h')}`,
        );
      });
    }

    it('keeps the package of a file that is shown without it', () => {
      const shown = (name: string) =>
        lines(
          'import (',
          '\t"fmt"',
          '\t"log"',
          ')',
          '',
          'func main() {',
          `\tfmt.Println("${name}")`,
          '\tlog.Println(1)',
          '}',
        );
      const file = `package main\n\n${shown('old')}`;
      assert.equal(propose(file, shown('new'), 'main.go'), file.replace('old', 'new'));
    });

    it('replaces one of Go by a group that has it', () => {
      const file = lines('package a', '', 'import "fmt"', '', 'func f() {', '\tg()', '}');
      const group = lines('import (', '\t"fmt"', '\t"os"', ')');
      const code = `${group}\n${lines('// ...', '', 'func f() {', '\th()', '}')}`;
      assert.equal(propose(file, code, 'a.go'), file.replace('import "fmt"\n', group).replace('g()', 'h()'));
    });
  });

  it('with a block whose name is in several places means the one with its indentation', () => {
    const file = lines(
      'return [',
      "    'channels' => [",
      "        'stack' => [",
      "            'channels' => explode(',', read()),",
      '        ],',
      '    ],',
      '];',
    );
    const code = lines(
      "    'channels' => [",
      '        // ...',
      "        'mail' => [",
      "            'to' => read(),",
      '        ],',
      '    ],',
    );
    const added = lines("        'mail' => [", "            'to' => read(),", '        ],');
    assert.equal(propose(file, code, 'log.php'), file.replace('        ],\n    ],', `        ],\n${added}    ],`));
  });
});
