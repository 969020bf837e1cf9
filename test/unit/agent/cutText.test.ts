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

  it('is plain in no time that grows with the square of its length', () => {
    assert.equal(plainOutput('a'.repeat(1_000_000)).length, 1_000_000);
    assert.equal(plainOutput('a\r\r'.repeat(300_000)), 'a');
    assert.equal(lastLines(`${'b'.repeat(1_000_000)}\nc`, 1), 'c');
  });
});
