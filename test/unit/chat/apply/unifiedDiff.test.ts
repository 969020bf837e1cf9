import assert from 'node:assert/strict';
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { patch } from '../../../../src/chat/apply/patch.ts';
import { changedPaths, type FileDiff, parseDiff } from '../../../../src/chat/apply/unifiedDiff.ts';

const TEXT = `import { read } from './read.ts';

export function first() {
  return read('first');
}

export function second() {
  return read('second');
}

export function third() {
  return read('third');
}
`;

function parsed(diff: string, isCalledDiff = true): readonly FileDiff[] {
  const files = parseDiff(diff, isCalledDiff);
  assert.ok(files !== undefined);
  return files;
}

function patched(diff: string, text = TEXT) {
  const [file] = parsed(diff);
  assert.ok(file !== undefined);
  return patch(text, file.hunks);
}

describe('a unified diff in an answer', () => {
  it('is parsed with its files and Git’s extended headers', () => {
    const files = parsed(`diff --git a/src/a.ts b/src/a.ts
index 123..456 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,2 +1,2 @@ function a
 kept
-old
+new
diff --git a/old.ts b/old.ts
deleted file mode 100644
--- a/old.ts
+++ /dev/null
@@ -1 +0,0 @@
-gone
--- /dev/null
+++ b/new.ts
@@ -0,0 +1,2 @@
+one
+two
`);
    assert.deepEqual(
      files.map(({ path, kind }) => [path, kind]),
      [
        ['src/a.ts', 'changed'],
        ['old.ts', 'deleted'],
        ['new.ts', 'created'],
      ],
    );
    assert.deepEqual(files[0]?.hunks, [
      {
        header: '@@ -1,2 +1,2 @@ function a',
        start: 1,
        lines: [
          { kind: 'kept', text: 'kept' },
          { kind: 'removed', text: 'old' },
          { kind: 'added', text: 'new' },
        ],
      },
    ]);
  });

  it('treats a removed line that begins with dashes as a line, not as a header', () => {
    const [file, ...others] = parsed(
      '--- a/q.sql\n+++ b/q.sql\n@@ -1,2 +1,2 @@\n--- old comment\n+-- new comment\n x\n',
    );
    assert.deepEqual(others, []);
    assert.equal(file?.path, 'q.sql');
    assert.deepEqual(file?.hunks[0]?.lines.slice(0, 2), [
      { kind: 'removed', text: '-- old comment' },
      { kind: 'added', text: '-- new comment' },
    ]);
  });

  it('is recognized by its headers or by the language of the code block; a list is not a diff', () => {
    assert.equal(parseDiff('- one\n- two\n+ three', false), undefined);
    assert.notEqual(parseDiff('- one\n+ two', true), undefined);
    assert.notEqual(parseDiff('@@ -1 +1 @@\n-one\n+two', false), undefined);
    assert.equal(parseDiff('const a = 1;\nconst b = 2;', false), undefined);
    assert.equal(parseDiff('@@ -1 +1 @@\n one\n two', true), undefined);
  });

  it('is applied where its lines match, whatever its line numbers', () => {
    const { text, rejectedHunks } = patched(
      "@@ -90,3 +90,3 @@\n export function second() {\n-  return read('second');\n+  return read('2nd');\n }\n",
    );
    assert.deepEqual(rejectedHunks, []);
    assert.equal(text, TEXT.replace("'second'", "'2nd'"));
  });

  it('is applied at the match that is closest to its line number', () => {
    const diff = (line: number) => `@@ -${line},2 +${line},3 @@\n }\n+// end\n \n`;
    assert.equal(patched(diff(5)).text, TEXT.replace('}\n\n', '}\n// end\n\n'));
    assert.match(patched(diff(9)).text, /'second'\);\n\}\n\/\/ end\n/);
  });

  it('keeps the text between its hunks, and reports the hunks that do not fit', () => {
    const { text, rejectedHunks } = patched(`--- a/a.ts
+++ b/a.ts
@@ -3,2 +3,2 @@
 export function first() {
-  return read('first');
+  return read('1st');
@@ -30,2 +30,2 @@ function absent
 export function absent() {
-  return nothing;
+  return something;
@@ -11,2 +11,2 @@
 export function third() {
-  return read('third');
+  return read('3rd');
`);
    assert.equal(text, TEXT.replace("'first'", "'1st'").replace("'third'", "'3rd'"));
    assert.deepEqual(
      rejectedHunks.map(({ header }) => header),
      ['@@ -30,2 +30,2 @@ function absent'],
    );
  });

  it('tolerates different context lines, indentation and line endings', () => {
    const other = patched(
      "@@ @@\n // not there\n export function first() {\n-  return read('first');\n+  return read('1st');\n",
    );
    assert.equal(other.text, TEXT.replace("'first'", "'1st'"));
    const tabs = TEXT.replaceAll('  ', '\t');
    const indented = patched(
      "@@ @@\n export function first() {\n-    return read('first');\n+    log();\n+    return read('1st');\n",
      tabs,
    );
    assert.equal(indented.text, tabs.replace("\treturn read('first')", "\tlog();\n\treturn read('1st')"));
    const windows = TEXT.replaceAll('\n', '\r\n');
    assert.equal(
      patched("@@ @@\n-  return read('first');\n+  return 1;\n", windows).text,
      windows.replace("read('first')", '1'),
    );
  });

  it('is one change without headers, even with blank lines that lack the leading space', () => {
    const { text, rejectedHunks } = patched(
      "-import { read } from './read.ts';\n+import { read } from './reader.ts';\n\n export function first() {\n",
    );
    assert.deepEqual(rejectedHunks, []);
    assert.equal(text, TEXT.replace('./read.ts', './reader.ts'));
  });

  it('changes nothing if it is already applied, and rejects no hunk', () => {
    const diff = "@@ -3,2 +3,2 @@\n export function first() {\n-  return read('first');\n+  return read('1st');\n";
    const once = patched(diff).text;
    assert.deepEqual(patched(diff, once), { text: once, rejectedHunks: [] });
  });

  it('fills an empty file, and inserts after the specified line', () => {
    assert.equal(patched('--- /dev/null\n+++ b/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n', '').text, 'one\ntwo\n');
    assert.equal(patched('@@ -1,0 +2 @@\n+two\n', 'one\nthree\n').text, 'one\ntwo\nthree\n');
    assert.equal(patched('@@ -2,0 +3 @@\n+three', 'one\ntwo').text, 'one\ntwo\nthree');
    assert.equal(patched('@@ -9,0 +9 @@\n+nine', 'one\n').rejectedHunks.length, 1);
  });

  it('turns any text into any other', () => {
    const text = fc.array(fc.constantFrom('alpha', 'beta', '  gamma', 'delta', ''), { maxLength: 30 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [from, to] = [before, after].map((lines) => lines.map((line, index) => `${line}${index}\n`).join(''));
        if (from === undefined || to === undefined || from === to) return;
        const diff = createTwoFilesPatch('a/a.txt', 'b/a.txt', from, to);
        const [file] = parsed(diff);
        assert.deepEqual(patch(from, file?.hunks ?? []), { text: to, rejectedHunks: [] });
      }),
    );
  });
});

describe('the paths of a diff', () => {
  it('are those before and after, also of new, deleted, and quoted ones', () => {
    const diff = [
      'diff --git a/.env b/.env',
      '--- a/.env',
      '+++ b/.env',
      '@@ -1 +1 @@',
      '-A=1',
      '+A=2',
      '--- /dev/null',
      '+++ b/new.pem',
      '--- "a/old \\303\\244.key"',
      '+++ /dev/null',
    ].join('\n');
    assert.deepEqual(changedPaths(diff), ['.env', '.env', 'new.pem', 'old \\303\\244.key']);
  });
});
