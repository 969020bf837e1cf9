import assert from 'node:assert/strict';
import type { ByteSink } from '../../../../src/gateway/http/byteSink.ts';
import { nextTurn, PacedPieces } from '../../../../src/gateway/http/turns.ts';

const KB = 1024;
/** More than the time of a turn. In milliseconds. */
const WORK_MS = 25;

function sinkOf(read: (piece: Buffer) => unknown): ByteSink {
  return { data: (piece) => read(piece) !== false };
}

function work(): void {
  const end = performance.now() + WORK_MS;
  while (performance.now() < end);
}

/** A busy machine can use up the time of a turn, so that a piece comes in a later one. */
async function until(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise(setImmediate);
}

describe('the pieces of answers that take long to process', () => {
  it('wait for each other, so that all answers together process one in a turn of the event loop', async () => {
    let inTurn = 0;
    let most = 0;
    let isOver = false;
    const startTurn = () => {
      most = Math.max(most, inTurn);
      inTurn = 0;
      if (!isOver) setImmediate(startTurn);
    };
    await new Promise(setImmediate);
    startTurn();
    const answers = Array.from({ length: 4 }, () => {
      const pieces = new PacedPieces(
        sinkOf(() => {
          inTurn += 1;
          work();
        }),
        () => undefined,
      );
      pieces.push(Buffer.alloc(32 * KB));
      return new Promise<void>((resolve) => pieces.end(resolve));
    });
    await Promise.all(answers);
    isOver = true;
    startTurn();
    assert.equal(most, 1);
  });

  it('arrive in their order, while the sender is held', async () => {
    const held: boolean[] = [];
    const arrived: Buffer[] = [];
    const pieces = new PacedPieces(
      sinkOf((piece) => {
        arrived.push(piece);
        work();
      }),
      (isHeld) => held.push(isHeld),
    );
    const sent = Array.from({ length: 3 }, (_, nth) => Buffer.alloc(20 * KB, nth));
    for (const chunk of sent) pieces.push(chunk);
    await new Promise<void>((resolve) => pieces.end(resolve));
    assert.ok(Buffer.concat(arrived).equals(Buffer.concat(sent)));
    assert.deepEqual(held, [true, false]);
  });

  it('wait for a slow reader', async () => {
    let bytes = 0;
    const pieces: PacedPieces = new PacedPieces(
      sinkOf(({ length }) => {
        bytes += length;
        pieces.pause();
      }),
      () => undefined,
    );
    pieces.push(Buffer.alloc(40 * KB));
    const whole = new Promise<void>((resolve) => pieces.end(resolve));
    for (const passed of [16 * KB, 32 * KB]) {
      await until(() => bytes >= passed);
      await nextTurn();
      assert.equal(bytes, passed);
      pieces.resume();
    }
    await whole;
    assert.equal(bytes, 40 * KB);
  });

  it('are joined if they are short and arrive at once', async () => {
    const arrived: string[] = [];
    const pieces = new PacedPieces(
      sinkOf((piece) => arrived.push(piece.toString())),
      () => undefined,
    );
    const long = 'l'.repeat(KB);
    for (const text of ['a', ':\n\n', 'b', long, 'c', 'd']) pieces.push(Buffer.from(text));
    await until(() => arrived.length === 2);
    assert.deepEqual(arrived, [`a:\n\nb${long}`, 'cd']);
    pieces.push(Buffer.from('e'));
    await new Promise<void>((resolve) => pieces.end(resolve));
    assert.deepEqual(arrived.slice(2), ['e']);
  });

  it('end with an event if one ends in time', async () => {
    const arrived: Buffer[] = [];
    const pieces = new PacedPieces(
      sinkOf((piece) => arrived.push(piece)),
      () => undefined,
    );
    const events = Buffer.from(`data: ${'e'.repeat(300)}\n\n`.repeat(100));
    pieces.push(events);
    await new Promise<void>((resolve) => pieces.end(resolve));
    assert.ok(arrived.length > 1);
    for (const piece of arrived) assert.ok(piece.length <= 16 * KB && piece.toString().endsWith('\n\n'));
    assert.ok(Buffer.concat(arrived).equals(events));
  });

  it('are not processed after they were dropped', async () => {
    let count = 0;
    const pieces: PacedPieces = new PacedPieces(
      sinkOf(() => {
        count += 1;
        pieces.drop();
      }),
      () => undefined,
    );
    pieces.push(Buffer.alloc(64 * KB));
    await until(() => count > 0);
    await nextTurn();
    assert.equal(count, 1);
  });
});
