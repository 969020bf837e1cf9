import { type CacheMissReason, isAvoidable } from './cacheMiss.ts';
import { type ExchangeEnding, type Outcome, outcomeOf, type RequestSource } from './exchange.ts';

/** The member of an exchange that each search field refers to. */
export const MEMBER_OF_FIELD = {
  tool: 'client',
  model: 'model',
  upstream: 'upstream',
  endpoint: 'endpoint',
  status: 'status',
  session: 'sessionId',
  secret: 'secrets',
  miss: 'cacheMiss',
} as const;

export type SearchField = keyof typeof MEMBER_OF_FIELD;

export const SEARCH_FIELDS = Object.keys(MEMBER_OF_FIELD) as readonly SearchField[];

/** Value of `sessionId` in a filter: requests without a session. */
export const NO_SESSION = '';

/** Text of `miss:` that matches every avoidable miss. */
export const ANY_MISS = 'any';

/** Text of `secret:` that matches all kinds of secrets. */
export const ANY_SECRET = 'any';

/** Members that must equal the filter's value. */
export const EXACT_MEMBERS = ['model', 'client', 'localKeyId', 'source', 'conversationId', 'sessionId'] as const;

/** A word that must occur in one of the texts of an exchange, ignoring case. */
export interface SearchTerm {
  /** The field in which the word must occur. If undefined, it may occur in any field or in the ID. */
  readonly field?: SearchField;
  readonly text: string;
  /**
   * IDs of the local keys whose names contain the word, because the ledger has no names. Used for the field `tool` and
   * for terms without a field.
   */
  readonly localKeyIds: readonly string[];
  readonly sources: readonly RequestSource[];
}

/** All conditions must match. */
export interface ExchangeFilter {
  readonly model?: string;
  readonly client?: string;
  readonly localKeyId?: string;
  readonly source?: RequestSource;
  readonly conversationId?: string;
  /** {@link NO_SESSION} matches requests without a session. */
  readonly sessionId?: string;
  readonly outcome?: Outcome;
  readonly terms?: readonly SearchTerm[];
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** The members of an exchange that a filter uses. */
export interface FilteredExchange extends ExchangeEnding {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly source: RequestSource;
  readonly localKeyId?: string;
  readonly conversationId?: string;
  readonly sessionId?: string;
  readonly client?: string;
  readonly endpoint?: string;
  readonly model?: string;
  readonly upstream?: string;
  /** Kinds of secrets that the request seems to contain. */
  readonly secrets?: readonly string[];
  readonly cacheMiss?: { readonly reason: CacheMissReason };
}

/** Returns whether an exchange matches a filter. The ledger's SQL gives the same result. */
export function isMatch(filter: ExchangeFilter, exchange: FilteredExchange): boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY, terms = [], outcome } = filter;
  return (
    exchange.at >= from &&
    exchange.at < to &&
    (outcome === undefined || outcomeOf(exchange) === outcome) &&
    EXACT_MEMBERS.every((name) => filter[name] === undefined || filter[name] === (exchange[name] ?? NO_SESSION)) &&
    terms.every((term) => holds(term, exchange))
  );
}

/** Whether a term for this field also searches the names of local keys and of parts of the editor. */
export function findsCallers(field: SearchField | undefined): boolean {
  return field === undefined || field === 'tool';
}

/** Folds the case of the same letters as SQLite's `lower`. */
export function foldCase(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function holds({ field, text, localKeyIds, sources }: SearchTerm, exchange: FilteredExchange): boolean {
  const { cacheMiss, ...members } = exchange;
  if (field === 'secret' && text === ANY_SECRET) return exchange.secrets !== undefined;
  if (field === 'miss' && text === ANY_MISS) return cacheMiss !== undefined && isAvoidable(cacheMiss.reason);
  const texts = { ...members, cacheMiss: cacheMiss?.reason };
  const textOf = (name: SearchField) => String(texts[MEMBER_OF_FIELD[name]] ?? '');
  const searched = field === undefined ? [...SEARCH_FIELDS.map(textOf), exchange.id].join(' ') : textOf(field);
  if (foldCase(searched).includes(foldCase(text))) return true;
  if (!findsCallers(field)) return false;
  const { localKeyId, source } = exchange;
  return (localKeyId !== undefined && localKeyIds.includes(localKeyId)) || sources.includes(source);
}
