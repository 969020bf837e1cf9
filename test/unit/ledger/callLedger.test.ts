import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import { CallLedger } from '../../../src/ledger/callLedger.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

describe('an editor call in progress', () => {
  let path: string;
  let calls: CallLedger;

  beforeEach(() => {
    path = emptyLedger();
    calls = new CallLedger((problem) => assert.fail(problem));
  });
  afterEach(() => {
    calls.close();
    removeFolders();
  });

  const soFar = (outputTokens: number) =>
    entry({ id: 'call', source: 'chatPanel', usage: { inputTokens: 100, outputTokens }, usageIsEstimated: true });
  const rows = () => {
    const reader = new LedgerReader(path);
    const page = reader.exchanges({ filter: {}, limit: 10 });
    reader.close();
    return page.rows.map(({ end, usage, usageIsEstimated = false }) => [end, usage?.outputTokens, usageIsEstimated]);
  };

  it('is recorded as lost, with its last report, if its window crashes', () => {
    calls.begin(path, soFar(0));
    calls.begin(path, soFar(40));
    calls.flush();
    assert.deepEqual(rows(), []);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const database = new DatabaseSync(path);
    database.prepare('UPDATE running SET process = ?').run(pid);
    database.close();
    new Ledger({ path }).close();
    assert.deepEqual(rows(), [['lost', 40, true]]);
  });

  it('is rewritten with each report', () => {
    calls.begin(path, soFar(0));
    calls.flush();
    calls.begin(path, soFar(40));
    calls.flush();
    const database = new DatabaseSync(path, { readOnly: true });
    const tokens = database.prepare('SELECT output_tokens FROM running').all();
    database.close();
    assert.deepEqual(
      tokens.map(({ output_tokens }) => output_tokens),
      [40],
    );
  });

  it('has one row if its end is reported after the ledger was closed', () => {
    calls.begin(path, soFar(0));
    calls.close();
    calls.record(path, { ...soFar(45), end: 'clientLeft' });
    calls.flush();
    assert.deepEqual(rows(), [['clientLeft', 45, true]]);
    const database = new DatabaseSync(path, { readOnly: true });
    assert.equal(database.prepare('SELECT count(*) AS left FROM running').get()?.left, 0);
    database.close();
  });

  it('has one row if another process recorded it as lost in the meantime', () => {
    calls.begin(path, soFar(0));
    calls.flush();
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const database = new DatabaseSync(path);
    database.prepare('UPDATE running SET process = ?').run(pid);
    database.close();
    new Ledger({ path }).close();
    calls.begin(path, soFar(40));
    calls.flush();
    assert.deepEqual(rows(), [['lost', 0, true]]);
    calls.record(path, { ...soFar(45), end: 'clientLeft' });
    calls.flush();
    assert.deepEqual(rows(), [['clientLeft', 45, true]]);
  });

  it('has one row after it has ended', () => {
    calls.begin(path, soFar(0));
    calls.flush();
    calls.begin(path, soFar(40));
    calls.record(path, { ...soFar(45), usageIsEstimated: false, end: 'completed' });
    calls.flush();
    new Ledger({ path }).close();
    assert.deepEqual(rows(), [['completed', 45, false]]);
  });
});
