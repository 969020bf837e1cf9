import assert from 'node:assert/strict';
import { SpendingGuard } from '../../../../src/gateway/budgets/spendingLimits.ts';

const BILLION = 1_000_000_000;
const NOON = new Date(2026, 10, 21, 12).getTime();

describe('the limits of the service key', () => {
  /** Spending in US dollars, by upstream and day. */
  let spent: Record<string, number>;
  let now: number;
  /** Time on the clock that nobody sets. */
  let elapsed: number;
  let guard: SpendingGuard;

  beforeEach(() => {
    spent = {};
    now = NOON;
    elapsed = 0;
    guard = new SpendingGuard(
      (upstream, day) => (spent[`${upstream} ${day}`] ?? 0) * BILLION,
      () => now,
      () => elapsed,
    );
  });

  const pass = (ms: number) => {
    now += ms;
    elapsed += ms;
  };

  it('refuse nothing if none are set', () => {
    spent['hosted 2026-11-21'] = 1000;
    assert.equal(guard.refusal('hosted'), undefined);
  });

  it('refuse with 402 once the daily limit is reached, with the amount spent and the reset time', () => {
    guard.set({ daily: 5 });
    spent['hosted 2026-11-21'] = 4.99;
    assert.equal(guard.refusal('hosted'), undefined);
    spent['hosted 2026-11-21'] = 5.02;
    pass(1000);
    const error = guard.refusal('hosted')?.error;
    assert.equal(error?.status, 402);
    assert.equal(error?.kind, 'credit');
    assert.match(
      error?.message ?? '',
      /^The daily limit of \$5\.00 for the service key is reached: \$5\.02 has been spent\./,
    );
    assert.ok(error?.message.includes(new Date(2026, 10, 22).toISOString()));
  });

  it('refuse once the monthly limit is reached, whatever the daily limit allows', () => {
    guard.set({ daily: 5, monthly: 20 });
    spent['hosted 2026-11-01'] = 20;
    assert.match(guard.refusal('hosted')?.error.message ?? '', /^The monthly limit of \$20\.00/);
  });

  it('apply to each upstream separately: sandbox answers cost the service nothing', () => {
    guard.set({ daily: 5 });
    spent['sandbox 2026-11-21'] = 9;
    assert.equal(guard.refusal('hosted'), undefined);
    assert.notEqual(guard.refusal('sandbox'), undefined);
  });

  it('count requests in progress at their maximum cost, so that forty cannot all use the last cent', () => {
    guard.set({ daily: 5 });
    spent['hosted 2026-11-21'] = 4.99;
    const cost = 0.02 * BILLION;
    const refusals = Array.from({ length: 40 }, (_, nth) => guard.admit(`req_${nth}`, 'hosted', cost));
    assert.equal(refusals.filter((refusal) => refusal === undefined).length, 1);
    assert.match(
      refusals[1]?.error.message ?? '',
      /^The daily limit of \$5\.00 for the service key is nearly reached: \$4\.99 has been spent\. Requests in progress may use up/,
    );
    assert.equal(guard.admit('elsewhere', 'sandbox', cost), undefined);
    guard.settle('req_0', [{ upstream: 'hosted', cost: 0.001 * BILLION }]);
    assert.equal(guard.admit('next', 'hosted', cost), undefined);
  });

  it('include a request that has just ended, without another ledger query', () => {
    guard.set({ monthly: 5 });
    spent['hosted 2026-11-01'] = 4.9;
    assert.equal(guard.admit('one', 'hosted', 0), undefined);
    guard.settle('one', [{ upstream: 'hosted', cost: 0.2 * BILLION }]);
    assert.match(guard.refusal('hosted')?.error.message ?? '', /\$5\.10 has been spent/);
  });

  it('reset the next day', () => {
    guard.set({ daily: 5 });
    spent['hosted 2026-11-21'] = 6;
    assert.notEqual(guard.refusal('hosted'), undefined);
    now = new Date(2026, 10, 22, 0, 0, 1).getTime();
    assert.equal(guard.refusal('hosted'), undefined);
  });

  it('reread what others have spent after the system clock was set back', () => {
    guard.set({ daily: 5 });
    spent['hosted 2026-11-21'] = 4.99;
    assert.equal(guard.refusal('hosted'), undefined);
    spent['hosted 2026-11-21'] = 5.02;
    now -= 3_600_000;
    elapsed += 1000;
    assert.equal(guard.refusal('hosted')?.error.status, 402);
  });
});
