import assert from 'node:assert/strict';
import fc from 'fast-check';
import { strictJson } from '../../../../src/formats/json.ts';
import { JsonPieces, writeLongJson } from '../../../../src/gateway/http/longJson.ts';
import { longTextsIn } from '../../../../src/gateway/http/longTexts.ts';

const MB = 1024 * 1024;

/** Returns how often the event loop turned until the promise was resolved. */
async function roundsDuring(work: Promise<unknown>): Promise<number> {
  let rounds = 0;
  let isOver = false;
  const count = () => {
    rounds += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return rounds;
}

describe('long JSON that is written in pieces', () => {
  it('is the same as if it was written at once', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 9 }), (value) => {
        assert.equal([...new JsonPieces(value)].join(''), JSON.stringify(value));
      }),
    );
  });

  it('omits members without a value, like JSON.stringify', () => {
    const value = { a: undefined, b: [undefined, {}, []], c: { d: undefined } };
    assert.equal([...new JsonPieces(value)].join(''), JSON.stringify(value));
  });

  it('contains each character of a long text, wherever the text is divided', () => {
    for (const unit of ['a', '😀', 'a😀', '\ud83d', '\\"\n', 'é'])
      for (const before of ['', 'x', 'xy']) {
        const text = before + unit.repeat(150_000);
        const pieces = [...new JsonPieces([text])];
        assert.equal(pieces.join(''), strictJson([text]));
        assert.ok(pieces.length > 2);
      }
  });

  it('is written in steps, between which the event loop turns', async () => {
    const text = 'word '.repeat(400);
    for (const value of [
      { messages: [{ content: Array.from({ length: 8_000 }, () => ({ type: 'text', text })) }] },
      { instructions: 'word '.repeat(3_200_000) },
    ]) {
      const json = JSON.stringify(value);
      let written: Buffer | undefined;
      const rounds = await roundsDuring(
        writeLongJson(value, json.length).then((bytes) => {
          written = bytes;
        }),
      );
      assert.ok(written?.equals(Buffer.from(json)));
      assert.ok(rounds >= (2 * json.length) / (3 * MB), `${rounds} turns`);
    }
  });

  it('gets its long texts back in steps', async () => {
    const text = 'word '.repeat(400);
    const value = { messages: Array.from({ length: 8_000 }, () => ({ role: 'user', content: text })) };
    const body = Buffer.from(JSON.stringify(value));
    const texts = longTextsIn(body);
    assert.ok(texts);
    let written: Buffer | undefined;
    const rounds = await roundsDuring(
      writeLongJson(JSON.parse(texts.shortened().toString()), body.length, texts).then((bytes) => {
        written = bytes;
      }),
    );
    assert.ok(written?.equals(body));
    assert.ok(rounds >= (2 * body.length) / (3 * MB), `${rounds} turns`);
  });
});
