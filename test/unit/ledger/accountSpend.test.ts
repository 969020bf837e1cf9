import assert from 'node:assert/strict';
import { FORMAT_NAMES } from '../../../src/formats/conversation.ts';
import { wireFormats } from '../../../src/formats/index.ts';
import { Bookkeeper } from '../../../src/gateway/exchanges/bookkeeper.ts';
import { accountSpend } from '../../../src/ledger/accountSpend.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { get, send } from '../gateway/support/client.ts';
import { closeAll, closeLater, startPair } from '../gateway/support/gateway.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

/** Cost of one entry, in US dollars. */
const ONE = 0.0045;
const noon = (day: number) => new Date(2026, 10, day, 12).getTime();

function fill(path: string, entries: readonly LedgerEntry[]): void {
  const ledger = new Ledger({ path });
  for (const each of entries) ledger.append(each);
  ledger.close();
}

describe('the spending of the service key', () => {
  afterEach(removeFolders);

  it('is summed for the day and the month, for all callers, and without other upstreams', () => {
    const path = emptyLedger();
    fill(path, [
      entry({ at: new Date(2026, 9, 31, 23, 59).getTime() }),
      entry({ at: noon(1), source: 'chatPanel' }),
      entry({ at: noon(20) }),
      entry({ at: noon(21), source: 'command' }),
      entry({ at: noon(21), upstream: 'local' }),
      entry({ at: noon(21), upstream: 'sandbox' }),
      entry({ at: noon(21), prices: {} }),
    ]);
    const reader = new LedgerReader(path);
    const spend = accountSpend(reader, { ledger: path, upstream: 'hosted' }, noon(21));
    reader.close();
    assert.deepEqual(spend, { daily: ONE, monthly: 0.0135 });
  });

  it('is the same from stored sums and from rows that are not summed yet', () => {
    const path = emptyLedger();
    fill(
      path,
      Array.from({ length: 2500 }, () => entry({ at: noon(21) })),
    );
    const reader = new LedgerReader(path);
    const { daily } = accountSpend(reader, { ledger: path, upstream: 'hosted' }, noon(21));
    reader.close();
    assert.equal(daily.toFixed(4), (2500 * ONE).toFixed(4));
  });
});

describe('a gateway with a spending limit of the service key', () => {
  afterEach(async () => {
    await closeAll();
    removeFolders();
  });

  async function started(limits: { readonly daily?: number; readonly monthly?: number }) {
    const path = emptyLedger();
    fill(path, [entry({ at: Date.now(), source: 'chatPanel' })]);
    const books = new Bookkeeper({ ledger: path });
    closeLater(() => books.close());
    books.setLimits(limits);
    return { books, ...(await startPair(undefined, { books })) };
  }

  for (const format of FORMAT_NAMES) {
    it(`refuses tools with 402 in the ${format} format once it is reached, and sends nothing`, async () => {
      const { port, service, nextRecord } = await started({ daily: ONE });
      const ended = nextRecord();
      const body = JSON.stringify({ model: 'familya-haiku-4.5', messages: [] });
      const answer = await send({ port, path: `/api/v1${wireFormats[format].path}`, body });
      assert.equal(answer.status, 402);
      const error = wireFormats[format].decodeError(JSON.parse(answer.body.toString()));
      assert.match(error?.message ?? '', /^The daily limit of/);
      assert.equal((await ended).end, 'budget');
      assert.equal(service.requests.length, 0);
    });
  }

  it('also refuses a long body, which it would otherwise stream through', async () => {
    const { port, service } = await started({ monthly: ONE });
    const body = JSON.stringify({ model: 'familya-haiku-4.5', text: 'x'.repeat(300_000) });
    assert.equal((await send({ port, path: '/api/v1/messages', body })).status, 402);
    assert.equal(service.requests.length, 0);
  });

  it('still lets tools count tokens and list models, and allows everything below the limit', async () => {
    const { port, books } = await started({ daily: ONE });
    const body = JSON.stringify({ model: 'familya-haiku-4.5', messages: [] });
    assert.notEqual((await send({ port, path: '/api/v1/messages/count_tokens', body })).status, 402);
    assert.notEqual((await get({ port, path: '/api/v1/models' })).status, 402);
    books.setLimits({ daily: 1 });
    assert.notEqual((await send({ port, path: '/api/v1/messages', body })).status, 402);
  });
});
