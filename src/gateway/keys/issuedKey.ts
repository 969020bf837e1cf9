import type { KeyLimits } from '../core/keyLimits.ts';
import type { BudgetPeriod } from '../core/period.ts';
import type { LocalKey } from './localKey.ts';

/** What a key may spend in each period. Days and months are those of the machine's time zone. */
export interface Budget {
  /** More than 0: US dollars, or whole tokens of input and output together. */
  readonly amount: number;
  readonly unit: 'usd' | 'tokens';
  readonly period: BudgetPeriod;
}

/** What a local key may do. What is absent is not limited. */
export interface KeyTerms {
  /** One for each kind of period at most, and at least one where there are any. All of them hold. */
  readonly budgets?: readonly Budget[];
  readonly limits?: KeyLimits;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Names of models, or patterns in which `*` stands for any text. */
  readonly models?: readonly string[];
}

/** Whose keys share a budget. */
export interface KeyTeam {
  readonly id: string;
  readonly name: string;
  readonly budgets?: readonly Budget[];
}

/** A local key without its secret: for lists, records and messages. */
export interface KeyDetails extends KeyTerms {
  /** Names the key in the ledger; stays the same when the key is rotated. */
  readonly id: string;
  /** For a person, such as `aider`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When the present secret was made, if it is not the first. */
  readonly rotatedAt?: number;
  /** Only of keys that are in a database. */
  readonly team?: KeyTeam;
}

/** A local key as a whole. Lives in SecretStorage and in the gateway's memory, nowhere else. */
export interface IssuedKey extends KeyDetails, LocalKey {}

export function detailsOf({ secret: _, ...details }: IssuedKey): KeyDetails {
  return details;
}
