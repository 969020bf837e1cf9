/** The models as the panel shows them. */

export interface ModelView {
  readonly id: string;
  /** Heading it stands under in the picker, such as `Family A`. */
  readonly family: string;
  /** Tokens. Absent when the catalog does not say. */
  readonly contextWindow?: number;
  /** US dollars for a million tokens. Absent when the catalog does not say. */
  readonly inputPrice?: number;
  readonly outputPrice?: number;
  readonly tools?: boolean;
  readonly images?: boolean;
  readonly reasoning?: boolean;
}

export interface CatalogView {
  readonly models: readonly ModelView[];
  readonly state: 'loading' | 'current' | 'stale' | 'failed';
  /** Milliseconds since the epoch at which the list was read; absent when it never was. */
  readonly readAt?: number;
  readonly problem?: string;
}
