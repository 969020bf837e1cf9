/** The messages between the page that creates and then changes a local key and its host. Fields contain the text as typed. */

import type { BudgetPeriod } from '../../rules/period.ts';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';

export interface KeyForm {
  readonly name: string;
  /** The unit of all budgets of the key. */
  readonly unit: 'usd' | 'tokens';
  /** Empty texts mean no budget. */
  readonly budgets: Readonly<Record<BudgetPeriod, string>>;
  /** Whether output limits are lowered to what the budgets cover. */
  readonly lowersLimits: boolean;
  /** An empty text means no limit. */
  readonly requestsPerMinute: string;
  readonly parallel: string;
  readonly tokensPerMinute: string;
  readonly sessionDollars: string;
  /** The names of the only models that the key may use. Undefined allows all. */
  readonly models?: readonly string[];
  /** Names and patterns in addition to `models`, separated by commas. */
  readonly patterns: string;
  /** What happens to secrets in its requests; `default` follows the gateway. */
  readonly secrets: SecretPolicy | 'default';
  readonly expiry: 'never' | 'month' | 'date';
  /** A date such as `2027-01-31`. */
  readonly date: string;
}

export type KeyLimitField = 'requestsPerMinute' | 'parallel' | 'tokensPerMinute' | 'sessionDollars';

export type KeyFormField = 'name' | BudgetPeriod | KeyLimitField | 'models' | 'patterns' | 'date';

/** Error messages by field. */
export type KeyFormProblems = { readonly [Field in KeyFormField]?: string };

export interface KeyFormModel {
  readonly id: string;
  readonly contextWindow?: number;
  /** In US dollars per 1M tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}

export interface KeyPageState {
  readonly models: readonly KeyFormModel[];
  /** The gateway's address, or the expected one while it is off. */
  readonly address: string;
}

export type KeyPageHostMessage =
  | { readonly type: 'state'; readonly state: KeyPageState }
  /** Fills the page in with an existing key. */
  | {
      readonly type: 'edit';
      readonly id: string;
      readonly form: KeyForm;
      /** Budgets that the fields cannot show, and that stay. */
      readonly hiddenBudgets: readonly string[];
      /** The field that gets the focus. */
      readonly focus: 'name' | 'daily';
    }
  | { readonly type: 'problems'; readonly problems: KeyFormProblems }
  /** The secret is shown once: a reloaded page starts with an empty form. */
  | {
      readonly type: 'created';
      readonly id: string;
      readonly name: string;
      readonly secret: string;
      /** The fields as they were sent: the user may have changed them since. */
      readonly form: KeyForm;
    }
  | { readonly type: 'changed'; readonly name: string; readonly form: KeyForm };
