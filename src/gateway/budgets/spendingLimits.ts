import { dayOf } from '../../display/day.ts';
import { formatBalance, formatMoney, formatSum } from '../../display/money.ts';
import { toBillionths, toDollars } from '../../ledger/cost.ts';
import { Account } from '../../rules/account.ts';
import { nextPeriod, periodStart } from '../../rules/period.ts';
import type { Refusal } from '../core/refusal.ts';

/** Limits for all spending of the service key, in US dollars, for each day and month in the machine's time zone. */
export interface SpendingLimits {
  /** Undefined means no limit. */
  readonly daily?: number;
  readonly monthly?: number;
}

type LimitedPeriod = keyof SpendingLimits;
const PERIODS: readonly LimitedPeriod[] = ['daily', 'monthly'];

/** How long a sum of the ledger stays valid, in milliseconds. Other windows write to the ledger, too. */
const FRESH_MS = 1000;

const MAX_SUMS = 16;

interface Sum {
  readonly readAt: number;
  /** What was spent without the requests that have ended here since the gateway started. */
  readonly others: number;
}

interface Spending {
  readonly upstream: string | undefined;
  /** Undefined if the cost is not known. */
  readonly cost?: number;
}

/**
 * Stops requests to the service when a limit of the user is reached. Running requests count with their maximum cost, so
 * that concurrent requests cannot all pass a limit of which little is left. A single request can still exceed it by its
 * own cost. All sums are in billionths of a US dollar.
 */
export class SpendingGuard {
  readonly #spentSince: (upstream: string, day: string) => number;
  readonly #now: () => number;
  readonly #elapsed: () => number;
  /** By upstream and day. */
  readonly #sums = new Map<string, Sum>();
  /** By upstream. */
  readonly #accounts = new Map<string, Account>();
  #limits: SpendingLimits = {};
  isOn = false;
  /** Whether any limit was set, so that requests may have reservations. */
  isInUse = false;

  /** @param spentSince returns what an upstream's account has paid since a day. */
  constructor(
    spentSince: (upstream: string, day: string) => number,
    now: () => number = Date.now,
    elapsed: () => number = () => performance.now(),
  ) {
    this.#spentSince = spentSince;
    this.#now = now;
    this.#elapsed = elapsed;
  }

  set(limits: SpendingLimits): void {
    this.#limits = limits;
    this.isOn = PERIODS.some((period) => limits[period] !== undefined);
    this.isInUse ||= this.isOn;
  }

  /**
   * Returns the refusal if nothing may be sent to this upstream now. It has status 402; the caller's format determines
   * its body.
   */
  refusal(upstream: string): Refusal | undefined {
    const { reserved } = this.#account(upstream);
    for (const period of PERIODS) {
      const limit = this.#limits[period];
      if (limit === undefined) continue;
      const spent = this.#spent(upstream, period);
      if (spent + reserved >= toBillionths(limit)) return this.#reached({ period, limit, spent, reserved });
    }
    return undefined;
  }

  /**
   * Reserves the maximum cost of a request until {@link settle}. A further attempt adds to it.
   * @returns the refusal, or undefined if the request may be sent.
   */
  admit(exchangeId: string, upstream: string, maxCost: number): Refusal | undefined {
    const refusal = this.refusal(upstream);
    if (refusal === undefined) this.#account(upstream).reserve(exchangeId, maxCost);
    return refusal;
  }

  /**
   * Ends the reservation of a request, which is appended to the ledger in the same turn of the event loop.
   * @param amounts of one or several attempts.
   */
  settle(exchangeId: string, amounts: readonly Spending[]): void {
    for (const account of this.#accounts.values()) account.settle(exchangeId);
    for (const { upstream, cost = 0 } of amounts) {
      if (upstream !== undefined) this.#account(upstream).used += cost;
    }
  }

  #account(upstream: string): Account {
    const account = this.#accounts.get(upstream) ?? new Account();
    this.#accounts.set(upstream, account);
    return account;
  }

  #spent(upstream: string, period: LimitedPeriod): number {
    const elapsed = this.#elapsed();
    const day = dayOf(periodStart(period, this.#now()));
    const key = `${upstream} ${day}`;
    const { used } = this.#account(upstream);
    const known = this.#sums.get(key);
    if (known !== undefined && elapsed - known.readAt < FRESH_MS) return known.others + used;
    const spent = this.#spentSince(upstream, day);
    // Drops the sums of past days, which are not needed again.
    if (this.#sums.size > MAX_SUMS) this.#sums.clear();
    this.#sums.set(key, { readAt: elapsed, others: spent - used });
    return spent;
  }

  #reached({ period, limit, spent, reserved }: LimitShortage): Refusal {
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

interface LimitShortage {
  readonly period: LimitedPeriod;
  /** US dollars. */
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
}
