/** The credit of each local key in the sandbox, charged at catalog prices. */
import type { Usage } from '../../../formats/usage.ts';
import { costOf, type Price } from '../../../sandbox/catalog.ts';
import { type SandboxSpending, SpentInMemory } from './spentFile.ts';

export type SandboxPackageState = 'active' | 'low' | 'exhausted';

/** The body of `GET /balance`. Amounts are US dollars. */
export interface BalanceBody {
  readonly object: 'balance';
  readonly balance: number;
  readonly currency: 'USD';
  readonly granted: number;
  readonly used: number;
  readonly package: { readonly name: 'Sandbox'; readonly state: SandboxPackageState };
  readonly sandbox: true;
}

/** Money is counted in integer billionths of a dollar. The catalog price of a single token is a multiple of that. */
const PER_DOLLAR = 1e9;

/** Below this fraction of the granted credit, the package's state is `low`. */
const LOW_PART = 0.1;

export class SandboxAccount {
  readonly #granted: number;
  readonly #spent: SandboxSpending;

  /** @param credit in US dollars. */
  constructor(credit: number, spent: SandboxSpending = new SpentInMemory()) {
    this.#granted = Math.max(0, Math.round(credit * PER_DOLLAR));
    this.#spent = spent;
  }

  get state(): SandboxPackageState {
    const remaining = this.#granted - this.#used;
    if (remaining <= 0) return 'exhausted';
    return remaining < this.#granted * LOW_PART ? 'low' : 'active';
  }

  /** Charges the cost of an answer, up to the remaining credit. */
  charge(usage: Usage, price: Price): void {
    this.#spent.add(Math.min(this.#granted - this.#used, Math.round(costOf(usage, price) * PER_DOLLAR)));
  }

  /** At most the credit, because windows that share it can charge at the same time. */
  get #used(): number {
    return Math.min(this.#granted, this.#spent.total);
  }

  balance(): BalanceBody {
    const used = this.#used;
    return {
      object: 'balance',
      balance: (this.#granted - used) / PER_DOLLAR,
      currency: 'USD',
      granted: this.#granted / PER_DOLLAR,
      used: used / PER_DOLLAR,
      package: { name: 'Sandbox', state: this.state },
      sandbox: true,
    };
  }
}

/** The accounts of all local keys: one for each, or one shared by all. */
export class Accounts {
  readonly #accounts = new Map<string, SandboxAccount>();
  readonly #credit: number;
  readonly #shared: SandboxAccount | undefined;

  /**
   * @param credit initial US dollars of each account, which is created when its key is first used.
   * @param spent of the shared account.
   */
  constructor(credit: number, shared: boolean, spent?: SandboxSpending) {
    this.#credit = credit;
    this.#shared = shared ? new SandboxAccount(credit, spent) : undefined;
  }

  of(localKeyId: string): SandboxAccount {
    if (this.#shared !== undefined) return this.#shared;
    const account = this.#accounts.get(localKeyId) ?? new SandboxAccount(this.#credit);
    this.#accounts.set(localKeyId, account);
    return account;
  }
}
