import { dayOf } from '../../display/day.ts';
import { formatBalance, formatMoney, formatSum } from '../../display/money.ts';
import { toBillionths, toDollars } from '../core/cost.ts';
import { nextPeriod, periodStart } from '../core/period.ts';
import type { Refusal } from '../core/refusal.ts';

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

const MAX_SUMS = 16;

interface Sum {
  readonly readAt: number;
  readonly upstream: string;
  spent: number;
}

/** What a request may cost at an upstream, until its end is known. */
interface Share {
  readonly upstream: string;
  readonly cost: number;
}

/** What was spent at an upstream. */
interface Spending {
  readonly upstream: string | undefined;
  /** Absent where nobody knows. */
  readonly cost?: number;
}

/**
 * Lets nothing go out to the service once a limit of the person is reached. What is under way counts with what it may
 * cost, so that many requests at once cannot all pass a limit of which little is left; a single one still may, by what
 * it costs. All sums in billionths of a US dollar.
 */
export class SpendingGuard {
  readonly #spentSince: (upstream: string, day: string) => number;
  readonly #now: () => number;
  readonly #sums = new Map<string, Sum>();
  readonly #underWay = new Map<string, Share>();
  #limits: SpendingLimits = {};

  /** @param spentSince All that an upstream's account has paid since a day. */
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
    const reserved = this.#reservedAt(upstream);
    for (const period of PERIODS) {
      const limit = this.#limits[period];
      if (limit === undefined) continue;
      const spent = this.#spent(upstream, period);
      if (spent + reserved >= toBillionths(limit)) return this.#reached({ period, limit, spent, reserved });
    }
    return undefined;
  }

  /** Sets aside what a request may cost, until {@link settle}; again for a further attempt. @returns why it may not be sent. */
  admit(exchangeId: string, share: Share): Refusal | undefined {
    const refusal = this.refusal(share.upstream);
    const earlier = this.#underWay.get(exchangeId)?.cost ?? 0;
    if (refusal === undefined) this.#underWay.set(exchangeId, { ...share, cost: earlier + share.cost });
    return refusal;
  }

  /** A request has ended, and is handed to the ledger in the same turn. @param amounts in one or several attempts. */
  settle(exchangeId: string, amounts: readonly Spending[]): void {
    this.#underWay.delete(exchangeId);
    for (const { upstream, cost = 0 } of amounts) {
      for (const sum of this.#sums.values()) if (sum.upstream === upstream) sum.spent += cost;
    }
  }

  #reservedAt(upstream: string): number {
    const shares = [...this.#underWay.values()].filter((share) => share.upstream === upstream);
    return shares.reduce((sum, { cost }) => sum + cost, 0);
  }

  #spent(upstream: string, period: LimitedPeriod): number {
    const now = this.#now();
    const day = dayOf(periodStart(period, now));
    const key = `${upstream} ${day}`;
    const known = this.#sums.get(key);
    if (known !== undefined && now - known.readAt < FRESH_MS) return known.spent;
    const spent = this.#spentSince(upstream, day);
    // Days that are over are not asked about again.
    if (this.#sums.size > MAX_SUMS) this.#sums.clear();
    this.#sums.set(key, { readAt: now, upstream, spent });
    return spent;
  }

  #reached({ period, limit, spent, reserved }: Shortage): Refusal {
    const renewsAt = nextPeriod(period, this.#now());
    const isReached = spent >= toBillionths(limit);
    const message = [
      `The ${period} limit of ${formatBalance(limit)} for the service key is ${isReached ? '' : 'nearly '}reached:`,
      `${formatSum(toDollars(spent))} has been spent.`,
      ...(isReached ? [] : [`Requests in progress may use up the rest, up to ${formatMoney(toDollars(reserved))}.`]),
      ...(renewsAt === undefined ? [] : [`It resets at ${new Date(renewsAt).toISOString()}.`]),
      `Its owner can raise it: modelAccess.limits.${period} in the settings.`,
    ].join(' ');
    return { error: { kind: 'credit', status: 402, message } };
  }
}

interface Shortage {
  readonly period: LimitedPeriod;
  /** US dollars. */
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
}
