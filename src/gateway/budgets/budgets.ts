import type { Usage } from '../../formats/usage.ts';
import { costInBillionths, type Spent, toBillionths } from '../../ledger/cost.ts';
import { Account } from '../../rules/account.ts';
import { nextPeriod, periodStart } from '../../rules/period.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { priceOf } from '../../tokens/price.ts';
import type { Refusal } from '../core/refusal.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import type { Budget, KeyDetails } from '../keys/issuedKey.ts';
import { budgetExceeded, priceUnknown } from './budgetRefusal.ts';
import { type BudgetState, type KeyBalance, keyBalance } from './keyBalance.ts';

export interface PlannedRequest extends UsagePlan {
  readonly model: string;
  /** Zero for what is free. Undefined or incomplete if not known. */
  readonly prices?: Prices;
  /** How this kind of request can use less. */
  readonly advice?: string;
  /** True if the request can be sent with a lower limit of its output, unless this is at most half of what is left. */
  readonly canBeLowered?: true;
}

/** What a budget has left that no request has reserved, in its unit: billionths of a US dollar, or tokens. */
export interface Room {
  readonly unit: Budget['unit'];
  readonly free: number;
}

/** A refusal that states what the budget could still cover, unless the price is unknown. */
export type BudgetRefusal = Refusal & { readonly room?: Room };

export interface BudgetShortage {
  readonly refusal: BudgetRefusal;
  /** Whether the budgets cover the request as soon as running requests have used less than they reserve. */
  readonly mayWait: boolean;
}

export interface UsedAmount {
  readonly usage: Usage;
  /** Billionths of a US dollar. If undefined, it is calculated from the planned prices. */
  readonly cost?: number;
}

/** What counts for usage without a price. */
interface PlannedCost {
  readonly prices: Prices;
  /** Billionths of a US dollar. */
  readonly max: number;
}

/**
 * Enforces the budgets of keys. A key may have several. Before a request is sent, it reserves its share of all of them,
 * so that concurrent requests cannot spend the same money twice. Its actual usage replaces the share afterwards. A
 * budget is overspent only by a request that uses more than its share, and only by the difference.
 */
export class Budgets {
  readonly #spentBy: SpentBy;
  readonly #now: () => number;
  /**
   * By unit, period, and key, and then by the start of the period: of the latest periods, and of earlier periods whose
   * requests are still running.
   */
  readonly #accounts = new Map<string, Map<number, Account>>();
  /** The costs that exchanges have reserved, by the IDs of the exchanges. */
  readonly #planned = new Map<string, PlannedCost>();
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
   * Reserves the share of a request before it is sent, again for each further attempt. A refusal has status 402; the
   * caller's format determines its body.
   * @param at when the request began, as in its row of the ledger. It may have waited since.
   */
  reserve(exchangeId: string, key: KeyDetails, request: PlannedRequest, at: number): BudgetShortage | undefined {
    const budgets = inOrder(key);
    if (budgets.length === 0) return undefined;
    const { cost, tokens } = maxOf(request);
    if (cost === undefined && budgets.some(({ unit }) => unit === 'usd')) {
      return { refusal: priceUnknown({ kind: 'key', name: key.name }, request.model), mayWait: false };
    }
    const share = { usd: cost ?? 0, tokens };
    const shortages = budgets
      .map((budget) => this.#shortage(exchangeId, key, budget, { needed: share[budget.unit], at, request }))
      .filter((found) => found !== undefined);
    const [shortage] = shortages;
    if (shortage !== undefined) return { ...shortage, mayWait: shortages.every(({ mayWait }) => mayWait) };
    for (const budget of budgets) this.#account(key, budget, at).reserve(exchangeId, share[budget.unit]);
    if (!this.has(exchangeId)) this.#planned.set(exchangeId, { prices: request.prices ?? {}, max: share.usd });
    return undefined;
  }

  has(exchangeId: string): boolean {
    return this.#planned.has(exchangeId);
  }

  /**
   * Replaces what an exchange has reserved by what one or several attempts have used. An exchange that has reserved
   * nothing counts as well, because its key may have been given a budget since it began.
   * @param at when the request began, in milliseconds since the epoch.
   */
  settle(exchangeId: string, localKeyId: string, at: number, amounts: readonly UsedAmount[]): void {
    const planned = this.#planned.get(exchangeId);
    this.#planned.delete(exchangeId);
    // Usage without a price costs what was reserved for it: a lower figure would give money away, a higher one would be
    // invented.
    const costOf = ({ usage, cost }: UsedAmount) =>
      cost ?? (planned && (costInBillionths(usage, planned.prices) ?? planned.max)) ?? 0;
    const used = {
      usd: total(amounts.map(costOf)),
      tokens: total(amounts.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    };
    for (const period of LAST_RESET_FIRST) {
      for (const unit of UNITS) {
        const accounts = this.#accounts.get(nameOf(localKeyId, { unit, period }));
        accounts?.get(periodStart(period, at))?.settle(exchangeId, used[unit]);
      }
    }
  }

  /** Returns the body of `GET /balance` for this key, or `undefined` if the key has no budget of its own. */
  balance(key: KeyDetails): KeyBalance | undefined {
    const now = this.#now();
    const states = inOrder(key).map((budget): BudgetState => {
      const { used, reserved } = this.#account(key, budget, now);
      return { budget, granted: sizeOf(budget), used, reserved, renewsAt: nextPeriod(budget.period, now) };
    });
    return keyBalance(key, states);
  }

  /** Returns the refusal if the budget does not cover the share. */
  #shortage(
    exchangeId: string,
    key: KeyDetails,
    budget: Budget,
    { needed, at, request }: RequestedShare,
  ): BudgetShortage | undefined {
    const { canBeLowered = false, advice } = request;
    const account = this.#account(key, budget, at);
    const left = sizeOf(budget) - account.used;
    const { reserved } = account;
    const free = left - reserved;
    if (left > 0 && needed <= (canBeLowered ? free / 2 : free)) return undefined;
    const renewsAt = nextPeriod(budget.period, at);
    const holder = { kind: 'key', name: key.name } as const;
    const refusal = budgetExceeded(holder, budget, { left, needed, reserved, renewsAt, advice });
    // Nothing releases what the exchange has reserved for its earlier attempts before its end.
    const mayWait = !canBeLowered && left > 0 && needed <= left - account.reservedBy(exchangeId);
    return { refusal: { ...refusal, room: { unit: budget.unit, free } }, mayWait };
  }

  /**
   * Returns the account of the period in which a request began. Requests that are reserved or settled in a later period
   * count there too, as their rows do, also if the clock was set back meanwhile.
   */
  #account({ id }: KeyDetails, budget: Budget, at: number): Account {
    const start = periodStart(budget.period, at);
    const name = nameOf(id, budget);
    const accounts = this.#accounts.get(name) ?? new Map<number, Account>();
    const known = accounts.get(start);
    if (known !== undefined) return known;
    const latest = [...accounts.keys()].at(-1);
    for (const [other, { isReserving }] of accounts) if (other !== latest && !isReserving) accounts.delete(other);
    const { cost, inputTokens, outputTokens } = this.#spentBy(id, start, nextPeriod(budget.period, at));
    const account = new Account(budget.unit === 'usd' ? cost : inputTokens + outputTokens);
    accounts.set(start, account);
    this.#accounts.set(name, accounts);
    this.isInUse = true;
    return account;
  }
}

/**
 * Returns what a key has spent since a time and before another one, in milliseconds since the epoch. If the second one is
 * undefined, until now.
 */
type SpentBy = (localKeyId: string, since: number, before: number | undefined) => Spent;

interface RequestedShare {
  /** In the unit of the budget. */
  readonly needed: number;
  /** When the request began. */
  readonly at: number;
  readonly request: PlannedRequest;
}

const UNITS: readonly Budget['unit'][] = ['usd', 'tokens'];
/** If several budgets are exhausted, the refusal names the one that resets last. */
const LAST_RESET_FIRST: readonly Budget['period'][] = ['total', 'monthly', 'daily'];

function inOrder({ budgets = [] }: KeyDetails): readonly Budget[] {
  return budgets.toSorted((a, b) => LAST_RESET_FIRST.indexOf(a.period) - LAST_RESET_FIRST.indexOf(b.period));
}

function nameOf(localKeyId: string, { unit, period }: Pick<Budget, 'unit' | 'period'>): string {
  return `${unit} ${period} ${localKeyId}`;
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
