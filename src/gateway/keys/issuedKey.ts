import { randomBytes } from 'node:crypto';
import type { BudgetPeriod } from '../../rules/period.ts';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { KeyLimits } from '../core/keyLimits.ts';

/** What a key may spend in each period. Days and months use the machine's time zone. */
export interface Budget {
  /** Greater than 0: US dollars, or a whole number of tokens (input plus output). */
  readonly amount: number;
  readonly unit: 'usd' | 'tokens';
  readonly period: BudgetPeriod;
}

/** Restrictions of a local key. An undefined member means no restriction. */
export interface KeyTerms {
  /** At most one for each kind of period; not empty if defined. All of them apply. */
  readonly budgets?: readonly Budget[];
  readonly limits?: KeyLimits;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Names of models, or patterns in which `*` matches any text. */
  readonly models?: readonly string[];
  /**
   * Whether a limit of the output that a budget does not cover is lowered, so that the request need not be refused. If
   * undefined, a new key lowers it, and a key that is changed stays as it is.
   */
  readonly lowersLimits?: boolean;
  /** False if the ledger does not get what requests of the key consist of. */
  readonly measuresContext?: boolean;
  /** What happens to secrets in its requests. If undefined, the gateway decides. */
  readonly secrets?: SecretPolicy;
}

/** A team, whose keys share its budgets. */
export interface KeyTeam {
  readonly id: string;
  readonly name: string;
  readonly budgets?: readonly Budget[];
}

/** A local key without its secret, for lists, records, and messages. */
export interface KeyDetails extends KeyTerms {
  /** Identifies the key in the ledger. Does not change when the key is rotated. */
  readonly id: string;
  /** Display name, such as `aider`. */
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** When the current secret was created. Undefined if the key was never rotated. */
  readonly rotatedAt?: number;
  /** Only for keys stored in a database. */
  readonly team?: KeyTeam;
}

/** A local key with its secret. Stored in SecretStorage and in the gateway's memory, nowhere else. */
export interface IssuedKey extends KeyDetails, LocalKey {
  /** When parts of the key were last changed, by their names. Decides between windows that have changed the same key. */
  readonly changedAt?: Readonly<Record<string, number>>;
}

export interface RevokedKeys {
  readonly ids: readonly string[];
  /** Their names by ID, because what they were used for is still shown. */
  readonly names?: Readonly<Record<string, string>>;
  /** All keys that were created before this time are revoked, too. */
  readonly before?: number;
}

export function detailsOf({ secret: _, changedAt: __, ...details }: IssuedKey): KeyDetails {
  return details;
}

/** Grants access to the gateway on this machine. `id` identifies the key in records; clients send `secret`. */
export interface LocalKey {
  readonly id: string;
  /** Display name, such as `terminal`. */
  readonly name: string;
  readonly secret: string;
}

/** 256 random bits after the prefix that the specification requires for every key. */
export function createLocalKeySecret(): string {
  return `key_${randomBytes(32).toString('base64url')}`;
}
