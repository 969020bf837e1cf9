import assert from 'node:assert/strict';
import { mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerQuestion } from '../../../src/ledger/ledgerQuestion.ts';
import { LedgerThread } from '../../../src/ledger/ledgerThread.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

describe('the thread that reads the ledger', () => {
  let thread: LedgerThread;
  let path: string;
  let warnings: string[];

  beforeEach(() => {
    warnings = [];
    thread = new LedgerThread((message) => warnings.push(message));
    path = emptyLedger();
  });
  afterEach(async () => {
    await thread.close();
    removeFolders();
  });

  const page = (): LedgerQuestion => ({ name: 'exchanges', asks: { ledger: path, filter: {}, limit: 10 } });
  const idsIn = async () => {
    const { answer, problem } = await thread.read(page());
    assert.equal(problem, undefined);
    assert.ok(answer !== undefined && answer !== null && 'rows' in answer);
    return answer.rows.map(({ id }) => id);
  };

  it('answers parallel queries separately, and sees what was written meanwhile', async () => {
    const ledger = new Ledger({ path });
    ledger.append(entry({ id: 'one', model: 'model-a' }));
    ledger.flush();
    const [ids, names] = await Promise.all([idsIn(), thread.read({ name: 'exchangeNames', asks: { ledger: path } })]);
    assert.deepEqual(ids, ['one']);
    assert.deepEqual(names, { answer: { models: ['model-a'], clients: ['curl'] } });
    ledger.append(entry({ id: 'two', at: Date.now() + 1 }));
    ledger.close();
    assert.deepEqual(await idsIn(), ['two', 'one']);
  });

  it('reports why a ledger cannot be read, and reads it once it can', async () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'no database');
    assert.match((await thread.read(page())).problem ?? '', /not a database/);
    renameSync(path, `${path}.damaged`);
    assert.deepEqual(await idsIn(), []);
  });

  it('reports files of lost exchanges that are damaged', async () => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(`${path}.pending-1-damaged`, '\0\n\0\n');
    utimesSync(`${path}.pending-1-damaged`, 0, 0);
    assert.deepEqual([await idsIn(), await idsIn()], [[], []]);
    assert.deepEqual(warnings, [`Damaged lines in ${path}.damaged-1-damaged that are not in the ledger: 2.`]);
  });

  it('restarts after it was closed', async () => {
    assert.deepEqual(await idsIn(), []);
    await thread.close();
    assert.deepEqual(await idsIn(), []);
  });
});
