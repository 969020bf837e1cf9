import assert from 'node:assert/strict';
import { isCutOff, newText, suggestedText, suggestionsIn } from '../../../../src/chat/apply/suggestion.ts';

const FILE = `export class Shelf {
  add(item: string) {
    this.items.push(item);
  }

  find(item: string) {
    return this.items.includes(item);
  }
}
`;

/** The file with the first suggestion of a code block; undefined if it is not applied. */
function applied(code: string, language = '', file = FILE): string | undefined {
  const [suggestion] = suggestionsIn(code, language);
  assert.ok(suggestion);
  const patched = suggestedText(file, suggestion);
  return patched?.rejectedHunks.length === 0 ? patched.text : undefined;
}

const pathsOf = (code: string, language = '') =>
  suggestionsIn(code, language).map((one) => (one.kind === 'diff' ? one.diff.path : undefined));

describe('an edit format in an answer', () => {
  const CHANGED = FILE.replace('includes(item)', 'indexOf(item) >= 0');
  const SEARCH = '    return this.items.includes(item);';
  const REPLACE = '    return this.items.indexOf(item) >= 0;';

  it('replaces the searched lines, with the markers of several tools', () => {
    for (const [opener, closer] of [
      ['<<<<<<< SEARCH', '>>>>>>> REPLACE'],
      ['------- SEARCH', '+++++++ REPLACE'],
      ['<<<<<<< ORIGINAL', '>>>>>>> UPDATED'],
      ['<<<<<<< SEARCH\n:start_line:7\n-------', '>>>>>>> REPLACE'],
      ['<<<<<<< SEARCH>', '>>>>>>> REPLACE'],
    ]) {
      assert.equal(applied(`${opener}\n${SEARCH}\n=======\n${REPLACE}\n${closer}`), CHANGED, opener);
    }
  });

  it('finds lines that are indented otherwise, keeps line ends, and takes several blocks in any order', () => {
    const block = (search: string, replace: string) =>
      `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`;
    assert.equal(applied(block(SEARCH.trim(), REPLACE.trim())), CHANGED);
    assert.equal(applied(block(SEARCH, REPLACE), '', FILE.replaceAll('\n', '\r\n')), CHANGED.replaceAll('\n', '\r\n'));
    const two = [block(SEARCH, REPLACE), block('    this.items.push(item);', '    this.items.unshift(item);')].join(
      '\n\n',
    );
    assert.equal(applied(two), CHANGED.replace('push', 'unshift'));
  });

  it('removes searched lines without a replacement, and keeps what marks on both sides omit', () => {
    assert.equal(
      applied('<<<<<<< SEARCH\n    this.items.push(item);\n=======\n>>>>>>> REPLACE'),
      FILE.replace('    this.items.push(item);\n', ''),
    );
    const abridged = `<<<<<<< SEARCH\nexport class Shelf {\n...\n${SEARCH}\n=======\nexport class Rack {\n...\n${REPLACE}\n>>>>>>> REPLACE`;
    assert.equal(applied(abridged), CHANGED.replace('Shelf', 'Rack'));
  });

  it('is not applied where its lines are missing or occur twice', () => {
    assert.equal(applied('<<<<<<< SEARCH\n  remove();\n=======\n  keep();\n>>>>>>> REPLACE'), undefined);
    assert.equal(applied('<<<<<<< SEARCH\n  }\n=======\n  };\n>>>>>>> REPLACE'), undefined);
  });

  it('never reaches a file if it is incomplete', () => {
    for (const code of [
      `<<<<<<< SEARCH\n${SEARCH}\n=======\n${REPLACE}`,
      `<<<<<<< SEARCH\n${SEARCH}\n>>>>>>> REPLACE`,
      `${FILE}<<<<<<< HEAD\n  one();\n=======\n  two();\n>>>>>>> main\n`,
      `<<<<<<< SEARCH\n${SEARCH}\n=======\n${REPLACE}\n<<<<<<< SEARCH\n  }\n=======\n`,
    ]) {
      assert.equal(applied(code), undefined, code);
    }
  });

  it('names its files before the blocks, and in the patches of coding agents', () => {
    const block = `<<<<<<< SEARCH\n${SEARCH}\n=======\n${REPLACE}\n>>>>>>> REPLACE`;
    assert.deepEqual(pathsOf(`src/shelf.ts\n${block}\n\n### \`src/rack.ts\`\n${block}`), [
      'src/shelf.ts',
      'src/rack.ts',
    ]);
    const patch = [
      '*** Begin Patch',
      '*** Update File: src/shelf.ts',
      '@@ export class Shelf {',
      `-${SEARCH}`,
      `+${REPLACE}`,
      '*** Add File: src/rack.ts',
      '+export class Rack {}',
      '*** Delete File: src/old.ts',
      '*** End Patch',
    ].join('\n');
    for (const language of ['', 'diff']) {
      const suggestions = suggestionsIn(patch, language);
      assert.deepEqual(pathsOf(patch, language), ['src/shelf.ts', 'src/rack.ts', 'src/old.ts']);
      assert.deepEqual(
        suggestions.map((one) => one.kind === 'diff' && one.diff.kind),
        ['changed', 'created', 'deleted'],
      );
      assert.equal(newText(suggestions[1] ?? { kind: 'code', code: '' }), 'export class Rack {}');
    }
    assert.equal(applied(patch), CHANGED);
  });

  it('is found by the heading of a hunk if its lines occur several times', () => {
    const twice = `${FILE}\n${FILE.replace('Shelf', 'Rack')}`;
    const patch = (heading: string) =>
      `*** Begin Patch\n*** Update File: a.ts\n@@ ${heading}\n-${SEARCH}\n+${REPLACE}\n*** End Patch`;
    assert.equal(applied(patch('export class Rack {'), '', twice), `${FILE}\n${CHANGED.replace('Shelf', 'Rack')}`);
    assert.equal(applied(patch('export class Shelf {'), '', twice), `${CHANGED}\n${FILE.replace('Shelf', 'Rack')}`);
    assert.equal(applied(patch(''), '', twice), undefined);
  });

  it('may omit lines of a diff, and number its hunks wrongly and in any order', () => {
    const diff = [
      '--- a/shelf.ts',
      '+++ b/shelf.ts',
      '@@ -70,9 +70,9 @@',
      '   find(item: string) {',
      `-${SEARCH}`,
      `+${REPLACE}`,
      '@@ -1,2 +1,2 @@',
      '-export class Shelf {',
      '+export class Rack {',
      '   // ... existing code ...',
      '-    this.items.push(item);',
      '+    this.items.unshift(item);',
    ].join('\n');
    assert.equal(applied(diff), CHANGED.replace('Shelf', 'Rack').replace('push', 'unshift'));
  });

  it('is each file of a block that has several', () => {
    const code = `// src/a.ts\nexport const a = 1;\n\n// src/b.ts\nexport const b = 2;\n`;
    assert.deepEqual(
      suggestionsIn(code, 'ts').map((one) => one.kind === 'code' && one.code),
      ['// src/a.ts\nexport const a = 1;', '// src/b.ts\nexport const b = 2;'],
    );
  });
});

describe('an answer that was cut off', () => {
  it('is incomplete in its last code, unless the code block was closed', () => {
    const text = 'First:\n```ts\none();\n```\nThen:\n```ts\n  two();\n';
    assert.equal(isCutOff({ text, status: 'cut' }, 'two();'), true);
    assert.equal(isCutOff({ text, status: 'stopped' }, 'two();'), true);
    assert.equal(isCutOff({ text, status: 'cut' }, 'one();'), false);
    assert.equal(isCutOff({ text, status: 'complete' }, 'two();'), false);
    assert.equal(isCutOff({ text: `${text}\`\`\``, status: 'cut' }, 'two();'), false);
  });
});
