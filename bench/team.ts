/**
 * Compares several gateways on one PostgreSQL database with one gateway on SQLite, and prints the figures of
 * docs/team.md. Everything runs on this machine, so only ratios within one run are meaningful. `--requests N` (2000)
 * per load, `--race N` (10000) requests in the race for a budget, `--rows N` (10000000) exchanges for the reports,
 * `--only report` (or another part). Linux only, because it reads `/proc`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { reportUsage } from '../packages/gateway/src/postgres/admin/usageReport.ts';
import { DatabaseConnection } from '../packages/gateway/src/postgres/connection.ts';
import type { Target } from './processes.ts';
import { ask, type LoadResult, load, pacedLoad, quantile } from './team/load.ts';
import { type BenchDatabase, BenchSetting } from './team/setting.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    race: { type: 'string', default: '10000' },
    rows: { type: 'string', default: '10000000' },
    only: { type: 'string' },
  },
});
const requests = Number(values.requests);
const CONCURRENCY = 32;
/** A model that answers after this time gets about as many requests at once at this rate per second. */
const ANSWER_MS = 200;
const RATE = 160;
/** The unit of times in `/proc/PID/stat`. */
const TICKS_PER_SECOND = 100;
const ROUNDS = 3;
const SECONDS_BETWEEN = 3;
const BATCH = 50_000;
const DAY_SECONDS = 24 * 60 * 60;
const DAYS_AT_ONCE = 20;
const LOCAL_KEY = 'key_for-the-benchmark-of-teams';

const table: (readonly [figure: string, measured: string, wanted: string])[] = [];
const note = (figure: string, measured: string, wanted: string) => {
  table.push([figure, measured, wanted]);
  console.error(`${figure}: ${measured}`);
};
const ms = (time: number) => `${time.toFixed(1)} ms`;

const setting = await BenchSetting.open();
try {
  const parts = { compare: compareWithSqlite, race, refuse, revoke, report };
  for (const [name, measurePart] of Object.entries(parts)) {
    if (values.only === undefined || values.only === name) await measurePart();
  }
} finally {
  await setting.close();
}
console.log('| Figure | Measured | Wanted |\n|---|---|---|');
for (const row of table) console.log(`| ${row.join(' | ')} |`);

interface Measured {
  /** CPU microseconds per request, of the gateways and of the database. */
  readonly gateway: number;
  readonly database: number;
  readonly p99: number;
}

/** Sends requests to the addresses with a key. */
type Send = (addresses: readonly string[], key: string, requests: number) => Promise<LoadResult>;

async function measure(targets: readonly Target[], key: string, send: Send): Promise<Measured> {
  const addresses = targets.map(({ address }) => address);
  await send(addresses, key, requests / 4);
  const cpu = () => targets.reduce((sum, target) => sum + target.cpuSeconds(), 0);
  const [before, databaseBefore] = [cpu(), databaseSeconds()];
  const { times, statuses } = await send(addresses, key, requests);
  // The last rows are written a moment later.
  await delay(300);
  if (statuses.get(200) !== requests) throw new Error(`Not all were answered: ${JSON.stringify([...statuses])}.`);
  const perRequest = (seconds: number) => (seconds * 1e6) / requests;
  return {
    gateway: perRequest(cpu() - before),
    database: perRequest(databaseSeconds() - databaseBefore),
    p99: quantile(times, 0.99),
  };
}

/**
 * At the rate of a real load, all sides get the same requests at the same times. At full load, each gets as many as it
 * can answer, so it also shows how much that is.
 */
async function compareWithSqlite(): Promise<void> {
  const database = await setting.database();
  const key = await database.key('ci', 1000);
  const config = join(setting.folder, 'keys.json');
  const budget = { amount: 1000, unit: 'usd' };
  await writeFile(config, JSON.stringify({ keys: [{ name: 'ci', secretEnv: 'BENCH_KEY', budget }] }));
  const local = await setting.startLocal(LOCAL_KEY, config);
  const replicas = [await setting.startReplica(database), await setting.startReplica(database)];
  const sides = { local, replicas, key };
  setting.service.tell(String(ANSWER_MS));
  const paced: Send = (addresses, ofKey, count) => pacedLoad({ addresses, key: ofKey, requests: count, rate: RATE });
  await compare(sides, paced, `${RATE} requests per second, answers after ${ANSWER_MS} ms`);
  setting.service.tell('0');
  const full: Send = (addresses, ofKey, count) =>
    load({ addresses, key: ofKey, requests: count, concurrency: CONCURRENCY });
  await compare(sides, full, `full load, ${CONCURRENCY} at once`);
  for (const target of [local, ...replicas]) await target.stop();
  await database.close();
}

interface Sides {
  readonly local: Target;
  readonly replicas: readonly Target[];
  readonly key: string;
}

/** Runs them one after the other in each round, so that all have the same conditions. The best round of each counts. */
async function compare({ local, replicas, key }: Sides, send: Send, name: string): Promise<void> {
  const rounds: { local: Measured; one: Measured; two: Measured }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({
      local: await measure([local], LOCAL_KEY, send),
      one: await measure(replicas.slice(0, 1), key, send),
      two: await measure(replicas, key, send),
    });
    console.error(name, JSON.stringify(rounds.at(-1)));
  }
  const best = (side: 'local' | 'one' | 'two', part: keyof Measured) =>
    Math.min(...rounds.map((round) => round[side][part]));
  const micros = (side: 'local' | 'one' | 'two', part: keyof Measured) => `${best(side, part).toFixed(0)} µs`;
  const sum = (side: 'one' | 'two') => best(side, 'gateway') + best(side, 'database');
  const ratio = (best('one', 'gateway') / best('local', 'gateway')).toFixed(2);
  const cpu = `${ratio} (${micros('one', 'gateway')} to ${micros('local', 'gateway')})`;
  note(`CPU of a replica to a gateway with SQLite, ${name}`, cpu, '≤ 1.25');
  const [p99, ofLocal] = [best('one', 'p99'), best('local', 'p99')];
  note(`p99 beyond that with SQLite, ${name}`, `${ms(p99 - ofLocal)} (${ms(p99)} to ${ms(ofLocal)})`, '≤ 5 ms');
  note(`CPU of PostgreSQL for a request, ${name}`, micros('one', 'database'), '');
  note(`CPU of two replicas and PostgreSQL to one, ${name}`, (sum('two') / sum('one')).toFixed(2), '≤ 1.15');
}

async function race(): Promise<void> {
  const database = await setting.database();
  const key = await database.key('race', 1);
  const replicas = await Promise.all([1, 2, 3, 4].map(() => setting.startReplica(database)));
  const before = await setting.bill();
  const addresses = replicas.map(({ address }) => address);
  const { statuses } = await load({ addresses, key, requests: Number(values.race), concurrency: 1000 });
  for (const replica of replicas) await replica.stop();
  const bill = (await setting.bill()) - before;
  const [sums] = await database.rows(
    `SELECT (SELECT sum(spent) FROM account)::bigint AS accounts, (SELECT sum(cost) FROM exchange)::bigint AS ledger,
      (SELECT sum(cost) FROM usage_day)::bigint AS days, (SELECT sum(reserved) FROM account)::bigint AS reserved`,
  );
  note(`bill of ${values.race} requests over 4 replicas, budget of $1`, `$${(bill / 1e9).toFixed(6)}`, '≤ $1');
  const areEqual = [sums?.accounts, sums?.ledger, sums?.days].every((value) => value === bill) && sums?.reserved === 0;
  note('accounts = ledger = daily sums = bill', areEqual ? 'yes' : `no: ${JSON.stringify({ bill, ...sums })}`, 'yes');
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ');
  note('answers', answers, '200 and 402 only');
  await database.close();
}

async function refuse(): Promise<void> {
  const database = await setting.database();
  const key = await database.key('poor', 0.000000001);
  const replica = await setting.startReplica(database);
  const send = async (count: number) => {
    const { times, statuses } = await load({ addresses: [replica.address], key, requests: count, concurrency: 8 });
    if (statuses.get(402) !== count) throw new Error('A key without money was answered.');
    return times;
  };
  note('a refusal with 402, slowest of the first 40 of a new replica', ms((await send(40)).at(-1) ?? 0), '');
  note('a refusal with 402, p99 of the next 500', ms(quantile(await send(500), 0.99)), '≤ 50 ms');
  await replica.stop();
  await database.close();
}

async function revoke(): Promise<void> {
  const database = await setting.database();
  const replicas = await Promise.all([1, 2, 3].map(() => setting.startReplica(database)));
  const times: number[] = [];
  for (let round = 0; round < 10; round++) {
    const key = await database.key(`key ${round}`, 1);
    for (const { address } of replicas) await ask(address, key);
    await database.revoke(`key ${round}`);
    const begun = performance.now();
    for (const { address } of replicas) while ((await ask(address, key)) !== 401);
    times.push(performance.now() - begun);
  }
  note('a revoked key refused by 3 replicas, longest of 10', ms(Math.max(...times)), '≤ 1 s');
  for (const replica of replicas) await replica.stop();
  await database.close();
}

async function report(): Promise<void> {
  const database = await setting.database();
  await fill(database, Number(values.rows));
  const newest = await timed(() =>
    database.rows("SELECT id, at, model, cost FROM exchange WHERE key = 'key7' ORDER BY at DESC LIMIT 100"),
  );
  note(`newest 100 of a key among ${values.rows} exchanges`, ms(newest), '≤ 5 ms');
  const connection = new DatabaseConnection({ address: database.address, name: 'bench' });
  const day = (ago: number) => new Date(Date.now() - ago * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const ofMonth = await timed(() => reportUsage(connection, { from: day(29), by: ['day', 'team', 'model'] }));
  note('usage of 30 days by day, team, and model', ms(ofMonth), '≤ 100 ms');
  const ofYear = await timed(() => reportUsage(connection, { from: day(364), by: ['team', 'model'] }));
  note('usage of a year by team and model', ms(ofYear), '≤ 100 ms');
  const ofKey = await timed(() => reportUsage(connection, { from: day(364), by: ['day'], key: 'key7' }));
  note('usage of a key in a year by day', ms(ofKey), '≤ 100 ms');
  await connection.close();
  await database.close();
}

/** A request every three seconds, so that ten million take a year. A key has one team, two clients, and three models. */
async function fill(database: BenchDatabase, rows: number): Promise<void> {
  await database.rows('SET statement_timeout = 0');
  await addPartitions(database, rows * SECONDS_BETWEEN);
  for (let from = 0; from < rows; from += BATCH) {
    await database.rows(
      `INSERT INTO exchange (id, at, day, replica, key, team, client, model, upstream, status, ended, input_tokens,
        output_tokens, cost, is_estimated, details)
       SELECT 'made' || n, t, t::date, 'r', 'key' || n % 50, 'team' || n % 5, 'client' || n / 50 % 2, 'model' || n / 100 % 3, 'hosted',
        200, 'completed', 100, 10, 1000, false, '{}'
       FROM generate_series($1::bigint, $2::bigint) n, LATERAL (SELECT now() - n * interval '${SECONDS_BETWEEN} seconds' AS t) x`,
      [from, Math.min(rows, from + BATCH) - 1],
    );
  }
  for (let ago = 0; ago * DAY_SECONDS <= rows * SECONDS_BETWEEN; ago += DAYS_AT_ONCE) {
    await database.rows(
      `INSERT INTO usage_day SELECT day, key, team, client, model, upstream, count(*), 0, 0, 0, sum(input_tokens),
        sum(output_tokens), sum(cost) FROM exchange
       WHERE day > current_date - $1::int - $2::int AND day <= current_date - $1::int
         AND at > now() - ($1::int + $2::int + 2) * interval '1 day' AND at < now() - ($1::int - 2) * interval '1 day'
       GROUP BY 1, 2, 3, 4, 5, 6`,
      [ago, DAYS_AT_ONCE],
    );
  }
  await database.rows('ANALYZE');
}

/** Creates the partitions of earlier months, as they would have been created over time. */
async function addPartitions(database: BenchDatabase, seconds: number): Promise<void> {
  await database.rows(`DO $$
    DECLARE
      first timestamptz := month_start(now() - interval '${seconds} seconds', 0);
    BEGIN
      EXECUTE format('DROP TABLE exchange_%s', to_char(now() AT TIME ZONE 'UTC', 'YYYY_MM'));
      WHILE first <= now() LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF exchange FOR VALUES FROM (%L) TO (%L)',
          'exchange_' || to_char(first, 'YYYY_MM'), first, month_start(first, 1));
        first := month_start(first, 1);
      END LOOP;
    END $$`);
}

/** Returns the median of five runs, after one to warm up. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times: number[] = [];
  for (let nth = 0; nth < 5; nth++) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return quantile(
    times.toSorted((a, b) => a - b),
    0.5,
  );
}

/** Returns the CPU seconds of all processes of the server, also of those that have ended, such as vacuum workers. */
function databaseSeconds(): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ofServer = pids.filter((pid) => parentOf(pid) === setting.server.pid);
  return ofServer.reduce(
    (sum, pid) => sum + Number(read(`/proc/${pid}/schedstat`).split(' ', 1)[0]) / 1e9,
    endedSeconds(),
  );
}

/** The fields of `stat` after the name in parentheses begin with the third; the 16th and 17th are of ended children. */
function endedSeconds(): number {
  const fields = read(`/proc/${setting.server.pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
}

function parentOf(pid: string): number {
  const [, parent] = /^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`)) ?? [];
  return Number(parent);
}

/** Processes can end while they are being read. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '0';
  }
}
