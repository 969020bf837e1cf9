import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { FORMAT_NAMES } from '../../../../src/formats/conversation.ts';
import { Ledger } from '../../../../src/ledger/ledger.ts';
import { eventually } from '../../../support/eventually.ts';
import { runs } from '../../../support/randomRuns.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { killServed, startServed } from '../support/served.ts';
import { ask, hidesReasoning, type Planned, planRequests, type Row, randomFrom, rowsOf } from './audit.ts';
import { type AuditedRun, closeCounter, KEY, runAudited } from './auditedRun.ts';
import { BillingService, type Deed } from './billingService.ts';

const SEED = Number(process.env.BILL_SEED ?? 20_261_122);
const REQUESTS = runs(100);
/** Tokens per second. Slower than a model is expected to be of which nothing is known. */
const SPEED = 400;

/** Ends of an attempt after which another upstream is asked. */
const FAILED_STREAMS = ['refused', 'refusedLate', 'failed', 'failed', 'silent', 'reset'] as const;
const FAILED_BODIES = ['refused', 'reset'] as const;
const BILLED: ReadonlySet<Deed['ending']> = new Set(['failed', 'silent', 'reset']);

interface Run extends AuditedRun {
  readonly services: Readonly<Record<string, BillingService>>;
  readonly deeds: Readonly<Record<string, ReadonlyMap<number, Deed>>>;
}

/** Returns what each upstream does with a request: most fail occasionally, before any output. */
function withFailures(planned: readonly Planned[], random: () => number): Map<number, Deed> {
  const oneOf = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  return new Map(
    planned.map(({ number, deed }) => {
      const { encoding: _, ...plain } = deed;
      const fails = random() < 0.4;
      const ending = fails ? oneOf(deed.isStream ? FAILED_STREAMS : FAILED_BODIES) : deed.ending;
      return [number, fails ? { ...plain, ending } : deed];
    }),
  );
}

describe(`the ledger compared with the bills of two services during failover (seed ${SEED})`, () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bill-'));
  });
  after(closeCounter);
  afterEach(async () => {
    await closeAll();
    await killServed();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The second service costs three times as much as the first. */
  const run = async (
    planned: readonly Planned[],
    seed: number,
    isTranslated: boolean,
    budget?: number,
    speed?: number,
  ): Promise<Run> => {
    const random = randomFrom(seed);
    const deeds = { first: withFailures(planned, random), second: withFailures(planned, random) };
    const services = {
      first: await BillingService.start(deeds.first, 1, speed),
      second: await BillingService.start(deeds.second, 3, speed),
    };
    closeLater(() => Promise.all(Object.values(services).map((service) => service.close())));
    const formats = isTranslated ? (['chat-completions'] as const) : FORMAT_NAMES;
    const upstreams = Object.entries(services).map(([id, { baseAddress }]) => ({
      ...{ id, baseUrl: baseAddress, formats, models: ['*'] },
      // On a busy machine, answers arrive later than their model writes, and would teach too low a speed.
      ...(speed !== undefined && { maxTokensPerSecond: speed }),
    }));
    const routes = { billed: { use: ['first/billed', 'second/billed'] } };
    const options = { planned, upstreams, routes, folder, ...(budget !== undefined && { budget }) };
    return { services, deeds, ...(await runAudited(options)) };
  };

  const billOf = ({ services }: Run, number: number) =>
    Object.values(services).reduce((sum, { bill }) => sum + (bill.get(number) ?? 0), 0);

  const rowOf = ({ rows }: Run, number: number): Row =>
    rows.get(number) ?? assert.fail(`The request ${number} has no row.`);

  for (const isTranslated of [false, true]) {
    const way = isTranslated ? 'translated to chat completions' : 'passed on as they come';

    it(`includes each billed attempt, and the exact cost of the answer, for requests ${way}`, async () => {
      const planned = planRequests(REQUESTS, randomFrom(SEED + 4), () => !isTranslated);
      const result = await run(planned, SEED + 5, isTranslated);
      const seen = { exact: 0, billed: 0, free: 0 };
      for (const { number, leaves } of planned) {
        const row = rowOf(result, number);
        const about = JSON.stringify({ number, row });
        const deed = result.deeds[row.upstream]?.get(number) ?? assert.fail(about);
        for (const attempt of row.attempts.filter(({ failure }) => failure !== undefined)) {
          const ending = result.deeds[attempt.upstream]?.get(number)?.ending ?? assert.fail(about);
          const isOwn = attempt.upstream === row.upstream && ending === deed.ending;
          if (isOwn) continue;
          assert.equal(attempt.usage !== undefined && (attempt.cost ?? 0) > 0, BILLED.has(ending), about);
          seen[BILLED.has(ending) ? 'billed' : 'free'] += 1;
        }
        if (deed.ending !== 'whole' || !deed.reportsUsage || leaves || hidesReasoning(deed)) continue;
        assert.equal((row.cost ?? 0) - row.attemptsCost, result.services[row.upstream]?.bill.get(number), about);
        assert.equal(row.isEstimated, row.attemptsCost > 0, about);
        seen.exact += 1;
      }
      assert.ok(Math.min(seen.exact, seen.billed, seen.free) > REQUESTS / 20, JSON.stringify(seen));
    });

    it(`is never below their sum for a key with a budget, which is never exceeded, for requests ${way}`, async () => {
      const planned = planRequests(REQUESTS, randomFrom(SEED + 6), () => !isTranslated);
      const budget = REQUESTS * 0.006;
      const result = await run(planned, SEED + 7, isTranslated, budget, SPEED);
      for (const { number } of planned) {
        const row = rowOf(result, number);
        assert.ok((row.cost ?? 0) >= billOf(result, number), `${number}: ${JSON.stringify(row)}`);
      }
      const billed = planned.reduce((sum, { number }) => sum + billOf(result, number), 0);
      const entered = [...result.rows.values()].reduce((sum, { cost }) => sum + (cost ?? 0), 0);
      assert.ok(billed <= entered && entered <= budget * 1e9, `${billed} ${entered}`);
      // Whether it also ends between two attempts depends on the time: `billedAttempts.test.ts` covers that.
      const refused = [...result.rows.values()].filter(({ ended, cost }) => ended === 'budget' && cost === null);
      assert.ok(refused.length > 0, 'the budget ended before requests');
    });
  }

  it('includes the attempts of requests in progress when its process was killed', async () => {
    const planned = planRequests(400, randomFrom(SEED + 8), () => true)
      .filter(({ deed }) => deed.ending === 'stall')
      .slice(0, 12);
    const endingWith = (ending: Deed['ending']) =>
      new Map(planned.map(({ number, deed }) => [number, { ...deed, ending }] as const));
    const first = await BillingService.start(endingWith('failed'));
    const second = await BillingService.start(endingWith('stall'), 3);
    closeLater(() => Promise.all([first.close(), second.close()]));
    const upstreams = Object.entries({ first, second }).map(([id, { baseAddress }]) => ({
      ...{ id, baseUrl: baseAddress, formats: FORMAT_NAMES },
    }));
    const routes = { billed: { use: ['first/billed', 'second/billed'] } };
    const keys = [{ name: 'audited', secretEnv: 'AUDITED_KEY', budget: { amount: 50, unit: 'usd', period: 'total' } }];
    const config = join(folder, 'config.json');
    writeFileSync(config, JSON.stringify({ upstreams, routes, keys }));
    const ledger = join(folder, 'ledger.sqlite');
    const served = await startServed(['--config', config, '--ledger', ledger], { AUDITED_KEY: KEY });
    const answers = planned.map((each) => ask(served.port, KEY, { ...each, leaves: false }));
    for (const answer of answers) answer.catch(() => undefined);
    const running = () => {
      const database = new DatabaseSync(ledger, { readOnly: true });
      const row = database.prepare('SELECT count(*) AS rows, count(attempts_cost) AS failed FROM running').get();
      database.close();
      return { rows: Number(row?.rows), failed: Number(row?.failed) };
    };
    // The first service is skipped after some failures, so not every request has reached it.
    const isWritten = () => {
      const { rows, failed } = running();
      return second.bill.size === answers.length && rows === answers.length && failed === first.bill.size;
    };
    await eventually('the rows of all requests', async () => isWritten());
    served.child.kill('SIGKILL');
    await Promise.allSettled(answers);
    await killServed();
    new Ledger({ path: ledger }).close();
    const rows = rowsOf(ledger);
    assert.ok(first.bill.size > 0, 'the first service was asked');
    for (const { number } of planned) {
      const row = rows.get(number) ?? assert.fail(`The request ${number} has no row.`);
      const bill = (first.bill.get(number) ?? 0) + (second.bill.get(number) ?? 0);
      assert.deepEqual([row.ended, row.isEstimated], ['lost', true]);
      assert.ok((row.cost ?? 0) >= bill, `${number}: ${JSON.stringify(row)} of ${bill}`);
    }
  });
});
