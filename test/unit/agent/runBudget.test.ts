import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type HeldPart, RunBudget } from '../../../src/agent/runBudget.ts';
import { runs } from '../../support/randomRuns.ts';

/** A helper that has reserved a part of the cap. */
interface Holder {
  readonly reservation: HeldPart;
  spent: number;
}

const action = fc.record({
  kind: fc.constantFrom('reserve' as const, 'spend' as const, 'release' as const, 'own' as const),
  holder: fc.nat(7),
  share: fc.double({ min: 0, max: 1.2, noNaN: true }),
});

describe('the budget of a run', () => {
  it('is never exceeded, whatever is reserved, spent, and given back in any order', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.01, max: 5, noNaN: true }),
        fc.array(action, { maxLength: 60 }),
        (cap, actions) => {
          let ownCost = 0;
          let ended = 0;
          const holders: Holder[] = [];
          const spent = () => ownCost + ended + holders.reduce((sum, holder) => sum + holder.spent, 0);
          const budget = new RunBudget(() => cap, spent);
          for (const { kind, holder: place, share } of actions) {
            const holder = holders[place];
            if (kind === 'reserve') {
              const amount = cap * share;
              const added = { spent: 0 };
              const reservation = budget.reserve(amount, () => added.spent);
              if (reservation !== undefined) holders.push(Object.assign(added, { reservation }));
            } else if (kind === 'own') ownCost += Math.max(0, budget.left) * Math.min(1, share);
            else if (holder !== undefined && kind === 'spend') {
              holder.spent += (holder.reservation.amount - holder.spent) * Math.min(1, share);
            } else if (holder !== undefined) {
              ended += holder.spent;
              holders.splice(place, 1);
              holder.reservation.release();
            }
            const promised = holders.reduce((sum, one) => sum + one.reservation.amount - one.spent, 0);
            assert.ok(spent() + promised <= cap + 1e-9, `${spent()} and ${promised} exceed ${cap}`);
          }
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('has the rest of a reservation again when it is given back', () => {
    let spent = 0;
    const budget = new RunBudget(
      () => 1,
      () => spent,
    );
    const first = budget.reserve(0.6, () => spent);
    assert.equal(
      budget.reserve(0.5, () => 0),
      undefined,
    );
    spent = 0.1;
    assert.equal(budget.left.toFixed(2), '0.40');
    first?.release();
    assert.equal(budget.left.toFixed(2), '0.90');
  });

  it('is infinite without a cap', () => {
    const budget = new RunBudget(
      () => 0,
      () => 7,
    );
    assert.ok(budget.reserve(100, () => 0));
    assert.equal(budget.left, Number.POSITIVE_INFINITY);
  });

  it('can be divided up to the last cent', () => {
    const budget = new RunBudget(
      () => 0.3,
      () => 0,
    );
    for (const amount of [0.1, 0.2]) assert.ok(budget.reserve(amount, () => 0));
    assert.equal(
      budget.reserve(0.01, () => 0),
      undefined,
    );
  });
});
