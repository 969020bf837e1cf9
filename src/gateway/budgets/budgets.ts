import type { Usage } from '../../formats/conversation.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { Spent } from '../core/cost.ts';
import { costInBillionths, toBillionths } from '../core/cost.ts';
import { nextPeriod, periodStart } from '../core/period.ts';
import type { Refusal } from '../core/refusal.ts';
import type { UsagePlan } from '../core/usagePlan.ts';
import type { Budget, KeyDetails } from '../keys/issuedKey.ts';
import { Account, type Amounts } from './account.ts';
import { budgetExceeded, priceUnknown } from './budgetRefusal.ts';
import { type BudgetState, type KeyBalance, keyBalance } from './keyBalance.ts';

/** What is known of a request before it is sent. */
export interface PlannedRequest extends UsagePlan {
  readonly model: string;
  /** Zeros for what is free; absent or incomplete when not known. */
  readonly prices?: Prices;
  /** How a request of its kind can use less. */
  readonly advice?: string;
}

export interface UsedAmount {
  readonly usage: Usage;
  /** Billionths of a US dollar; by the planned prices where it is not known. */
  readonly cost?: number;
}

/** A request's share of the budget, from before it is sent until its end is known. The first of the two counts. */
export interface Reservation {
  /** What was really used, in one or several attempts. */
  settle(used: readonly UsedAmount[]): void;
  /** Nothing was used: the upstream refused or was never reached. */
  release(): void;
}

export type Verdict =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly refusal: Refusal };

const UNLIMITED: Reservation = { settle: () => undefined, release: () => undefined };

/**
 * Holds the keys to their budgets, of which each may have several. A request gets its share of all of them before it is sent, so that many at once cannot spend what
 * is there for one; its real usage replaces the share afterwards. As long as no usage is beyond its share nothing is
 * overspent; one request that is, overspends by itself alone.
 */
export class Budgets {
  readonly #spentBy: (localKeyId: string, since: number) => Spent;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();

  /**
   * @param spentBy All that a key has spent since a time in milliseconds since the epoch, as `Ledger.spentBy` tells.
   * An exchange must be settled and appended to the ledger in the same turn, or it could count twice.
   */
  constructor(spentBy: (localKeyId: string, since: number) => Spent, now: () => number = Date.now) {
    this.#spentBy = spentBy;
    this.#now = now;
  }

  /** Before a request is sent. A refusal has status 402 and is for the caller's format to spell. */
  reserve(key: KeyDetails, request: PlannedRequest): Verdict {
    const budgets = inOrder(key);
    if (budgets.length === 0) return { ok: true, reservation: UNLIMITED };
    const amounts = mostOf(request);
    if (amounts.cost === undefined && budgets.some(({ unit }) => unit === 'usd')) {
      return { ok: false, refusal: priceUnknown({ kind: 'key', name: key.name }, request.model) };
    }
    const share: Amounts = { tokens: amounts.tokens, cost: amounts.cost ?? 0 };
    const refusal = budgets
      .map((budget) => this.#shortage(key, budget, share, request.advice))
      .find((found) => found !== undefined);
    if (refusal !== undefined) return { ok: false, refusal };
    const accounts = budgets.map((budget) => this.#account(key, budget));
    const at = this.#now();
    const onSettled = (used: Amounts) => this.#addToOthers(key.id, at, used, accounts);
    return { ok: true, reservation: reserve(accounts, share, request.prices, onSettled) };
  }

  /**
   * What a request has used for which nothing was reserved, since its key had no budget then. It may have got one meanwhile.
   * @param at when the request began, in milliseconds since the epoch.
   */
  spent(localKeyId: string, at: number, amounts: readonly UsedAmount[]): void {
    this.#addToOthers(
      localKeyId,
      at,
      usedOf(amounts, ({ cost }) => cost ?? 0),
      [],
    );
  }

  /** Budgets that came later were read from the ledger before this request was in it. */
  #addToOthers(id: string, at: number, used: Amounts, accounts: readonly Account[]): void {
    for (const period of MAX_FIRST_LENGTH) {
      const account = this.#accounts.get(`${period} ${id}`);
      if (account !== undefined && !accounts.includes(account) && account.start <= at) account.add(used);
    }
  }

  /** What `GET /balance` says to this key; `undefined` when it has no budget of its own. */
  balance(key: KeyDetails): KeyBalance | undefined {
    const states = inOrder(key).map((budget): BudgetState => {
      const account = this.#account(key, budget);
      return {
        budget,
        granted: sizeOf(budget),
        used: inUnit(account.used, budget),
        reserved: inUnit(account.reserved, budget),
        renewsAt: nextPeriod(budget.period, this.#now()),
      };
    });
    return keyBalance(key, states);
  }

  /** Why this budget does not cover the share. */
  #shortage(key: KeyDetails, budget: Budget, share: Amounts, advice?: string): Refusal | undefined {
    const account = this.#account(key, budget);
    const left = sizeOf(budget) - inUnit(account.used, budget);
    const reserved = inUnit(account.reserved, budget);
    const needed = inUnit(share, budget);
    if (left > 0 && needed <= left - reserved) return undefined;
    const renewsAt = nextPeriod(budget.period, this.#now());
    return budgetExceeded({ kind: 'key', name: key.name }, budget, { left, needed, reserved, renewsAt, advice });
  }

  /** Requests that began in an earlier period settle there, as their records do. */
  #account({ id }: KeyDetails, { period }: Budget): Account {
    const start = periodStart(period, this.#now());
    const name = `${period} ${id}`;
    const known = this.#accounts.get(name);
    if (known?.start === start) return known;
    const account = new Account(start, this.#spentBy(id, start));
    this.#accounts.set(name, account);
    return account;
  }
}

/** Of several that are used up the one is named for which a caller has to wait the longest. */
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
    settle: (amounts) => {
      if (isOver) return;
      isOver = true;
      // What has no price costs what was reserved for it: less would be a gift, more a made-up figure.
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

/** The most that a request can use. The cost is undefined when a price is not known. */
export function mostOf({ inputTokens, maxOutputTokens, parts, prices = {} }: PlannedRequest) {
  const most = { inputTokens, outputTokens: maxOutputTokens, ...parts };
  return { tokens: inputTokens + maxOutputTokens, cost: costInBillionths(most, prices) };
}

function sizeOf({ amount, unit }: Budget): number {
  return unit === 'usd' ? toBillionths(amount) : amount;
}

function inUnit({ cost, tokens }: Amounts, { unit }: Budget): number {
  return unit === 'usd' ? cost : tokens;
}
