import assert from 'node:assert/strict';
import { areNamesOf } from '../../../../../src/panels/chat/context/useTransfers.ts';

const files = (...names: string[]) => names.map((name) => ({ name }));

describe('a text in the clipboard beside files', () => {
  for (const [text, names] of [
    ['diagram.png', ['diagram.png']],
    ['b.png\ra.png', ['a.png', 'b.png']],
    ['/Users/sam/Pictures/a b.png', ['a b.png']],
    ['file:///home/sam/a%20b.png\n', ['a b.png']],
    ['C:\\pictures\\a.png\r\nC:\\pictures\\b.png', ['a.png', 'b.png']],
  ] as const) {
    it(`is only their names: ${JSON.stringify(text)}`, () => assert.ok(areNamesOf(text, files(...names))));
  }

  for (const [text, names] of [
    ['1\t2\n3\t4', ['image.png']],
    ['A page about diagram.png', ['diagram.png']],
    ['diagram.png', []],
    ['a.png', ['a.png', 'b.png']],
    ['', ['image.png']],
    ['file:///a%zz.png', ['b.png']],
  ] as const) {
    it(`is text of its own: ${JSON.stringify(text)}`, () => assert.ok(!areNamesOf(text, files(...names))));
  }
});
