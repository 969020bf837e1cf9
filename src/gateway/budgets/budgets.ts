import type { Usage } from '../../formats/usage.ts';
import { costInBillionths, type Spent, toBillionths } from '../../ledger/cost.ts';
import { nextPeriod, periodStart } from '../../rules/period.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { priceOf } from '../../tokens/price.ts';
import type { Refusal } from '../core/refusal.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import type { Budget, KeyDetails } from '../keys/issuedKey.ts';
import { Account, type Amounts, NOTHING, type Room, sumOf } from './account.ts';
import { budgetExceeded, priceUnknown } from './budgetRefusal.ts';
import { type BudgetState, type KeyBalance, keyBalance } from './keyBalance.ts';

/** What is known about a request before it is sent. */
export interface PlannedRequest extends UsagePlan {
  readonly model: string;
  /** Zero for what is free. Undefined or incomplete if not known. */
  readonly prices?: Prices;
  /** How this kind of request can use less. */
  readonly advice?: string;
  /** True if the request can be sent with a lower limit of its output, unless this is at most half of what is left. */
  readonly canBeLowered?: true;
}

/** A refusal that states what the budget could still cover, unless the price is unknown. */
export type BudgetRefusal = Refusal & { readonly room?: Room };

export interface UsedAmount {
  readonly usage: Usage;
  /** Billionths of a US dollar. If undefined, it is calculated from the planned prices. */
  readonly cost?: number;
}

/**
 * A request's share of the budget, from before it is sent until its end is known. Only the first call has an effect.
 */
export interface Reservation {
  readonly share: Amounts;
  /** Replaces the reservation with the actual usage of one or several attempts. */
  settle(used: readonly UsedAmount[]): void;
  /** Releases the reservation, because nothing was used: the upstream refused the request or was never reached. */
  release(): void;
}

export type BudgetVerdict =
  | { readonly ok: true; readonly reservation: Reservation }
  | {
      readonly ok: false;
      readonly refusal: BudgetRefusal;
      /** Whether the budgets cover the request as soon as running requests have used less than they reserve. */
      readonly mayWait: boolean;
    };

const UNLIMITED: Reservation = { share: NOTHING, settle: () => undefined, release: () => undefined };

/**
 * Enforces the budgets of keys. A key may have several. Before a request is sent, it reserves its share of all of them,
 * so that concurrent requests cannot spend the same money twice. Its actual usage replaces the share afterwards. A
 * budget is overspent only by a request that uses more than its share, and only by the difference.
 */
export class Budgets {
  readonly #spentBy: SpentBy;
  readonly #now: () => number;
  /** By period and key. Those of the latest periods, and those of earlier periods whose requests are still running. */
  readonly #accounts = new Map<string, readonly Account[]>();
  /** Whether any account was opened. A field, because each exchange reads it. */
  isInUse = false;

  /**
   * @param spentBy like `Ledger.spentBy`. An exchange must be settled and appended to the ledger in the same turn of the
   * event loop, or it could count twice.
   */
  constructor(spentBy: SpentBy, now: () => number = Date.now) {
    this.#spentBy = spentBy;
    this.#now = now;
  }

  /**
   * Reserves the share of a request before it is sent. A refusal has status 402; the caller's format determines its
   * body.
   * @param at when the request began, as in its row of the ledger. It may have waited since.
   * @param earlier what the same request has reserved for earlier attempts, which nothing releases before its end.
   */
  reserve(
    key: KeyDetails,
    request: PlannedRequest,
    at = this.#now(),
    earlier: readonly Reservation[] = [],
  ): BudgetVerdict {
    const budgets = inOrder(key);
    if (budgets.length === 0) return { ok: true, reservation: UNLIMITED };
    const amounts = maxOf(request);
    if (amounts.cost === undefined && budgets.some(({ unit }) => unit === 'usd')) {
      const refusal = priceUnknown({ kind: 'key', name: key.name }, request.model);
      return { ok: false, refusal, mayWait: false };
    }
    const share: Amounts = { tokens: amounts.tokens, cost: amounts.cost ?? 0 };
    const own = sumOf(earlier.map((each) => each.share));
    const shortages = budgets
      .map((budget) => this.#shortage(key, budget, { share, own, at, request }))
      .filter((found) => found !== undefined);
    const [shortage] = shortages;
    if (shortage !== undefined) {
      const { refusal } = shortage;
      return { ok: false, refusal, mayWait: shortages.every(({ mayWait }) => mayWait) };
    }
    const accounts = budgets.map((budget) => this.#account(key, budget, at));
    const onSettled = (used: Amounts) => this.#addToOthers(key.id, at, used, accounts);
    return { ok: true, reservation: reserve(accounts, share, request.prices, onSettled) };
  }

  /**
   * Adds the usage of a request for which nothing was reserved, because its key had no budget when the request began.
   * The key may have been given one since.
   * @param at when the request began, in milliseconds since the epoch.
   */
  spent(localKeyId: string, at: number, amounts: readonly UsedAmount[]): void {
    const used = usedOf(amounts, ({ cost }) => cost ?? 0);
    this.#addToOthers(localKeyId, at, used, []);
  }

  /** Accounts that were opened after the request began were read from the ledger before it contained this request. */
  #addToOthers(id: string, at: number, used: Amounts, accounts: readonly Account[]): void {
    for (const period of MAX_FIRST_LENGTH) {
      const account = this.#known(id, period, periodStart(period, at));
      if (account !== undefined && !accounts.includes(account)) account.add(used);
    }
  }

  /** Returns the body of `GET /balance` for this key, or `undefined` if the key has no budget of its own. */
  balance(key: KeyDetails): KeyBalance | undefined {
    const now = this.#now();
    const states = inOrder(key).map((budget): BudgetState => {
      const account = this.#account(key, budget, now);
      return {
        budget,
        granted: sizeOf(budget),
        used: inUnit(account.used, budget),
        reserved: inUnit(account.reserved, budget),
        renewsAt: nextPeriod(budget.period, now),
      };
    });
    return keyBalance(key, states);
  }

  /** Returns the refusal if the budget does not cover the share. */
  #shortage(
    key: KeyDetails,
    budget: Budget,
    { share, own, at, request }: RequestedShare,
  ): UncoveredRequest | undefined {
    const account = this.#account(key, budget, at);
    const left = sizeOf(budget) - inUnit(account.used, budget);
    const reserved = inUnit(account.reserved, budget);
    const needed = inUnit(share, budget);
    const free = left - reserved;
    const { canBeLowered = false, advice } = request;
    if (left > 0 && needed <= (canBeLowered ? free / 2 : free)) return undefined;
    const renewsAt = nextPeriod(budget.period, at);
    const holder = { kind: 'key', name: key.name } as const;
    const refusal = budgetExceeded(holder, budget, { left, needed, reserved, renewsAt, advice });
    const mayWait = !canBeLowered && left > 0 && needed <= left - inUnit(own, budget);
    return { refusal: { ...refusal, room: { unit: budget.unit, free } }, mayWait };
  }

  /**
   * Returns the account of the period in which a request began. Requests that are reserved or settled in a later period
   * count there too, as their rows do, also if the clock was set back meanwhile.
   */
  #account({ id }: KeyDetails, { period }: Budget, at: number): Account {
    const start = periodStart(period, at);
    const known = this.#known(id, period, start);
    if (known !== undefined) return known;
    const account = new Account(start, this.#spentBy(id, start, nextPeriod(period, at)));
    const name = `${period} ${id}`;
    const others = (this.#accounts.get(name) ?? []).filter((each, place) => place === 0 || each.isReserving);
    this.#accounts.set(name, [account, ...others]);
    this.isInUse = true;
    return account;
  }

  #known(id: string, period: Budget['period'], start: number): Account | undefined {
    return this.#accounts.get(`${period} ${id}`)?.find((account) => account.start === start);
  }
}

/**
 * Returns what a key has spent since a time and before another one, in milliseconds since the epoch. If the second one is
 * undefined, until now.
 */
type SpentBy = (localKeyId: string, since: number, before: number | undefined) => Spent;

type UncoveredRequest = Pick<Extract<BudgetVerdict, { ok: false }>, 'refusal' | 'mayWait'>;

interface RequestedShare {
  readonly share: Amounts;
  /** What the request has reserved already. */
  readonly own: Amounts;
  /** When the request began. */
  readonly at: number;
  readonly request: PlannedRequest;
}

/** If several budgets are exhausted, the refusal names the one that resets last. */
const MAX_FIRST_LENGTH: readonly Budget['period'][] = ['total', 'monthly', 'daily'];

function inOrder({ budgets = [] }: KeyDetails): readonly Budget[] {
  return budgets.toSorted((a, b) => MAX_FIRST_LENGTH.indexOf(a.period) - MAX_FIRST_LENGTH.indexOf(b.period));
}

function usedOf(amounts: readonly UsedAmount[], costOf: (amount: UsedAmount) => number): Amounts {
  return {
    cost: total(amounts.map(costOf)),
    tokens: total(amounts.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
  };
}

function reserve(
  accounts: readonly Account[],
  share: Amounts,
  planned: Prices | undefined,
  onSettled: (used: Amounts) => void,
): Reservation {
  let isOver = false;
  for (const account of accounts) account.reserve(share);
  return {
    share,
    settle: (amounts) => {
      if (isOver) return;
      isOver = true;
      // Usage without a price costs what was reserved for it: a lower figure would give money away, a higher one would
      // be invented.
      const priced = ({ usage, cost }: UsedAmount) => cost ?? costInBillionths(usage, planned ?? {}) ?? share.cost;
      const used = usedOf(amounts, priced);
      for (const account of accounts) account.settle(share, used);
      onSettled(used);
    },
    release: () => {
      isOver = true;
      for (const account of accounts) account.settle(share);
    },
  };
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, each) => sum + each, 0);
}

/** The maximum that a request can use. The cost is undefined if a price is not known, and never too large to count. */
export function maxOf({ inputTokens, maxOutputTokens, parts, prices = {} }: PlannedRequest) {
  const maxUsage = { inputTokens, outputTokens: maxOutputTokens, ...parts };
  const isPriced = priceOf(maxUsage, prices) !== undefined;
  const cost = costInBillionths(maxUsage, prices) ?? (isPriced ? Number.MAX_SAFE_INTEGER : undefined);
  return { tokens: inputTokens + maxOutputTokens, cost };
}

function sizeOf({ amount, unit }: Budget): number {
  return unit === 'usd' ? toBillionths(amount) : amount;
}

function inUnit({ cost, tokens }: Amounts, { unit }: Budget): number {
  return unit === 'usd' ? cost : tokens;
}
