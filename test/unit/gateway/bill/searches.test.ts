import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runs } from '../../../support/randomRuns.ts';
import { closeAll, closeLater } from '../support/gateway.ts';
import { type Planned, randomFrom } from './audit.ts';
import { closeCounter, runAudited } from './auditedRun.ts';
import { BillingService, type Deed, WINDOWS } from './billingService.ts';

const SEED = Number(process.env.BILL_SEED ?? 20_261_122) + 20;
const REQUESTS = runs(160);
const MAX_CALLS = 5;
/** What the service does without a limit. */
const MAX_UNLIMITED_CALLS = 40;
const WORDS = [' time', ' people', ' water', ' house', ' number', ' part', ' place', ' work', ' point', ' hand'];

const SEARCH = { messages: { type: 'web_search_20250305', name: 'web_search' }, responses: { type: 'web_search' } };
/** What limits the calls of each format. */
const LIMITED = {
  messages: { tools: [{ ...SEARCH.messages, max_uses: MAX_CALLS }] },
  responses: { tools: [SEARCH.responses], max_tool_calls: MAX_CALLS },
};

/** Requests whose tools the service runs. After each call, it asks its model again with up to a whole window. */
function planSearches(count: number, random: () => number, isLimited: boolean): Planned[] {
  const below = (limit: number) => Math.floor(random() * limit);
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  return Array.from({ length: count }, (_, number) => {
    // In the messages format, the vendor's own limit applies.
    const caller = isLimited ? oneOf(['messages', 'responses'] as const) : 'responses';
    const isStream = !isLimited || random() < 0.8;
    const ending: Deed['ending'] = isStream ? oneOf(['whole', 'whole', 'cut', 'error', 'stall', 'reset']) : 'whole';
    const calls = below((isLimited ? MAX_CALLS : MAX_UNLIMITED_CALLS) + 1);
    const inputs = Array.from({ length: 1 + calls }, () => 200 + below(WINDOWS.searching - 200));
    const encoding = ending === 'whole' && random() < 0.1 ? ('gzip' as const) : undefined;
    const deed: Deed = {
      ...{ format: caller, isStream, calls, ending, writtenShort: 0, writtenLong: 0 },
      ...(!isLimited && { inputs }),
      // While a client listens, it sees the first search before its results reach the model.
      shownCalls: ending === 'stall' ? Math.min(calls, 1 + below(calls + 1)) : below(calls + 1),
      omitsCalls: random() < 0.5,
      input: inputs.reduce((sum, tokens) => sum + tokens, 0),
      cached: below(200),
      thought: below(100),
      words: Array.from({ length: 1 + below(40) }, () => oneOf(WORDS)),
      reportsUsage: random() < 0.5,
      ...(encoding && { encoding }),
    };
    const tools = isLimited ? LIMITED[caller] : { tools: [SEARCH[caller]] };
    const more = { model: 'searching', ...tools };
    return { number, caller, deed, leaves: ending === 'stall', maxTokens: 200, more };
  });
}

describe(`the ledger compared with the bill of a service that runs tools itself (seed ${SEED})`, () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bill-'));
  });
  after(closeCounter);
  afterEach(async () => {
    await closeAll();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const isLimited of [true, false]) {
    it(`is never below the bill, and equals it if usage is reported, with calls limited by ${isLimited ? 'the caller' : 'the gateway'}`, async () => {
      const planned = planSearches(REQUESTS, randomFrom(SEED), isLimited);
      const service = await BillingService.start(new Map(planned.map(({ number, deed }) => [number, deed])), 1, 400);
      closeLater(() => service.close());
      const formats = ['messages', 'responses'] as const;
      const upstreams = [{ id: 'billing', baseUrl: service.baseAddress, formats, models: ['*'] }];
      const budget = REQUESTS * 0.05;
      const { rows, statuses } = await runAudited({ planned, upstreams, folder, budget });
      const seen = { reported: 0, unreported: 0 };
      for (const { number, deed, leaves } of planned) {
        const bill = service.bill.get(number);
        if (bill === undefined) continue;
        const row = rows.get(number) ?? assert.fail(`The request ${number} has no row.`);
        const about = `${number}: ${JSON.stringify({ row, bill, deed: { ...deed, words: deed.words.length } })}`;
        const isReported = deed.reportsUsage && deed.ending === 'whole' && !leaves;
        seen[isReported ? 'reported' : 'unreported'] += 1;
        if (isReported) assert.deepEqual([row.cost, row.isEstimated], [bill, false], about);
        else assert.ok(row.isEstimated && (row.cost ?? 0) >= bill, about);
      }
      const billed = [...service.bill.values()].reduce((sum, bill) => sum + bill, 0);
      const entered = [...rows.values()].reduce((sum, { cost }) => sum + (cost ?? 0), 0);
      assert.ok(billed <= entered && entered <= budget * 1e9, `${billed} ${entered}`);
      assert.ok([...statuses.values()].includes(402), 'the budget was reached');
      assert.ok(Math.min(seen.reported, seen.unreported) > REQUESTS / 50, JSON.stringify(seen));
    });
  }
});
