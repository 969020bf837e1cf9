import assert from 'node:assert/strict';
import type { WholeAnswer } from '../../../../src/gateway/core/wholeAnswer.ts';
import { PriceList } from '../../../../src/gateway/prices/priceBook.ts';

const MINUTE = 60_000;

function whole(status: number, text: string): WholeAnswer {
  const body = Buffer.from(text);
  return { status, headers: {}, body, raw: body };
}

function answerOf(body: unknown, status = 200) {
  return whole(status, JSON.stringify(body));
}

function listOf(input: number) {
  return answerOf({ data: [{ id: 'model-a', pricing: { input, output: 15, cached_input: 0.3 } }] });
}

describe("an upstream's price list", () => {
  let now: number;
  let asked: number;
  let answer: ReturnType<typeof answerOf> | undefined;
  let list: PriceList;

  beforeEach(() => {
    now = 0;
    asked = 0;
    answer = listOf(3);
    const ask = async () => {
      asked++;
      return answer;
    };
    list = new PriceList(ask, () => now);
  });

  it('is read on first use, once for parallel lookups', async () => {
    assert.equal(asked, 0);
    const found = await Promise.all([list.find('model-a'), list.find('model-a'), list.find('model-b')]);
    assert.deepEqual(found, [
      { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 },
      { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 },
      undefined,
    ]);
    assert.equal(asked, 1);
  });

  it('is cached for ten minutes, then read again', async () => {
    await list.find('model-a');
    answer = listOf(4);
    now += 10 * MINUTE - 1;
    assert.equal((await list.find('model-a'))?.inputPrice, 3);
    now += 1;
    assert.equal((await list.find('model-a'))?.inputPrice, 4);
    assert.equal(asked, 2);
  });

  it('is still used if it cannot be read again', async () => {
    await list.find('model-a');
    answer = undefined;
    now += 10 * MINUTE;
    assert.equal((await list.find('model-a'))?.inputPrice, 3);
  });

  for (const [name, failure] of [
    ['does not answer', undefined],
    ['has no such list', answerOf({ error: {} }, 404)],
    ['answers with something else', whole(200, '<html>')],
  ] as const) {
    it(`is requested again a minute after the upstream ${name}`, async () => {
      answer = failure;
      assert.equal(await list.find('model-a'), undefined);
      answer = listOf(3);
      now += MINUTE - 1;
      assert.equal(await list.find('model-a'), undefined);
      now += 1;
      assert.equal((await list.find('model-a'))?.inputPrice, 3);
      assert.equal(asked, 2);
    });
  }
});
