import assert from 'node:assert/strict';
import { ByteList, joined } from '../../../../src/gateway/http/byteList.ts';

const LENGTH = 200_000;

describe('joined pieces', () => {
  const memory = Buffer.from('0123456789');
  const part = (start: number, end: number) => memory.subarray(start, end);

  it('are not copied if they follow each other in memory', () => {
    const whole = joined([part(1, 4), part(4, 4), part(4, 9)]);
    assert.equal(whole.toString(), '12345678');
    assert.equal(whole.buffer, memory.buffer);
    assert.equal(whole.byteOffset, memory.byteOffset + 1);
  });

  it('are copied if they do not', () => {
    assert.equal(joined([part(4, 9), part(1, 4)]).toString(), '45678123');
    assert.equal(joined([part(0, 2), part(3, 4)]).toString(), '013');
    assert.equal(joined([part(0, 2), Buffer.from('x')]).toString(), '01x');
    assert.equal(joined([]).length, 0);
  });
});

describe('a body that arrives byte by byte', () => {
  it('is kept in few pieces', () => {
    const bytes = Buffer.from(Array.from({ length: LENGTH }, (_, nth) => nth % 251));
    const list = new ByteList();
    for (let at = 0; at < LENGTH; at++) list.add(bytes.subarray(at, at + 1));
    assert.equal(list.length, LENGTH);
    assert.ok(list.pieces.length < 2_000, `${list.pieces.length} pieces`);
    assert.ok(list.concat().equals(bytes));
  });

  it('is kept with the long pieces between as they came', () => {
    const list = new ByteList();
    const sent: Buffer[] = [];
    for (let nth = 0; nth < 5_000; nth++) {
      const piece = Buffer.alloc(nth % 1_000 === 0 ? 64 * 1024 : nth % 3, nth % 256);
      sent.push(piece);
      list.add(piece);
    }
    assert.ok(list.concat().equals(Buffer.concat(sent)));
    list.clear();
    list.add(Buffer.from('text'));
    assert.equal(list.concat().toString(), 'text');
  });
});

describe('a body that arrives in long pieces', () => {
  it('is not copied', () => {
    const list = new ByteList();
    const piece = Buffer.alloc(16 * 1024);
    for (let nth = 0; nth < 3_000; nth++) list.add(piece);
    assert.ok(list.pieces.every((kept) => kept === piece));
  });
});
