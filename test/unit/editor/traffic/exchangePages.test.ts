import assert from 'node:assert/strict';
import { ExchangePages } from '../../../../src/editor/traffic/exchangePages.ts';
import type { WorkerRpc } from '../../../../src/editor/worker/workerRpc.ts';
import type { ExchangePage, ExchangeQuestion, ExchangeRow } from '../../../../src/ledger/exchangeQuery.ts';

const FILTER = { terms: [] };

function pageOf(...numbers: readonly number[]): ExchangePage {
  const rows = numbers.map((number) => ({ id: String(number), number }) as ExchangeRow);
  return { rows, exchanges: rows.length, cost: 0, sampleCost: 0 };
}

/** A ledger that answers when the test says so. */
class AskedLedger {
  readonly questions: ExchangeQuestion[] = [];
  readonly #waiting: { resolve(page: ExchangePage): void; reject(error: Error): void }[] = [];
  readonly rpc = {
    readLedger: (_: 'exchanges', question: ExchangeQuestion) => {
      this.questions.push(question);
      return new Promise<ExchangePage>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    },
  } as unknown as Pick<WorkerRpc, 'readLedger'>;

  answer(page: ExchangePage): void {
    this.#waiting.shift()?.resolve(page);
  }
  fail(): void {
    this.#waiting.shift()?.reject(new Error('The disk is full.'));
  }
}

describe('the pages of the traffic list', () => {
  let ledger: AskedLedger;
  let pages: ExchangePages;

  beforeEach(() => {
    ledger = new AskedLedger();
    pages = new ExchangePages(ledger.rpc, '/ledger.sqlite');
  });

  async function begun(...numbers: readonly number[]): Promise<void> {
    const page = pages.begin(FILTER);
    ledger.answer(pageOf(...numbers));
    await page;
  }

  it('report that there may be older ones after a full page', async () => {
    const few = pages.begin(FILTER);
    ledger.answer(pageOf(3, 2, 1));
    assert.equal((await few)?.hasMore, false);
    const full = pages.begin(FILTER);
    const { limit = 0 } = ledger.questions.at(-1) ?? {};
    ledger.answer(pageOf(...Array.from({ length: limit }, (_, index) => limit - index)));
    assert.equal((await full)?.hasMore, true);
  });

  it('request what was recorded after the newest known entry', async () => {
    await begun(7, 9, 8);
    const newer = pages.newer(FILTER);
    assert.equal(ledger.questions.at(-1)?.after, 9);
    ledger.answer(pageOf(11, 10));
    await newer;
    void pages.newer(FILTER);
    assert.equal(ledger.questions.at(-1)?.after, 11);
  });

  it('miss no entry recorded before a long exchange of an older page', async () => {
    await begun(9, 8);
    const older = pages.older(FILTER, { at: 1_000, number: 8 });
    ledger.answer(pageOf(12, 7));
    await older;
    void pages.newer(FILTER);
    assert.equal(ledger.questions.at(-1)?.after, 9);
  });

  it('drop results and failures that were requested before the list was reset', async () => {
    const [first, second] = [pages.begin(FILTER), pages.begin(FILTER)];
    ledger.answer(pageOf(1));
    ledger.answer(pageOf(2));
    assert.equal(await first, undefined);
    assert.deepEqual(
      (await second)?.rows.map(({ number }) => number),
      [2],
    );
    const older = pages.older(FILTER, { at: 1_000, number: 2 });
    await pages.begin(undefined);
    ledger.fail();
    assert.equal(await older, undefined);
  });

  it('request nothing for a list without ledger entries', async () => {
    assert.deepEqual(await pages.begin(undefined), { rows: [], exchanges: 0, cost: 0, sampleCost: 0, hasMore: false });
    assert.deepEqual(ledger.questions, []);
  });

  it('report that the ledger cannot be read', async () => {
    const page = pages.begin(FILTER);
    ledger.fail();
    await assert.rejects(page, /The disk is full/);
  });
});
