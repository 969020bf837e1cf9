import assert from 'node:assert/strict';
import { cutMiddle, lastLines, plainOutput } from '../../../src/agent/cutText.ts';

describe('tool output', () => {
  it('keeps its beginning and end, with a note on how to read the rest', () => {
    assert.equal(cutMiddle('abcdef', 'Read less.', 10), 'abcdef');
    assert.equal(cutMiddle('0123456789', 'Read less.', 4), '01\n\n[6 characters are omitted here. Read less.]\n\n89');
  });

  it('drops terminal control sequences and overwritten parts of a line', () => {
    const cleared = ' 0/9 [>  ]\u001b[1G\u001b[2K 9/9 [===]\nimage: 1%\u001b[2K\u001b[0E\n';
    assert.equal(plainOutput(cleared), ' 9/9 [===]\nimage: 1%\n');
    assert.equal(plainOutput('|\b/\b-\bdone\n'), 'done\n');
    assert.equal(plainOutput('\u001b[31mred\u001b[0m\r\n10 %\r50 %\r100 %\r\ndone\r\n'), 'red\n100 %\ndone\n');
    assert.equal(lastLines('a\nb\nc\n', 2), 'b\nc');
  });

  it('keeps every character beside what is meant for the terminal', () => {
    for (const control of [
      ...['\u001b[?25l', '\u001b[>4;1m', '\u001b[2 q', '\u001b[<u', '\u001b[=1;2u', '\u001b[38:2::1:2:3m', '\u009b31m'],
      ...['\u001b7', '\u001b8', '\u001b=', '\u001b(B', '\u001bM', '\0', '\u0007', '\u000e', '\u007f'],
      ...['\u001b]0;title\u0007', '\u001b]8;;https://example.com\u001b\\', '\u001b]133;A\u001b\\'],
      ...['\u001bPq#0~~\u001b\\', '\u001b_Gi=1;AAAA\u001b\\'],
    ]) {
      assert.equal(plainOutput(`one${control}two${control}\nthree`), 'onetwo\nthree', JSON.stringify(control));
    }
  });

  it('is plain in no time that grows with the square of its length', () => {
    assert.equal(plainOutput('a'.repeat(1_000_000)).length, 1_000_000);
    assert.equal(plainOutput('a\r\r'.repeat(300_000)), 'a');
    for (const open of ['\u001b]', '\u001b[1', '\u001bP']) {
      assert.equal(plainOutput(open.repeat(300_000)).length < 300_001, true);
      assert.equal(plainOutput(open + '1'.repeat(1_000_000)).length > 900_000, true);
    }
    assert.equal(lastLines(`${'b'.repeat(1_000_000)}\nc`, 1), 'c');
  });
});
