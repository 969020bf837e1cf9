import assert from 'node:assert/strict';
import { marksIn } from '../../../../src/chat/apply/marks.ts';
import { unshownRemovals } from '../../../../src/chat/apply/shownRemovals.ts';
import { structureOf } from '../../../../src/chat/apply/structure.ts';
import { syntaxOf } from '../../../../src/chat/apply/syntax.ts';

const FILE = `import a from 'a';

function first() {
  one();
  two();
  three();
  return four();
}

function second() {
  return five();
}
`;

/** The lines of the file that vanish in the merged text without being shown. */
function unshown(code: string, merged: string): readonly string[] {
  const syntax = syntaxOf('a.js', FILE);
  const file = structureOf(FILE, syntax);
  const lines = merged.split('\n');
  return unshownRemovals(file, structureOf(code, syntax, marksIn(code.split('\n'), file.lines)), lines).map(
    (line) => file.lines[line]?.trim() ?? '',
  );
}

describe('a merged text is checked', () => {
  it('for lines between two that the answer shows beside each other', () => {
    const merged = FILE.replace('  two();\n', '');
    assert.deepEqual(unshown('  one();\n  three();', merged), []);
    assert.deepEqual(unshown('  one();\n  // ...\n  three();', merged), ['two();']);
    assert.deepEqual(unshown('  three();', merged), ['two();']);
  });

  it('for items of which the answer shows another version', () => {
    const merged = FILE.replace(/ {2}one\(\);[^}]*/, '  changed();\n');
    assert.deepEqual(unshown('function first() {\n  changed();\n}', merged), []);
    assert.deepEqual(unshown('function first() {\n  // ...\n  changed();\n}', merged), [
      'one();',
      'two();',
      'three();',
      'return four();',
    ]);
    assert.deepEqual(unshown('function second() {\n  changed();\n}', merged), [
      'one();',
      'two();',
      'three();',
      'return four();',
    ]);
  });

  it('for lines at the end that an answer stops before', () => {
    const merged = FILE.slice(0, FILE.indexOf('function second'));
    assert.deepEqual(unshown("import a from 'a';\n\nfunction first() {\n  // ...\n}", merged), [
      'function second() {',
      'return five();',
    ]);
  });

  it('and lines that were moved or changed a little have not vanished', () => {
    assert.deepEqual(unshown('', FILE.replace('  one();\n  two();', '  two();\n  one();')), []);
    assert.deepEqual(unshown('', FILE.replace('return four();', 'return four(4);')), []);
    assert.deepEqual(unshown('', FILE.replace('function first()', 'async function first()')), []);
  });
});
