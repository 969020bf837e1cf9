/** What the page that creates a local key and its host say to each other. Fields are as they were typed. */
import type { PageReady, PageTransport } from '../../webviews/protocol.ts';

export type BudgetPeriod = 'daily' | 'monthly' | 'total';

export interface KeyForm {
  readonly name: string;
  /** Of all budgets of the key. */
  readonly unit: 'usd' | 'tokens';
  /** Empty for none. */
  readonly budgets: Readonly<Record<BudgetPeriod, string>>;
  /** Empty for no limit. */
  readonly requestsPerMinute: string;
  readonly parallel: string;
  readonly tokensPerMinute: string;
  readonly sessionDollars: string;
  /** Names of the only models that the key may use; absent for all. */
  readonly models?: readonly string[];
  /** Further names and patterns, separated by commas, beside `models`. */
  readonly patterns: string;
  readonly expiry: 'never' | 'month' | 'date';
  /** Such as `2027-01-31`. */
  readonly date: string;
}

export type KeyLimitField = 'requestsPerMinute' | 'parallel' | 'tokensPerMinute' | 'sessionDollars';

export type KeyFormField = 'name' | BudgetPeriod | KeyLimitField | 'models' | 'patterns' | 'date';

/** What is wrong with fields, in words for the person. */
export type KeyFormProblems = { readonly [Field in KeyFormField]?: string };

export interface KeyFormModel {
  readonly id: string;
  readonly contextWindow?: number;
  /** US dollars for a million tokens. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
}

export interface KeyPageState {
  readonly models: readonly KeyFormModel[];
  /** Of the gateway, where it runs or will run. */
  readonly address: string;
}

export type KeyPageHostMessage =
  | { readonly type: 'state'; readonly state: KeyPageState }
  | { readonly type: 'problems'; readonly problems: KeyFormProblems }
  /** The secret is shown once: a page that is loaded again begins anew. */
  | { readonly type: 'created'; readonly name: string; readonly secret: string };

export type KeyPageMessage =
  | PageReady
  /** Asks what is wrong with the form. */
  | { readonly type: 'check'; readonly form: KeyForm }
  | { readonly type: 'create'; readonly form: KeyForm }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'manage' }
  | { readonly type: 'close' };

export type KeyPageTransport = PageTransport<KeyPageHostMessage, KeyPageMessage>;
