import assert from 'node:assert/strict';
import { cutDiff } from '../../../../src/chat/codeCommands/diffCut.ts';
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
