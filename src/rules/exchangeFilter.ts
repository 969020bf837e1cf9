import { type CacheMissReason, isAvoidable } from './cacheMiss.ts';
import { type Ending, type Outcome, outcomeOf, type Source } from './exchange.ts';

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

/** As the session of a filter: requests that belong to none. */
export const NO_SESSION = '';

/** As the text of `miss:`: every miss that can be avoided. */
export const ANY_MISS = 'any';

/** The text of the field `secret` that stands for all kinds of secrets. */
export const ANY_SECRET = 'any';

/** Members that a filter compares as a whole. */
export const EXACT_MEMBERS = ['model', 'client', 'localKeyId', 'source', 'conversationId', 'sessionId'] as const;

/** A word that must occur in one of the texts of an exchange, in any case. */
export interface SearchTerm {
  /** Where it must occur; if absent, in any field or the id. */
  readonly field?: SearchField;
  readonly text: string;
  /** Those whose names have the word in them: names are not in the ledger. They count for `tool` and for any field. */
  readonly localKeyIds: readonly string[];
  readonly sources: readonly Source[];
}

/** All conditions must match. */
export interface ExchangeFilter {
  readonly model?: string;
  readonly client?: string;
  readonly localKeyId?: string;
  readonly source?: Source;
  readonly conversationId?: string;
  /** {@link NO_SESSION} for requests without one. */
  readonly sessionId?: string;
  readonly outcome?: Outcome;
  readonly terms?: readonly SearchTerm[];
  /** Milliseconds since the epoch; `to` is exclusive. */
  readonly from?: number;
  readonly to?: number;
}

/** The members of an exchange that a filter uses. */
export interface FilteredExchange extends Ending {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly source: Source;
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

/** Whether an exchange matches a filter. The ledger's SQL gives the same result. */
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

/** Whether a field's term also looks for the names of keys and of parts of the editor. */
export function findsCallers(field: SearchField | undefined): boolean {
  return field === undefined || field === 'tool';
}

/** Folds the case of the letters that SQLite's `lower` also folds. */
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
