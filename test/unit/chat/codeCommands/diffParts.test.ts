import assert from 'node:assert/strict';
import { cutDiff } from '../../../../src/chat/codeCommands/diffParts.ts';
import { testFileName } from '../../../../src/chat/codeCommands/testFile.ts';
import { textAttachment } from '../../../../src/chat/context/textAttachment.ts';
import { estimateTokens } from '../../../../src/tokens/estimate.ts';

function diffOf(paths: readonly string[], lines: number) {
  const parts = paths.map(
    (path) => `diff --git a/${path} b/${path}\n${Array.from({ length: lines }, (_, i) => `+line ${i}`).join('\n')}`,
  );
  const text = parts.join('\n');
  return textAttachment({ kind: 'diff', label: 'Staged changes', path: 'staged', languageId: 'diff', text });
}

describe('a diff for a commit message', () => {
  it('is sent whole if it is short', () => {
    const diff = diffOf(['a.ts'], 3);
    assert.equal(cutDiff(diff), diff);
  });

  it('is cut with a note, after a list of all files', () => {
    const cut = cutDiff(diffOf(['a.ts', 'folder with space/b.ts', 'c.ts'], 500), 400);
    assert.match(cut.text, /^3 files are changed:\na\.ts\nfolder with space\/b\.ts\nc\.ts\n/);
    assert.match(cut.text, /lines omitted here/);
    assert.match(cut.note ?? '', /Trimmed from/);
    assert.ok(estimateTokens(cut.text) < 450);
  });

  it('shows something of each file, and all of the short ones', () => {
    const long = diffOf(['a/first.ts', 'z/last.ts'], 3000);
    const short = diffOf(['m/login.ts'], 3);
    const cut = cutDiff(textAttachment({ ...long, text: `${long.text}\n${short.text}` }), 2000);
    for (const path of ['a/first.ts', 'z/last.ts']) {
      assert.match(cut.text, new RegExp(`diff --git a/${path} b/${path}\n\\+line 0\n\\+line 1\n`));
    }
    assert.ok(cut.text.endsWith(short.text), cut.text.slice(-200));
    assert.ok(estimateTokens(cut.text) < 2200);
  });

  it('has only the numbers of lines of what programs write, even if it would fit', () => {
    for (const path of ['web/package-lock.json', 'go.sum', 'dist/app.min.js', 'test/__snapshots__/a.snap']) {
      const lock = diffOf([path], 9000);
      const code = diffOf(['src/login.ts'], 3);
      const { text } = cutDiff(textAttachment({ ...lock, text: `${lock.text}\n${code.text}` }));
      assert.equal(
        text,
        `diff --git a/${path} b/${path}\n[A generated file: 9000 lines added, 0 removed]\n${code.text}`,
      );
    }
    const brief = diffOf(['package-lock.json'], 4);
    assert.equal(cutDiff(brief), brief);
    const own = diffOf(['src/locks.ts'], 900);
    assert.equal(cutDiff(own), own);
  });

  it('of more files than there is space for has all of their names', () => {
    const paths = Array.from({ length: 600 }, (_, number) => `src/file${number}.ts`);
    const { text } = cutDiff(diffOf(paths, 50), 8000);
    assert.match(text, /^600 files are changed:\nsrc\/file0\.ts\n/);
    assert.match(text, /\nand 100 more\n/);
    assert.ok(estimateTokens(text) < 9000);
  });
});

describe('the name of a test file', () => {
  it('follows the convention of the language', () => {
    const names = ['quote.ts', 'view.tsx', 'parcel.py', 'main.go', 'Parcel.java'].map(testFileName);
    assert.deepEqual(names, ['quote.test.ts', 'view.test.tsx', 'test_parcel.py', 'main_test.go', 'ParcelTest.java']);
  });

  it('is undefined if there is no convention', () => {
    assert.deepEqual(['Makefile', '.env', 'notes.txt', 'quote.test.ts'].map(testFileName), Array(4).fill(undefined));
  });
});
