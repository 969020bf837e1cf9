/** The models as the panel shows them. */
import type { CachePrice } from '../../tokens/price.ts';

export type { CachePrice } from '../../tokens/price.ts';

export interface ModelView {
  readonly id: string;
  /** The heading in the picker, such as `Family A`. */
  readonly family: string;
  /** In tokens. Undefined if the catalog does not contain it. */
  readonly contextWindow?: number;
  /** In US dollars per 1M tokens. Undefined if the catalog does not contain it. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  /** The prices of reading and writing its cache. Undefined if the catalog has no input price. */
  readonly cachePrices?: readonly CachePrice[];
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
}

export interface CatalogView {
  readonly models: readonly ModelView[];
  readonly state: 'loading' | 'current' | 'stale' | 'failed';
  /** When the list was read, in milliseconds since the epoch. Undefined if it never was. */
  readonly readAt?: number;
  readonly problem?: string;
}
