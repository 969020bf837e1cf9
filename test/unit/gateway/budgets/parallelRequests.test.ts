import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { PlannedRequest } from '../../../../src/gateway/budgets/budgets.ts';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import { runs } from '../../../support/randomRuns.ts';
import { dollars, freshBudgets, prices, tokens } from './planned.ts';

describe('fifty parallel requests', () => {
  const request = fc.record({
    inputTokens: fc.nat({ max: 5000 }),
    maxOutputTokens: fc.nat({ max: 5000 }),
    /** Actual usage as fractions of the planned one, which is an upper bound. */
    inputPart: fc.double({ min: 0, max: 1, noNaN: true }),
    outputPart: fc.double({ min: 0, max: 1, noNaN: true }),
    fails: fc.boolean(),
  });
  const requests = fc.array(request, { minLength: 50, maxLength: 50 });
  const amount = fc.integer({ min: 1, max: 200_000 });

  /**
   * Runs all requests, each until a moment that the scheduler picks.
   * @returns what was used in the end.
   */
  const run = async (key: KeyDetails, all: readonly Ending[], scheduler: fc.Scheduler) => {
    const budgets = freshBudgets();
    let refused = 0;
    const ended = all.map(async ({ plan, usage }) => {
      await scheduler.schedule(Promise.resolve(), 'arrives');
      const verdict = budgets.ask(key, plan);
      if (!verdict.ok) {
        refused += 1;
        return;
      }
      await scheduler.schedule(Promise.resolve(), 'ends');
      if (usage === undefined) verdict.reservation.release();
      else verdict.reservation.settle([{ usage }]);
    });
    await scheduler.waitFor(Promise.all(ended));
    return { balance: budgets.balance(key), refused };
  };

  interface Ending {
    readonly plan: PlannedRequest;
    readonly usage: { readonly inputTokens: number; readonly outputTokens: number } | undefined;
  }

  const endingOf = ({ inputTokens, maxOutputTokens, inputPart, outputPart, fails }: Planned): Ending => ({
    plan: { model: 'm', inputTokens, maxOutputTokens, prices },
    usage: fails
      ? undefined
      : {
          inputTokens: Math.floor(inputTokens * inputPart),
          outputTokens: Math.floor(maxOutputTokens * outputPart),
        },
  });
  type Planned = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

  const usedIn = (balance: Awaited<ReturnType<typeof run>>['balance']) => {
    assert.ok(balance && 'tokens' in balance);
    assert.equal(balance.tokens.reserved, 0);
    return balance.tokens.used;
  };

  it('never overspend if each stays within its limit', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), requests, amount, async (scheduler, all, granted) => {
        const { balance } = await run(tokens(granted), all.map(endingOf), scheduler);
        assert.ok(usedIn(balance) <= granted);
      }),
    );
  });

  it('overspend by at most the excess of the one that exceeded its limit', async () => {
    const excess = fc.integer({ min: 1, max: 100_000 });
    const place = fc.nat({ max: 49 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), requests, amount, place, excess, async (scheduler, all, granted, at, more) => {
        const endings = all.map(endingOf).map((ending, index) => {
          if (index !== at) return ending;
          const { maxOutputTokens = 0 } = ending.plan;
          return { ...ending, usage: { inputTokens: 0, outputTokens: maxOutputTokens + more } };
        });
        const { balance } = await run(tokens(granted), endings, scheduler);
        assert.ok(usedIn(balance) <= granted + more);
      }),
    );
  });

  it('never cost more dollars than the budget has', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), requests, amount, async (scheduler, all, granted) => {
        const { balance } = await run(dollars(granted / 1e6), all.map(endingOf), scheduler);
        assert.ok(balance && 'balance' in balance);
        assert.ok(Math.round(balance.used * 1e9) <= granted * 1000);
        assert.equal(balance.reserved, 0);
      }),
    );
  });

  it('are all allowed if the budget covers them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), requests, async (scheduler, all) => {
        const most = all.reduce((sum, each) => sum + each.inputTokens + each.maxOutputTokens, 1);
        assert.equal((await run(tokens(most), all.map(endingOf), scheduler)).refused, 0);
      }),
      { numRuns: runs(10) },
    );
  });
});
