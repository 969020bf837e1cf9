import { dayOf } from '../../display/day.ts';
import { formatBalance } from '../../display/money.ts';
import type { Refusal } from '../access/refusal.ts';
import { toBillionths, toDollars } from '../ledger/cost.ts';
import { nextPeriod, periodStart } from './period.ts';

/** Of the service's key as a whole, in US dollars for each day and month of the machine's time zone. */
export interface SpendingLimits {
  /** Absent: no limit. */
  readonly daily?: number;
  readonly monthly?: number;
}

type LimitedPeriod = keyof SpendingLimits;
const PERIODS: readonly LimitedPeriod[] = ['daily', 'monthly'];

/** How long a sum of the ledger is taken for true: others write it too. In milliseconds. */
const FRESH_MS = 1000;

const MOST_SUMS = 16;

interface Sum {
  readonly readAt: number;
  readonly spent: number;
}

/**
 * Lets nothing go out to the service once a limit of the person is reached. What is under way then may finish, so that
 * the limit can be passed by that much.
 */
export class SpendingGuard {
  readonly #spentSince: (upstream: string, day: string) => number;
  readonly #now: () => number;
  readonly #sums = new Map<string, Sum>();
  #limits: SpendingLimits = {};

  /** @param spentSince All that an upstream's account has paid since a day, in billionths of a US dollar. */
  constructor(spentSince: (upstream: string, day: string) => number, now: () => number = Date.now) {
    this.#spentSince = spentSince;
    this.#now = now;
  }

  set(limits: SpendingLimits): void {
    this.#limits = limits;
  }

  get isOn(): boolean {
    return PERIODS.some((period) => this.#limits[period] !== undefined);
  }

  /** Why nothing may be sent to this upstream now. Status 402, for the caller's format to spell. */
  refusal(upstream: string): Refusal | undefined {
    for (const period of PERIODS) {
      const limit = this.#limits[period];
      const spent = limit === undefined ? 0 : this.#spent(upstream, period);
      if (limit !== undefined && spent >= toBillionths(limit)) return this.#reached(period, limit, spent);
    }
    return undefined;
  }

  #spent(upstream: string, period: LimitedPeriod): number {
    const now = this.#now();
    const day = dayOf(periodStart(period, now));
    const key = `${upstream} ${day}`;
    const known = this.#sums.get(key);
    if (known !== undefined && now - known.readAt < FRESH_MS) return known.spent;
    const spent = this.#spentSince(upstream, day);
    // Days that are over are not asked about again.
    if (this.#sums.size > MOST_SUMS) this.#sums.clear();
    this.#sums.set(key, { readAt: now, spent });
    return spent;
  }

  #reached(period: LimitedPeriod, limit: number, spent: number): Refusal {
    const renewsAt = nextPeriod(period, this.#now());
    const message = [
      `The ${period} limit of ${formatBalance(limit)} for the service key is reached:`,
      `${formatBalance(toDollars(spent))} is spent.`,
      ...(renewsAt === undefined ? [] : [`It begins anew at ${new Date(renewsAt).toISOString()}.`]),
      `Its owner can raise it: modelAccess.limits.${period} in the settings.`,
    ].join(' ');
    return { error: { kind: 'credit', status: 402, message } };
  }
}
