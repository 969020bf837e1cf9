import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lineRange } from '../../../src/agent/lineRange.ts';
import { runs } from '../../support/randomRuns.ts';

async function* partsOf(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    if (size > 0 && at < bytes.length) yield bytes.subarray(at, at + size);
    at += size;
  }
  if (at < bytes.length) yield bytes.subarray(at);
}

describe('a range of lines in a large file', () => {
  it('has the lines that the whole text has there, however its bytes arrive', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ä', '😀', '\n', '\r\n', ' '), maxLength: 40 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 });
    const line = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(text, sizes, line, line, async (written, parts, first, length) => {
        const all = written.split(/\r?\n/);
        const last = first + length - 1;
        const range = await lineRange(partsOf(Buffer.from(written), parts), first, last);
        const isEmpty = written === '';
        assert.deepEqual(range?.lines, isEmpty ? (first === 1 ? [''] : []) : all.slice(first - 1, last));
        assert.equal(range?.hasMore, all.length > last);
      }),
      { numRuns: runs(200) },
    );
  });

  it('reads UTF-16 with its mark, and refuses what is not text', async () => {
    const bytes = Buffer.from('\ufeffeins\nzwei\n', 'utf16le');
    assert.deepEqual(await lineRange(partsOf(bytes, [3]), 2, 2), { lines: ['zwei'], hasMore: true });
    assert.equal(await lineRange(partsOf(Buffer.from([1, 0, 2]), []), 1, 9), undefined);
  });

  it('reads nothing after the range, and truncates a line without an end', async () => {
    let parts = 0;
    async function* endless() {
      for (;;) {
        parts += 1;
        yield Buffer.from(`${'x'.repeat(999)}\n`);
      }
    }
    assert.equal((await lineRange(endless(), 10, 12))?.lines.length, 3);
    assert.ok(parts <= 13);
    async function* oneLine() {
      for (;;) yield Buffer.from('y'.repeat(100_000));
    }
    const range = await lineRange(oneLine(), 1, 1);
    assert.equal(range?.lines[0]?.length, 200_000);
    assert.equal(range.hasMore, true);
  });
});
