/**
 * What the usage view reads of a ledger with 100,000 exchanges, against a bare sum over the same file, and against the
 * same groups without the sums that are kept. `node bench/usage.ts [COUNT]`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf } from '../src/display/day.ts';
import { answerQuestion } from '../src/gateway/ledger/ledgerQuestion.ts';
import { fillLedger } from '../test/support/ledgers.ts';

const COUNT = Number(process.argv[2] ?? 100_000);
const ROUNDS = 9;

const folder = await mkdtemp(join(tmpdir(), 'bench-usage-'));
const path = join(folder, 'ledger.sqlite');
const now = Date.now();
const today = dayOf(now);
const ask = (first: string) => () => {
  const asks = { ledger: path, period: { first, last: today }, ofSandbox: false };
  return answerQuestion({ name: 'usage', asks });
};
const sql = (query: string) => () => {
  const database = new DatabaseSync(path, { readOnly: true });
  database.prepare(query).all();
  database.close();
};

try {
  const started = performance.now();
  fillLedger(path, COUNT, now);
  const perRow = ((performance.now() - started) * 1000) / COUNT;
  const megabytes = ((await stat(path)).size / 1e6).toFixed(0);
  console.log(`${COUNT} exchanges, ${megabytes} MB, written and summed up in ${perRow.toFixed(0)} µs each`);
  const baseline = show('a bare sum over the rows (baseline)', sql('SELECT sum(cost), count(*) FROM exchanges'));
  show('all that the view shows, 30 days', ask(addDays(today, -29)), baseline);
  show('the same, 366 days', ask(addDays(today, -365)), baseline);
  show('the same, one day by hours', ask(today), baseline);
  show(
    'one of its groups from the rows: days and models',
    sql(`SELECT date(at / 1000, 'unixepoch', 'localtime'), model, sum(cost), count(*) FROM exchanges GROUP BY 1, 2`),
    baseline,
  );
} finally {
  await rm(folder, { recursive: true });
}

/** The median of several rounds, the file opened and closed in each. @returns it in milliseconds. */
function show(what: string, work: () => unknown, baseline?: number): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  });
  const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
  const ratio = baseline === undefined ? '' : `  (${(median / baseline).toFixed(1)} times the baseline)`;
  console.log(`${what.padEnd(52)}${median.toFixed(1).padStart(8)} ms${ratio}`);
  return median;
}
