import type { ExchangeFilter, SearchTerm } from '../../gateway/ledger/exchangeQuery.ts';
import type { TrafficRow } from './protocol.ts';

/** Whether a row that is not in the ledger yet belongs to the list, by the rules of the ledger. */
export function isMatch(filter: ExchangeFilter, row: TrafficRow): boolean {
  const { from = 0, to = Number.POSITIVE_INFINITY, terms = [] } = filter;
  const names = ['model', 'client', 'localKeyId', 'source', 'conversationId'] as const;
  return (
    filter.outcome === undefined &&
    row.at >= from &&
    row.at < to &&
    names.every((name) => filter[name] === undefined || filter[name] === row[name]) &&
    terms.every((term) => holds(term, row))
  );
}

function holds({ field, text, localKeyIds, sources }: SearchTerm, row: TrafficRow): boolean {
  const texts = {
    tool: row.client ?? '',
    model: row.model ?? '',
    upstream: row.upstream ?? '',
    endpoint: row.endpoint ?? '',
    status: String(row.status ?? ''),
  };
  const searched = field === undefined ? [...Object.values(texts), row.id].join(' ') : texts[field];
  if (searched.toLowerCase().includes(text)) return true;
  if (field !== undefined && field !== 'tool') return false;
  return (row.localKeyId !== undefined && localKeyIds.includes(row.localKeyId)) || sources.includes(row.source);
}
