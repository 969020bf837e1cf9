import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { SCHEMA_VERSION } from '../../../src/ledger/schema.ts';
import { LedgerError } from '../../../src/ledger/sqlite.ts';
import { entry } from './entries.ts';
import { ledgerPath, removeFolders } from './files.ts';

describe('the ledger', () => {
  let path: string;
  let ledger: Ledger;
  let problems: LedgerError[];

  beforeEach(() => {
    path = ledgerPath();
    problems = [];
    ledger = new Ledger({ path, onProblem: (problem) => problems.push(problem) });
  });

  afterEach(() => {
    ledger.close();
    removeFolders();
  });

  const rows = () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const all = database.prepare('SELECT * FROM exchanges ORDER BY number').all();
    database.close();
    return all;
  };

  it('reports the exchanges of a batch once they can be read', async () => {
    const entered = Promise.withResolvers<{ readonly ids: readonly string[]; readonly read: readonly unknown[] }>();
    const reporting = new Ledger({
      path,
      onEntered: (ids) => entered.resolve({ ids, read: rows().map(({ id }) => id) }),
    });
    for (const id of ['one', 'two']) reporting.append(entry({ id }));
    const { ids, read } = await entered.promise;
    reporting.close();
    assert.deepEqual(
      [ids, read],
      [
        ['one', 'two'],
        ['one', 'two'],
      ],
    );
  });

  it('reports nothing while exchanges are only in progress', () => {
    const reports: (readonly string[])[] = [];
    const reporting = new Ledger({ path, onEntered: (ids) => reports.push(ids) });
    reporting.begin('one', () => entry({ id: 'one' }));
    reporting.flush();
    reporting.close();
    assert.deepEqual(reports, []);
  });

  it('restricts the permissions of its files when it is opened', function () {
    // Windows has no such modes.
    if (process.platform === 'win32') this.skip();
    ledger.append(entry());
    ledger.flush();
    const files = ['', '-wal', '-shm'].map((suffix) => path + suffix);
    for (const file of files) chmodSync(file, 0o666);
    new Ledger({ path, onProblem: (problem) => problems.push(problem) }).close();
    assert.deepEqual(
      files.map((file) => (statSync(file).mode & 0o777).toString(8)),
      ['600', '600', '600'],
    );
  });

  it('adds exchanges to the daily sums when it is idle', async () => {
    const summed = () => {
      const database = new DatabaseSync(path, { readOnly: true });
      const { exchanges } = database.prepare('SELECT total(exchanges) AS exchanges FROM daily').get() ?? {};
      database.close();
      return exchanges;
    };
    for (let made = 0; made < 600; made++) ledger.append(entry());
    ledger.flush();
    assert.equal(summed(), 0, 'while the exchanges come');
    while (summed() !== 600) await wait(50);
  });

  it('keeps all data of an exchange', () => {
    ledger.append(
      entry({
        id: 'req_1',
        at: 1_790_000_000_123,
        usage: {
          inputTokens: 1000,
          outputTokens: 100,
          cachedInputTokens: 400,
          cacheWriteTokens: 50,
          reasoningTokens: 20,
        },
        prices: { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3 },
      }),
    );
    ledger.flush();
    const { number: _, ...all } = rows()[0] ?? {};
    const row = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
    assert.deepEqual(row, {
      id: 'req_1',
      at: 1_790_000_000_123,
      source: 'gateway',
      local_key_id: 'terminal',
      client: 'curl',
      endpoint: '/messages',
      caller_format: 'messages',
      upstream_format: 'chat-completions',
      model: 'familya-sonnet-4.6',
      upstream: 'hosted',
      status: 200,
      queue_ms: 2.25,
      first_byte_ms: 12.5,
      duration_ms: 100.25,
      input_tokens: 1000,
      output_tokens: 100,
      cached_input_tokens: 400,
      cache_write_tokens: 50,
      reasoning_tokens: 20,
      usage_is_estimated: 0,
      // 550 * 3,000 + 400 * 300 + 50 * 3,750 + 100 * 15,000 billionths of a dollar
      cost: 3_457_500,
      // 400 * 2,700 - 50 * 750
      cache_saving: 1_042_500,
      cache_write_price: 3.75,
      assumed_prices: 'cacheWrite',
      input_price: 3,
      output_price: 15,
      cached_input_price: 0.3,
      ended: 'completed',
    });
  });

  it('contains the prices that apply to the length of the prompt', () => {
    const longPrompts = [{ above: 200_000, inputPrice: 6, outputPrice: 22.5 }];
    const usage = { inputTokens: 200_001, cachedInputTokens: 200_000, outputTokens: 2 };
    ledger.append(entry({ usage, prices: { inputPrice: 3, outputPrice: 15, cachedInputPrice: 0.3, longPrompts } }));
    ledger.flush();
    const { input_price, output_price, cached_input_price, assumed_prices, cost, cache_saving } = rows()[0] ?? {};
    assert.deepEqual([input_price, output_price, cached_input_price, assumed_prices], [6, 22.5, 0.6, 'cachedInput']);
    assert.deepEqual([cost, cache_saving], [6_000 + 200_000 * 600 + 2 * 22_500, 200_000 * 5_400]);
  });

  it('leaves unknown values empty', () => {
    const { id, at, source, durationMs, end } = entry();
    ledger.append({ id, at, source, durationMs, end });
    ledger.flush();
    const { number: _, ...row } = rows()[0] ?? {};
    const known = Object.entries(row).filter(([, value]) => value !== null);
    assert.deepEqual(
      known.map(([name]) => name),
      ['id', 'at', 'source', 'duration_ms', 'usage_is_estimated', 'ended'],
    );
  });

  it('assumes no cost if a price is missing', () => {
    const { prices: _, ...unpriced } = entry();
    ledger.append(unpriced);
    ledger.append(entry({ prices: { inputPrice: 3 } }));
    ledger.append(entry({ prices: { inputPrice: 0, outputPrice: 0 } }));
    ledger.flush();
    assert.deepEqual(
      rows().map(({ cost }) => cost),
      [null, null, 0],
    );
  });

  it('writes automatically after a short time', async () => {
    ledger.append(entry());
    assert.equal(rows().length, 0);
    while (rows().length === 0) await wait(10);
  });

  it('writes pending entries when it is closed', () => {
    const other = new Ledger({ path });
    other.append(entry());
    other.close();
    assert.equal(rows().length, 1);
  });

  it('writes the whole batch, whatever usage an upstream reports', () => {
    const bad: readonly Partial<LedgerEntry>[] = [
      { usage: { inputTokens: Number.NaN, outputTokens: 1 } },
      { usage: { inputTokens: 1e300, outputTokens: 1 } },
      { usage: { inputTokens: -5, outputTokens: 1 } },
      { usage: { inputTokens: 1.5, outputTokens: 1, cachedInputTokens: Number.POSITIVE_INFINITY } },
      { durationMs: Number.NaN, firstByteMs: Number.NaN, status: Number.NaN },
      { prices: { inputPrice: 1e300, outputPrice: 1e300 } },
    ];
    for (const members of bad) ledger.append(entry(members));
    ledger.append(entry());
    assert.ok(ledger.flush());
    assert.equal(rows().length, bad.length + 1);
    assert.deepEqual(problems, []);
  });

  it('includes unwritten entries in the spending of a key', () => {
    const now = Date.now();
    ledger.append(entry({ at: now - 1000 }));
    ledger.append(entry({ at: now }));
    ledger.append(entry({ at: now, localKeyId: 'another' }));
    assert.deepEqual(ledger.spentBy('terminal', now), { inputTokens: 1000, outputTokens: 100, cost: 4_500_000 });
    assert.deepEqual(ledger.spentBy('terminal', 0), { inputTokens: 2000, outputTokens: 200, cost: 9_000_000 });
    assert.deepEqual(ledger.spentBy('nobody', 0), { inputTokens: 0, outputTokens: 0, cost: 0 });
  });

  it('contains no key, whatever values a caller chooses', () => {
    const canary = `key_${'c4n4ry'.repeat(7)}`;
    ledger.append(entry({ client: canary, model: canary }));
    ledger.append(entry({ client: `tool-${canary}`, model: `Bearer ${canary}` }));
    ledger.flush();
    for (const file of readdirSync(dirname(path))) {
      assert.ok(!readFileSync(join(dirname(path), file)).includes(canary.slice(4)), file);
    }
  });

  it('truncates a very long name', () => {
    ledger.append(entry({ model: 'm'.repeat(8000) }));
    ledger.flush();
    assert.equal(rows()[0]?.model, 'm'.repeat(200));
  });

  it('is readable by its user only', function () {
    if (process.platform === 'win32') this.skip();
    ledger.append(entry());
    ledger.flush();
    for (const file of readdirSync(dirname(path))) assert.equal(statSync(join(dirname(path), file)).mode & 0o077, 0);
    assert.equal(statSync(dirname(path)).mode & 0o077, 0);
  });

  it('waits for another writer and loses nothing', async () => {
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    ledger.append(entry());
    assert.equal(ledger.flush(), false);
    other.exec('COMMIT');
    other.close();
    ledger.append(entry());
    while (rows().length < 2) await wait(10);
    assert.deepEqual(problems, []);
  });

  it('waits for another writer when it is closed, because this is the last write', async () => {
    const late = ledgerPath();
    const closed = new Ledger({ path: late });
    const code = `
      const { parentPort, workerData } = require('node:worker_threads');
      const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(workerData.path);
      database.exec('BEGIN IMMEDIATE');
      parentPort.postMessage('locked');
      // Longer than a write waits that is not the last one. Closing blocks the thread, which can tell only that it begins.
      Atomics.wait(workerData.closing, 0, 0);
      Atomics.wait(workerData.closing, 0, 1, 100);
      database.exec('ROLLBACK');
      database.close();`;
    const closing = new Int32Array(new SharedArrayBuffer(4));
    const other = new Worker(code, { eval: true, workerData: { path: late, closing } });
    await once(other, 'message');
    closed.append(entry({ id: 'late' }));
    Atomics.store(closing, 0, 1);
    Atomics.notify(closing, 0);
    closed.close();
    await once(other, 'exit');
    const reader = new LedgerReader(late);
    assert.equal(reader.exchanges({ filter: {}, limit: 0 }).exchanges, 1);
    reader.close();
  });

  it('reports once that it cannot write, and writes when it can again', () => {
    const other = new DatabaseSync(path);
    other.exec('ALTER TABLE exchanges RENAME TO away');
    for (let time = 0; time < 3; time += 1) {
      ledger.append(entry());
      assert.equal(ledger.flush(), false);
    }
    assert.equal(problems.length, 1);
    assert.match(problems[0]?.message ?? '', /^The ledger .*ledger\.sqlite cannot be used: /);
    other.exec('ALTER TABLE away RENAME TO exchanges');
    other.close();
    assert.ok(ledger.flush());
    assert.equal(rows().length, 3);
  });
});

describe('the ledger file', () => {
  afterEach(removeFolders);

  const problemOf = (open: () => unknown): LedgerError => {
    let problem: unknown;
    assert.throws(open, (error) => {
      problem = error;
      return true;
    });
    assert.ok(problem instanceof LedgerError);
    return problem;
  };

  it('is empty for a reader that opens it before any writer', () => {
    const reader = new LedgerReader(ledgerPath());
    assert.deepEqual(reader.exchanges({ filter: {}, limit: 1 }), { rows: [], exchanges: 0, cost: 0, sampleCost: 0 });
    reader.close();
  });

  it('has the version of its schema', () => {
    const path = ledgerPath();
    new Ledger({ path }).close();
    new Ledger({ path }).close();
    const database = new DatabaseSync(path);
    assert.deepEqual({ ...database.prepare('PRAGMA user_version').get() }, { user_version: SCHEMA_VERSION });
    database.close();
  });

  it('is not changed if a later version wrote it', () => {
    const path = ledgerPath();
    new Ledger({ path }).close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    database.close();
    for (const open of [() => new Ledger({ path }), () => new LedgerReader(path)]) {
      const { problem, message } = problemOf(open);
      assert.equal(problem, 'newer');
      assert.match(message, /Update Model Access\.$/);
    }
  });

  it('is not changed if it is from before the first release', () => {
    const path = ledgerPath();
    new Ledger({ path }).close();
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${SCHEMA_VERSION - 1}`);
    const { problem, message } = problemOf(() => new Ledger({ path }));
    assert.equal(problem, 'failed');
    assert.match(message, /before the first release\. Move the file away/);
    assert.deepEqual({ ...database.prepare('PRAGMA user_version').get() }, { user_version: SCHEMA_VERSION - 1 });
    database.close();
  });

  it('is named in the error if it is not a database', () => {
    const path = ledgerPath();
    new Ledger({ path }).close();
    writeFileSync(path, 'This is a letter and not a database. '.repeat(100));
    const { problem, message } = problemOf(() => new Ledger({ path }));
    assert.equal(problem, 'damaged');
    assert.ok(message.includes(path));
    assert.equal(readFileSync(path, 'utf8').slice(0, 16), 'This is a letter');
  });

  it('is named in the error, and not changed, if it is a database of another program', () => {
    const path = ledgerPath();
    mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE notes (text TEXT)');
    database.close();
    const before = readFileSync(path);
    const { problem, message } = problemOf(() => new Ledger({ path }));
    assert.equal(problem, 'failed');
    assert.ok(message.includes(path) && message.includes('another program'), message);
    assert.ok(readFileSync(path).equals(before));
  });

  it('is named in the error if the system cannot open it', () => {
    const path = ledgerPath();
    mkdirSync(path, { recursive: true });
    assert.equal(problemOf(() => new Ledger({ path })).problem, 'failed');
  });

  it('is named in the error if parts that every request needs are damaged', () => {
    for (const damage of [
      'ALTER TABLE exchanges RENAME COLUMN agent_id TO agent_ie',
      'ALTER TABLE running RENAME COLUMN status TO statut',
      'DELETE FROM session_key',
    ]) {
      const path = ledgerPath();
      new Ledger({ path }).close();
      const database = new DatabaseSync(path);
      database.exec(damage);
      database.close();
      const { message } = problemOf(() => new Ledger({ path }));
      assert.ok(message.includes(`The ledger ${path} cannot be used: `), message);
    }
  });

  it('is named in the error if the spending of a key cannot be read', () => {
    const path = ledgerPath();
    new Ledger({ path }).close();
    const ledger = new Ledger({ path });
    const database = new DatabaseSync(path);
    database.exec('DROP TABLE pruned');
    database.close();
    const { message } = problemOf(() => ledger.spentBy('key', 0));
    assert.ok(message.includes(`The ledger ${path} cannot be used: `), message);
    ledger.close();
  });

  it('is named in the error if it is a pipe, which is not waited for', function () {
    if (process.platform === 'win32') this.skip();
    const path = ledgerPath();
    mkdirSync(dirname(path), { recursive: true });
    assert.equal(spawnSync('mkfifo', [path]).status, 0);
    const { message } = problemOf(() => new Ledger({ path }));
    assert.equal(message, `The ledger ${path} cannot be used: it is not a file.`);
  });

  it('is named in the error if its folder is a file', () => {
    const file = join(dirname(dirname(ledgerPath())), 'file');
    writeFileSync(file, '');
    const { problem, message } = problemOf(() => new Ledger({ path: join(file, 'ledger.sqlite') }));
    assert.equal(problem, 'failed');
    assert.ok(message.includes(file));
  });
});
