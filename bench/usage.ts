/**
 * Measures reading a ledger with 100,000 exchanges for the usage view, compared with a plain sum over the same file and
 * with the same groups without the stored sums, and how long the gateway's thread is blocked meanwhile. `npm run
 * build`, then `node bench/usage.ts [COUNT]`.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { addDays, dayOf } from '../src/display/day.ts';
import type { LedgerQuestion } from '../src/ledger/ledgerQuestion.ts';
import { LedgerReader } from '../src/ledger/ledgerReader.ts';
import type { ReadAnswer } from '../src/ledger/ledgerThread.ts';
import { WorkerClient } from '../src/rpc/workerClient.ts';
import { fillLedger } from '../test/support/ledgers.ts';

const COUNT = Number(process.argv[2] ?? 100_000);
const ROUNDS = 9;
/** The thread as built for the extension: from the sources, Node would have to read each file at its start. */
const BUILT = {
  beside: new URL('../dist/gatewayWorker.js', import.meta.url).href,
  entry: 'readingThread',
  name: 'reading the ledger',
};

const folder = await mkdtemp(join(tmpdir(), 'bench-usage-'));
const path = join(folder, 'ledger.sqlite');
const now = Date.now();
const today = dayOf(now);
const questionOf = (first: string) => ({ ledger: path, period: { first, last: today }, ofSandbox: false });

interface Timed {
  readonly ms: number;
  /** The longest time for which the event loop of this thread was blocked. In milliseconds. */
  readonly gapMs: number;
}

try {
  const started = performance.now();
  fillLedger(path, COUNT, now);
  const perRow = ((performance.now() - started) * 1000) / COUNT;
  const megabytes = ((await stat(path)).size / 1e6).toFixed(0);
  console.log(`${COUNT} exchanges, ${megabytes} MB, written and summed up in ${perRow.toFixed(0)} µs each`);
  const baseline = await show('a bare sum over the rows (baseline)', sql('SELECT sum(cost), count(*) FROM exchanges'));
  for (const [what, first] of [
    ['30 days', addDays(today, -29)],
    ['366 days', addDays(today, -365)],
    ['one day by hours', today],
  ] as const) {
    await show(`all that the view shows, ${what}, in this thread`, inThisThread(first), baseline);
    const thread = new WorkerClient<LedgerQuestion, ReadAnswer>(BUILT);
    const read = () => thread.ask({ name: 'usage', asks: questionOf(first) });
    await show(`the same, ${what}, by the reading thread as it starts`, read, baseline, 1);
    await show(`the same, ${what}, by the reading thread`, read, baseline);
    await thread.close();
  }
  await show(
    'one of its groups from the rows: days and models',
    sql(`SELECT date(at / 1000, 'unixepoch', 'localtime'), model, sum(cost), count(*) FROM exchanges GROUP BY 1, 2`),
    baseline,
  );
} finally {
  await rm(folder, { recursive: true });
}

function inThisThread(first: string): () => Promise<void> {
  return async () => {
    const reader = new LedgerReader(path);
    reader.usage(questionOf(first));
    reader.close();
  };
}

function sql(query: string): () => Promise<void> {
  return async () => {
    const database = new DatabaseSync(path, { readOnly: true });
    database.prepare(query).all();
    database.close();
  };
}

/**
 * Prints the median of several rounds.
 * @returns it in milliseconds.
 */
async function show(what: string, work: () => Promise<unknown>, baseline?: number, rounds = ROUNDS): Promise<number> {
  const times: Timed[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await time(work));
  const [ms, gapMs] = [median(times.map((each) => each.ms)), median(times.map((each) => each.gapMs))];
  const ratio = baseline === undefined ? '' : `  (${(ms / baseline).toFixed(1)} times the baseline)`;
  console.log(`${what.padEnd(66)}${ms.toFixed(1).padStart(8)} ms, standing still ${gapMs.toFixed(1)} ms${ratio}`);
  return ms;
}

async function time(work: () => Promise<unknown>): Promise<Timed> {
  let [isOver, gapMs, last] = [false, 0, performance.now()];
  const watch = (async () => {
    while (!isOver) {
      await setImmediate();
      gapMs = Math.max(gapMs, performance.now() - last);
      last = performance.now();
    }
  })();
  await setImmediate();
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  isOver = true;
  await watch;
  return { ms, gapMs };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
