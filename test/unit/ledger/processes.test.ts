import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { checkOrigin, migrate } from '../../../src/ledger/schema.ts';
import { entry } from './entries.ts';
import { ledgerPath, removeFolders } from './files.ts';
import { endProcesses, printed, run } from './processes.ts';

const MAX_LOST_MS = 200;
const COST_OF_ONE = 4_500_000;

describe('the ledger with several processes', () => {
  afterEach(() => {
    endProcesses();
    removeFolders();
  });

  it('loses at most the last 200 ms when its process is killed, and never the file', async () => {
    const path = ledgerPath();
    for (let round = 0; round < 3; round += 1) {
      const writer = run('./writerProcess.ts', [path]);
      await printed(writer, 300);
      writer.child.kill('SIGKILL');
      await writer.ended;
      const lines = writer.output().trimEnd().split('\n');
      const lastAt = Number(lines.at(-1)?.split(' ')[1]);
      const database = new DatabaseSync(path);
      assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' });
      const kept = new Set(
        database
          .prepare('SELECT id FROM exchanges')
          .all()
          .map(({ id }) => id),
      );
      const lost = lines.map((line) => line.split(' ')).filter(([id = '']) => !kept.has(id));
      for (const [, at] of lost) assert.ok(lastAt - Number(at) <= MAX_LOST_MS, `lost after ${lastAt - Number(at)} ms`);
      database.close();
    }
    const ledger = new Ledger({ path });
    ledger.append(entry({ id: 'after' }));
    assert.ok(ledger.flush());
    ledger.close();
  });

  it('can be read by two while one writes', async () => {
    const path = ledgerPath();
    new Ledger({ path }).close();
    const readers = [run('./readerProcess.ts', [path, '400']), run('./readerProcess.ts', [path, '400'])];
    await Promise.all(readers.map((reader) => printed(reader, 1)));
    const writer = run('./writerProcess.ts', [path, '400']);
    assert.deepEqual(await Promise.all([writer, ...readers].map(({ ended }) => ended)), [0, 0, 0]);
    for (const { output } of readers) {
      const seen = output()
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
      assert.deepEqual(seen.at(-1), [400, 400 * COST_OF_ONE]);
      const counts = seen.map(([count = 0]) => count);
      assert.deepEqual(
        counts,
        counts.toSorted((a, b) => a - b),
      );
      for (const [count = 0, cost] of seen) assert.equal(cost, count * COST_OF_ONE);
    }
  });

  it('can be written by several in parallel', async () => {
    const path = ledgerPath();
    const writers = [1, 2, 3].map(() => run('./writerProcess.ts', [path, '200']));
    assert.deepEqual(await Promise.all(writers.map(({ ended }) => ended)), [0, 0, 0]);
    const reader = new LedgerReader(path);
    assert.equal(reader.exchanges({ filter: {}, limit: 0 }).exchanges, 600);
    reader.close();
  });

  it('is created once if several open it at the same time', async () => {
    const path = ledgerPath();
    const openers = [1, 2, 3, 4].map(() => run('./openerProcess.ts', [path]));
    await Promise.all(openers.map(({ ended }) => ended));
    assert.deepEqual(
      openers.map(({ output }) => output().trim()),
      ['opened', 'opened', 'opened', 'opened'],
    );
  });

  it('is not mistaken for the database of another program while another process creates it', () => {
    const path = ledgerPath();
    mkdirSync(dirname(path), { recursive: true });
    const [one, other] = [new DatabaseSync(path), new DatabaseSync(path)];
    one.exec('PRAGMA journal_mode = WAL');
    let isCreated = false;
    const slow = new Proxy(one, {
      get(real, name) {
        if (name !== 'prepare') return Reflect.get(real, name).bind(real);
        return (sql: string) => ({
          get: () => {
            const row = real.prepare(sql).get();
            if (!isCreated) migrate(other);
            isCreated = true;
            return row;
          },
        });
      },
    });
    checkOrigin(slow, path);
    assert.ok(isCreated);
    for (const database of [one, other]) database.close();
  });

  it('states the required Node.js version if there is no SQLite', async () => {
    const opener = run('./openerProcess.ts', [ledgerPath()], ['--no-experimental-sqlite']);
    assert.equal(await opener.ended, 0);
    assert.match(
      opener.output(),
      /^unavailable: The ledger needs node:sqlite, .* this is \d+\.\d+\.\d+\. .*not recorded/,
    );
  });
});
