import type { Spent } from '../../ledger/cost.ts';

/** Amounts that were used, are reserved, or may be used. */
export interface Amounts {
  /** Billionths of a US dollar. */
  readonly cost: number;
  /** Input and output tokens together. */
  readonly tokens: number;
}

/** What a budget has left that no request has reserved, in its unit: billionths of a US dollar, or tokens. */
export interface Room {
  readonly unit: 'usd' | 'tokens';
  readonly free: number;
}

export const NOTHING: Amounts = { cost: 0, tokens: 0 };

/** One budget of a key in one period: what was used, and what running requests may still use. */
export class Account {
  /** Milliseconds since the epoch. */
  readonly start: number;
  readonly #reserved = new Set<Amounts>();
  #used: Amounts;

  constructor(start: number, { cost, inputTokens, outputTokens }: Spent) {
    this.start = start;
    this.#used = { cost, tokens: inputTokens + outputTokens };
  }

  get isReserving(): boolean {
    return this.#reserved.size > 0;
  }

  get used(): Amounts {
    return this.#used;
  }

  get reserved(): Amounts {
    return sumOf([...this.#reserved]);
  }

  reserve(amounts: Amounts): void {
    this.#reserved.add(amounts);
  }

  /** Adds what a request has used for which nothing was reserved here. */
  add(used: Amounts): void {
    this.#used = sum(this.#used, used);
  }

  /** Releases the reservation and adds `used` instead. */
  settle(reserved: Amounts, used: Amounts = NOTHING): void {
    if (this.#reserved.delete(reserved)) this.#used = sum(this.#used, used);
  }
}

export function sumOf(amounts: readonly Amounts[]): Amounts {
  return amounts.reduce(sum, NOTHING);
}

function sum(a: Amounts, b: Amounts): Amounts {
  return { cost: a.cost + b.cost, tokens: a.tokens + b.tokens };
}
