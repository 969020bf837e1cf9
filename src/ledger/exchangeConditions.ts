import type { SQLInputValue } from 'node:sqlite';
import { AVOIDABLE_REASONS } from '../rules/cacheMiss.ts';
import { MIN_FAILED_STATUS, OUTCOME_OF_END, type Outcome } from '../rules/exchange.ts';
import {
  ANY_MISS,
  ANY_SECRET,
  EXACT_MEMBERS,
  type ExchangeFilter,
  findsCallers,
  foldCase,
  MEMBER_OF_FIELD,
  NO_SESSION,
  SEARCH_FIELDS,
  type SearchField,
  type SearchTerm,
} from '../rules/exchangeFilter.ts';
import type { ExchangeRow } from './exchangeQuery.ts';

/** The condition after `WHERE`, with the values of its question marks. */
export interface Conditions {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const COLUMN_OF_MEMBER = {
  model: 'model',
  client: 'client',
  localKeyId: 'local_key_id',
  source: 'source',
  conversationId: 'conversation_id',
  sessionId: 'session_id',
  upstream: 'upstream',
  endpoint: 'endpoint',
  status: 'status',
  secrets: 'secrets',
  cacheMiss: 'cache_miss_reason',
} as const;

const TEXT_OF_FIELD = Object.fromEntries(
  SEARCH_FIELDS.map((field) => [field, `coalesce(${COLUMN_OF_MEMBER[MEMBER_OF_FIELD[field]]}, '')`]),
) as Record<SearchField, string>;
const ANYWHERE = `${Object.values(TEXT_OF_FIELD).join(" || ' ' || ")} || ' ' || id`;

interface ListPosition {
  readonly before?: Pick<ExchangeRow, 'at' | 'number'>;
  readonly after?: number;
}

export function whereOf(filter: ExchangeFilter, { before, after }: ListPosition = {}): Conditions {
  const { outcome, terms = [], from, to } = filter;
  const conditions = [
    ...EXACT_MEMBERS.map((member) => equals(COLUMN_OF_MEMBER[member], filter[member])),
    outcome && { sql: `(${endedAs(outcome)})`, values: [] },
    from === undefined ? undefined : { sql: 'at >= ?', values: [from] },
    to === undefined ? undefined : { sql: 'at < ?', values: [to] },
    before && { sql: '(at, number) < (?, ?)', values: [before.at, before.number] },
    after === undefined ? undefined : { sql: 'number > ?', values: [after] },
    ...terms.map(holds),
  ].filter((condition) => condition !== undefined);
  const sql = conditions.length === 0 ? 'TRUE' : conditions.map((each) => each.sql).join(' AND ');
  return { sql, values: conditions.flatMap((each) => [...each.values]) };
}

function equals(column: string, value: string | undefined): Conditions | undefined {
  if (value === undefined) return undefined;
  return value === NO_SESSION ? { sql: `${column} IS NULL`, values: [] } : { sql: `${column} = ?`, values: [value] };
}

/**
 * Returns a condition for the ends with this outcome, by the same rule as `outcomeOf`.
 * @param table the name of the rows' table and a dot, for a statement with several tables.
 */
export function endedAs(outcome: Outcome, table = ''): string {
  const [ended, status] = [`${table}ended`, `${table}status`];
  const ends = Object.entries(OUTCOME_OF_END).filter(([, each]) => each === outcome);
  const isEnd = `${ended} IN (${ends.map(([end]) => `'${end}'`).join(', ')})`;
  if (outcome === 'completed') return `${isEnd} AND coalesce(${status}, 0) < ${MIN_FAILED_STATUS}`;
  return outcome === 'failed' ? `${isEnd} OR ${ended} = 'completed' AND ${status} >= ${MIN_FAILED_STATUS}` : isEnd;
}

function holds({ field, text, localKeyIds, sources }: SearchTerm): Conditions {
  if (field === 'secret' && text === ANY_SECRET) return { sql: 'secrets IS NOT NULL', values: [] };
  if (field === 'miss' && text === ANY_MISS) return among('cache_miss_reason', AVOIDABLE_REASONS);
  const inText = `instr(lower(${field === undefined ? ANYWHERE : TEXT_OF_FIELD[field]}), ?) > 0`;
  const ways = [
    { sql: inText, values: [foldCase(text)] },
    ...(findsCallers(field) ? [among('local_key_id', localKeyIds), among('source', sources)] : []),
  ];
  return { sql: `(${ways.map(({ sql }) => sql).join(' OR ')})`, values: ways.flatMap(({ values }) => values) };
}

function among(column: string, values: readonly string[]): { sql: string; values: string[] } {
  return { sql: `coalesce(${column}, '') IN (${values.map(() => '?').join(', ')})`, values: [...values] };
}
