import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { changeOf, ReplaceError, replaceAll } from '../../../src/agent/replaceText.ts';

const TEXT = 'function a() {\n  return 1;\n}\n\nfunction b() {\n  return 2;\n}\n';

function replace(oldText: string, newText: string, text = TEXT): string {
  return replaceAll(text, [{ oldText, newText }]).text;
}

describe('text replacements by a model', () => {
  // With a search that takes the square of the length, each of these takes minutes.
  it('find lines in a file of repeated lines in linear time', () => {
    assert.throws(() => replace(`${'  a\n'.repeat(20_000)}b`, '', 'a\n'.repeat(300_000)), ReplaceError);
    assert.throws(() => replace(`x${'\n'.repeat(200_000)}z`, '', 'y'), ReplaceError);
  });

  it('compare long texts without common lines quickly', () => {
    const text = (factor: number) =>
      Array.from({ length: 40_000 }, (_, line) => `${(line * factor) % 9973}`).join('\n');
    assert.ok(changeOf(`same\n${text(7)}`, `same\n${text(11)}`).added > 30_000);
    assert.throws(() => replace(text(7), text(11), 'c'), ReplaceError);
  });

  it('find typographic quotes and spaces, and keep those that do not change', () => {
    const text = 'say(“hello”);\nit’s\u00A0me\n';
    assert.equal(replace('say("hello");', 'say("bye");', text), 'say(“bye”);\nit’s\u00A0me\n');
    assert.equal(replace("it's me", "it's you", text), 'say(“hello”);\nit’s\u00A0you\n');
    assert.throws(() => replace('"a"', '"b"', '“a” “a”'), /occurs more than once/);
  });

  it('read entities where the file has the characters', () => {
    const text = 'if (a && b < c) {}\n';
    assert.equal(replace('a &amp;&amp; b &lt; c', 'a &amp;&amp; b &gt; c', text), 'if (a && b > c) {}\n');
    assert.equal(replace('&lt;p&gt;', '&lt;b&gt;', '&lt;p&gt;\n'), '&lt;b&gt;\n');
  });

  it('are rejected if they would write a comment in place of code', () => {
    for (const mark of ['// ... existing code ...', '# … bestehender Code …', '/* ... */', '<!-- ... rest ... -->']) {
      assert.throws(() => replace('return 1;', `  ${mark}\n  return 3;`), /would be written into the file in place of/);
    }
    const text = '# ...\na = 1\n';
    assert.equal(replace('# ...\na = 1', '# ...\na = 2', text), '# ...\na = 2\n');
    assert.equal(
      replace('return 1;', 'return f(...all); // ...'),
      TEXT.replace('return 1;', 'return f(...all); // ...'),
    );
  });

  it('replace text that occurs once', () => {
    assert.equal(replace('return 2', 'return 3'), TEXT.replace('2', '3'));
  });

  it('are rejected for marks in any language, but not for dots alone', () => {
    for (const mark of ['# … bestehender Code …', '/* unchanged */', '// rest of the function']) {
      assert.throws(
        () => replace('  return 1;', `  ${mark}\n  return 3;`),
        /would be written into the file in place of/,
      );
    }
    assert.equal(replace('return 1;', '...'), TEXT.replace('return 1;', '...'));
  });

  it('are rejected with advice if the text occurs more than once or not at all', () => {
    assert.throws(() => replace('return', 'x'), /occurs more than once\. Add lines/);
    assert.throws(() => replace('return 5', 'x'), /is not in the file\. Read the file again/);
    assert.throws(() => replace('', 'x'), ReplaceError);
  });

  it('match lines with different indentation and indent the new lines accordingly', () => {
    assert.equal(
      replace('function b() {\nreturn 2;\n}', 'function b() {\nreturn 3;\n}', TEXT.replaceAll('  ', '')),
      TEXT.replaceAll('  ', '').replace('2', '3'),
    );
    assert.equal(
      replace('return 1;\n}', 'if (x) {\n  return 0;\n}\nreturn 1;\n}', '\t\treturn 1;\n\t\t}\n'),
      '\t\tif (x) {\n\t\t\treturn 0;\n\t\t}\n\t\treturn 1;\n\t\t}\n',
    );
  });

  it('find lines with other spaces, keep unchanged lines of the file, and report that to the model', () => {
    const text = 'const  a = [1,  2];\nconst b = 3;\n';
    const { text: after, notes } = replaceAll(text, [
      { oldText: 'const a = [1, 2];\nconst b = 3;', newText: 'const a = [1, 2];\nconst b = 4;' },
    ]);
    assert.equal(after, 'const  a = [1,  2];\nconst b = 4;\n');
    assert.deepEqual(notes, ['old_text of edit 1 differs a little from the file. It was found at lines 1 to 2.']);
  });

  it('accept context lines that differ a little, and keep those of the file', () => {
    const text = 'function quote(parcel: Parcel, zone: Zone) {\n  return 1;\n}\n';
    const edit = (head: string) =>
      replace(`${head}\n  return 1;\n}`, `${head}\n  check(parcel);\n  return 1;\n}`, text);
    assert.equal(
      edit('function quote(parcel: Parcel, zone) {'),
      text.replace('  return 1;', '  check(parcel);\n  return 1;'),
    );
    assert.throws(() => edit('function refund(order) {'), /is not in the file/);
  });

  it('fail at several possible places', () => {
    const text = 'function a() {\n\treturn  1;\n}\nfunction b() {\n\treturn  1;\n}\n';
    assert.throws(() => replace('return 1;', 'return 2;', text), /occurs more than once/);
  });

  it('fail at lines that are only similar, and name their numbers but not their text', () => {
    const edit = () => replace('function b() {\n  return two;\n}', 'function b() {\n  return 3;\n}');
    assert.throws(edit, /The most similar part is lines 5 to 7\. Read the file again/);
    try {
      edit();
    } catch (error) {
      assert.ok(error instanceof ReplaceError && !error.message.includes('return 2'));
    }
  });

  it('remove lines', () => {
    assert.equal(replace('return  1;', ''), TEXT.replace('  return 1;\n', ''));
  });

  it('keep the line endings of the file', () => {
    const windows = TEXT.replaceAll('\n', '\r\n');
    assert.equal(replace('return 1;\n}', 'return 0;\n}', windows), windows.replace('1', '0'));
  });

  it('keep the line break of each line in a file that mixes them', () => {
    const text = 'one\r\ntwo\nthree\r\nfour\nfive';
    assert.equal(replace('two\nthree', 'TWO\nthree', text), 'one\r\nTWO\nthree\r\nfour\nfive');
    assert.equal(replace('three\n', 'three\nnew\n', text), 'one\r\ntwo\nthree\r\nnew\r\nfour\nfive');
    assert.equal(replace('five', 'five\nsix\n', text), 'one\r\ntwo\nthree\r\nfour\nfive\nsix\n');
  });

  it('change no line break outside of the replaced lines', () => {
    const line = fc.tuple(fc.constantFrom('a', 'b', 'c', ''), fc.constantFrom('\n', '\r\n'));
    const property = fc.property(fc.array(line), fc.array(line), fc.constantFrom('', 'end'), (before, after, end) => {
      const [head, tail] = [before, after].map((lines) => lines.map((parts) => parts.join('')).join(''));
      assert.equal(replace('marked', 'changed', `${head}marked\r\n${tail}${end}`), `${head}changed\r\n${tail}${end}`);
    });
    fc.assert(property);
  });

  it('find accents that are composed or decomposed, and write them like the file', () => {
    assert.equal(replace('caf\u00e9 = 1', 'caf\u00e9 = 2', 'cafe\u0301 = 1\n'), 'cafe\u0301 = 2\n');
    assert.equal(replace('cafe\u0301 = 1', 'cafe\u0301 = 2', 'caf\u00e9 = 1\n'), 'caf\u00e9 = 2\n');
  });

  it('ignore line numbers that were copied with the lines', () => {
    const numbered = '5\tfunction b() {\n6\t  return 2;\n7\t}';
    const expected = TEXT.replace('2', '3');
    assert.equal(replace(numbered, numbered.replace('return 2', 'return 3')), expected);
    assert.equal(replace(numbered, 'function b() {\n  return 3;\n}'), expected);
    assert.equal(replace('1\tone', '1\ttwo', '1\tone\n'), '1\ttwo\n');
  });

  it('are applied one after the other', () => {
    const edits = [
      { oldText: 'return 1', newText: 'return 9' },
      { oldText: 'return 9', newText: 'return 8' },
    ];
    assert.equal(replaceAll(TEXT, edits).text, TEXT.replace('1', '8'));
  });

  it('insert the new text verbatim', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('\r')),
        (text) => {
          assert.equal(
            replace('return 2;', text),
            TEXT.replace('return 2;', () => text),
          );
        },
      ),
    );
  });

  it('count and show the changed lines', () => {
    const change = changeOf(TEXT, TEXT.replace('2', '3'), 1);
    assert.deepEqual([change.added, change.removed], [1, 1]);
    assert.deepEqual(
      change.lines.map((line) => [line.old, line.new, `${line.kind} ${line.text}`]),
      [
        [5, 5, 'same function b() {'],
        [6, undefined, 'removed   return 2;'],
        [undefined, 6, 'added   return 3;'],
        [7, 7, 'same }'],
      ],
    );
  });
});
