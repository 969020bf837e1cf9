import type { SQLInputValue } from 'node:sqlite';
import type { ExchangeFilter, ExchangeRow, Outcome, SearchTerm } from './exchangeQuery.ts';

/** What stands behind `WHERE`, with the values for its question marks. */
export interface Conditions {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

const OUTCOMES: Readonly<Record<Outcome, string>> = {
  completed: "ended = 'completed' AND status < 400",
  failed: "(ended IN ('upstreamFailed', 'lost') OR ended = 'completed' AND status >= 400)",
  refused: "ended IN ('refused', 'budget')",
  stopped: "ended IN ('clientLeft', 'cancelled')",
};

const COLUMNS: Readonly<Record<NonNullable<SearchTerm['field']>, string>> = {
  tool: "coalesce(client, '')",
  model: "coalesce(model, '')",
  upstream: "coalesce(upstream, '')",
  endpoint: "coalesce(endpoint, '')",
  status: "coalesce(status, '')",
};
const ANYWHERE = `${Object.values(COLUMNS).join(" || ' ' || ")} || ' ' || id`;

interface Place {
  readonly before?: Pick<ExchangeRow, 'at' | 'number'>;
  readonly after?: number;
}

export function whereOf(filter: ExchangeFilter, { before, after }: Place = {}): Conditions {
  const { model, client, localKeyId, source, conversationId, outcome, terms = [], from, to } = filter;
  const conditions = [
    equals('model', model),
    equals('client', client),
    equals('local_key_id', localKeyId),
    equals('source', source),
    equals('conversation_id', conversationId),
    outcome && { sql: OUTCOMES[outcome], values: [] },
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
  return value === undefined ? undefined : { sql: `${column} = ?`, values: [value] };
}

function holds({ field, text, localKeyIds, sources }: SearchTerm): Conditions {
  const inText = `instr(lower(${field === undefined ? ANYWHERE : COLUMNS[field]}), ?) > 0`;
  const isTool = field === undefined || field === 'tool';
  const ways = [
    { sql: inText, values: [text.toLowerCase()] },
    ...(isTool ? [among('local_key_id', localKeyIds), among('source', sources)] : []),
  ];
  return { sql: `(${ways.map(({ sql }) => sql).join(' OR ')})`, values: ways.flatMap(({ values }) => values) };
}

function among(column: string, values: readonly string[]): { sql: string; values: string[] } {
  return { sql: `coalesce(${column}, '') IN (${values.map(() => '?').join(', ')})`, values: [...values] };
}
