/** Kinds of public reports that failed here when they were first tried; `test/field/README.md` lists them. */
import assert from 'node:assert/strict';
import { suggestedText, suggestionsIn } from '../../../../src/chat/apply/suggestion.ts';

const FILE = `export function one() {
  first();


  second();
  return 1;
}

export function two() {
  // Builds a tree of all parts
  return 2;
}
`;

/** The file with the code; undefined if it is not applied as a whole. */
function applied(code: string, { file = FILE, language = '', path = 'a.ts' } = {}): string | undefined {
  const [suggestion] = suggestionsIn(code, language);
  assert.ok(suggestion);
  const patched = suggestedText(file, suggestion, path);
  return patched?.rejectedHunks.length === 0 ? patched.text : undefined;
}

const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;

describe('reports of users of other products', () => {
  it('options of search blocks are never written, wherever and however a model writes them', () => {
    const options = ':start_line:6\n-------\n';
    const right = FILE.replace('return 1', 'return 3');
    assert.equal(applied(block(`${options}  return 1;`, `${options}  return 3;`)), right);
    assert.equal(applied(block(':start_line:[6]\n-------\n  return 1;', '  return 3;')), right);
    assert.equal(applied(block(':start_line:6\n-------\n:6:\n  return 1;', '  return 3;')), right);
  });

  it('markers of a conflict that a block searches may be escaped', () => {
    const file = 'a();\n<<<<<<< HEAD\n  x();\n=======\n  y();\n>>>>>>> main\nb();\n';
    const search = '\\<<<<<<< HEAD\n  x();\n\\=======\n  y();\n\\>>>>>>> main';
    assert.equal(applied(block(search, '  z();'), { file }), 'a();\n  z();\nb();\n');
  });

  it('searched lines may have lost their indentation', () => {
    const file = 'class A {\n  find() {\n    return 1;\n  }\n}\n';
    assert.equal(applied(block('find() {\nreturn 1;\n}', 'find() {\nreturn 2;\n}'), { file }), file.replace('1', '2'));
  });

  it('a second block may search what the first one wrote', () => {
    const code = `${block('  return 1;', '  return 3;')}\n${block('  return 3;', '  return 4;')}`;
    assert.equal(applied(code), FILE.replace('return 1', 'return 4'));
  });

  it('typographic quotes and dashes are found', () => {
    const file = "  log('it's a – b');\n";
    assert.equal(applied(block('  log(‘it’s a - b’);', "  log('c');"), { file }), "  log('c');\n");
  });

  it('blank lines and the last searched line may differ', () => {
    assert.equal(
      applied(block('  first();\n\n  second();', '  first();\n\n  third();')),
      FILE.replace('second', 'third'),
    );
    const begun = block('export function two() {\n  // Builds', 'export function two(a) {\n  // Builds');
    assert.equal(applied(begun), FILE.replace('two()', 'two(a)'));
  });

  it('a diff may lack the line of the old file, or have other headings', () => {
    const right = FILE.replace('return 1', 'return 5');
    for (const heading of ['+++ b/a.ts\n@@ -1 +1 @@', '--- Original\n+++ New\n@@ @@', '@@ line 6 @@']) {
      assert.equal(applied(`${heading}\n-  return 1;\n+  return 5;`, { language: 'diff' }), right, heading);
    }
  });

  it('marks without the signs of a comment, or in other languages, are not written', () => {
    for (const mark of [
      '(rest of methods ...)',
      '// ... (otras funciones permanecen igual)',
      '// ... other sections remain the same',
      '// unchanged code ...',
      '[original content here]',
    ]) {
      const code = `export function one() {\n  zero();\n}\n\n${mark}`;
      assert.equal(applied(code), FILE.replace(/ {2}first[^}]*/, '  zero();\n'), mark);
    }
    const inside = 'export function one() {\n  // ... (keep existing code)\n  return 3;\n}';
    assert.equal(applied(inside), FILE.replace('return 1', 'return 3'));
  });

  it('a change that is only added is not added twice', () => {
    const diff = '@@ @@\n   second();\n+  third();\n   return 1;';
    const once = applied(diff, { language: 'diff' });
    assert.equal(once, FILE.replace('second();\n', 'second();\n  third();\n'));
    assert.equal(applied(diff, { language: 'diff', file: once ?? '' }), once);
  });

  it('a cell as JSON does not replace the file of a notebook', () => {
    const cell = (line: string) => ({ cell_type: 'code', metadata: {}, outputs: [], source: [line] });
    const write = (notebook: object) => `${JSON.stringify(notebook, null, 1)}\n`;
    const file = write({
      cells: [cell('a = 1'), cell('b = 2')],
      metadata: { kernelspec: { name: 'python3' } },
      nbformat: 4,
    });
    const code = write({ cells: [{ cell_type: 'code', source: ['a = 3'] }] });
    assert.equal(applied(code, { file, language: 'json', path: 'a.ipynb' }), undefined);
  });

  it('functions whose brackets have lines of their own stay where a mark is', () => {
    const first =
      'public Shelf(\n        int size,\n        string name)\n    {\n        Size = size;\n        Name = name;\n    }';
    const second = 'bool Has(\n        string name)\n    {\n        return true;\n    }';
    const file = `class Shelf\n{\n    ${first}\n\n    ${second}\n}\n`;
    const mark = '// ... existing code ...';
    const code = `class Shelf\n{\n    ${mark}\n\n    ${second.replace('true', 'false')}\n}\n`;
    assert.equal(applied(code, { file, path: 'Shelf.cs' }), file.replace('true', 'false'));
  });
});
