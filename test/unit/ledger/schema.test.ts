import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { SCHEMA_VERSION } from '../../../src/ledger/schema.ts';
import { entry } from './entries.ts';
import { ledgerPath, removeFolders } from './files.ts';

/** The schema of the extension's first version. */
const FIRST_VERSION = `
  CREATE TABLE exchanges (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL, local_key_id TEXT,
    client TEXT, endpoint TEXT, format_in TEXT, format_out TEXT, model TEXT, upstream TEXT, status INTEGER,
    first_byte_ms REAL, duration_ms REAL NOT NULL, input_tokens INTEGER, output_tokens INTEGER,
    cached_input_tokens INTEGER, cache_write_tokens INTEGER, reasoning_tokens INTEGER,
    usage_is_estimated INTEGER NOT NULL, cost INTEGER, input_price REAL, output_price REAL, cached_input_price REAL,
    ended TEXT NOT NULL
  ) STRICT;
  CREATE INDEX exchanges_by_time ON exchanges (at);
  CREATE INDEX exchanges_by_key ON exchanges (local_key_id, at, input_tokens, output_tokens, cost);
  CREATE TABLE pruned (
    local_key_id TEXT NOT NULL, at INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cost INTEGER NOT NULL, PRIMARY KEY (local_key_id, at)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = 1;`;

const AT = new Date(2026, 10, 20, 12).getTime();

describe('a ledger of the first version', () => {
  let path: string;

  beforeEach(() => {
    path = ledgerPath();
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    database.exec(FIRST_VERSION);
    const insert = database.prepare(`
      INSERT INTO exchanges (id, at, source, local_key_id, model, upstream, duration_ms, input_tokens, output_tokens,
        usage_is_estimated, cost, ended)
      VALUES (?, ?, 'gateway', 'terminal', 'familya-sonnet-4.6', 'hosted', 100, 1000, 100, 0, 4500000, 'completed')`);
    database.exec('BEGIN');
    for (let index = 0; index < 1200; index += 1) insert.run(`req_${index}`, AT + index);
    database.exec('COMMIT');
    database.close();
  });

  afterEach(removeFolders);

  const report = () => {
    const reader = new LedgerReader(path);
    const { totals } = reader.usage({ period: { first: '2026-11-01', last: '2026-11-30' }, ofSandbox: false });
    reader.close();
    return totals;
  };

  it('keeps the billed cost, and gets the cache saving', () => {
    const old = new DatabaseSync(path);
    old.exec(`UPDATE exchanges SET cached_input_tokens = 400, input_price = 3, output_price = 15, cached_input_price = 0.3,
      format_in = 'messages' WHERE number = 1`);
    old.close();
    new Ledger({ path }).close();
    const database = new DatabaseSync(path, { readOnly: true });
    const row = database.prepare('SELECT cost, cache_saving, caller_format FROM exchanges WHERE number = 1').get();
    database.close();
    assert.deepEqual({ ...row }, { cost: 4_500_000, cache_saving: 1_080_000, caller_format: 'messages' });
  });

  it('is upgraded to the current version with all its exchanges', () => {
    assert.equal(report().exchanges, 1200);
    const database = new DatabaseSync(path);
    assert.equal(database.prepare('PRAGMA user_version').get()?.user_version, SCHEMA_VERSION);
    const row = database.prepare('SELECT conversation_id, queue_ms, cost FROM exchanges WHERE number = 1').get();
    assert.deepEqual({ ...row }, { conversation_id: null, queue_ms: null, cost: 4_500_000 });
    database.close();
  });

  it('has the same report after summing, with each exchange once', () => {
    const ledger = new Ledger({ path });
    ledger.append(entry({ at: AT, conversationId: 'c1' }));
    ledger.flush();
    const before = report();
    ledger.prune();
    ledger.close();
    const after = report();
    assert.deepEqual(after, before);
    assert.equal(after.exchanges, 1201);
    assert.equal(after.cost, 1201 * 0.0045);
  });
});

describe('a ledger whose daily sums counted other failures', () => {
  afterEach(removeFolders);

  it('counts them again, except on days whose rows were removed', () => {
    const path = ledgerPath();
    const ledger = new Ledger({ path });
    for (const status of [200, 404, 429]) ledger.append(entry({ at: AT, status }));
    ledger.append(entry({ at: AT, model: 'other', end: 'budget', status: 402 }));
    ledger.flush();
    ledger.prune();
    ledger.close();
    const old = new DatabaseSync(path);
    old.exec(`
      UPDATE daily SET failed = 1;
      INSERT INTO daily SELECT '2026-10-01', source, local_key_id, client, model, upstream, conversation_id, exchanges,
        9, unpriced, estimated, input_tokens, output_tokens, cached_input_tokens, reasoning_tokens, cost,
        cache_write_tokens, cache_saving, unconfirmed_cost FROM daily WHERE model = 'other';
      DROP INDEX exchanges_by_context;
      PRAGMA user_version = 15`);
    for (const table of ['exchanges', 'running'])
      for (const column of ['output_limit', 'sealed_secrets']) old.exec(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    old.close();
    new Ledger({ path }).close();
    const database = new DatabaseSync(path, { readOnly: true });
    const rows = database.prepare('SELECT day, model, failed FROM daily ORDER BY day, model').all();
    database.close();
    assert.deepEqual(
      rows.map(({ day, model, failed }) => [day, model, failed]),
      [
        ['2026-10-01', 'other', 9],
        ['2026-11-20', 'familya-sonnet-4.6', 2],
        ['2026-11-20', 'other', 0],
      ],
    );
  });
});
