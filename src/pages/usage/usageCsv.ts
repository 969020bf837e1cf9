import { csvText } from '../../display/csvText.ts';
import type { ContextLine } from '../../ledger/contextSums.ts';
import type { UsageLine } from '../../ledger/usage.ts';

export interface UsageNames {
  readonly keyNames: Readonly<Record<string, string>>;
  readonly conversationTitles: Readonly<Record<string, string>>;
}

type Cell<Line> = (line: Line, names: UsageNames) => string | number;
type Columns<Line> = Readonly<Record<string, Cell<Line>>>;

const COLUMNS: Columns<UsageLine> = {
  day: ({ day }) => day,
  source: ({ source }) => source,
  local_key: ({ localKeyId }, { keyNames }) => keyNames[localKeyId] ?? localKeyId,
  client: ({ client }) => client,
  model: ({ model }) => model,
  upstream: ({ upstream }) => upstream,
  conversation: ({ conversationId }, { conversationTitles }) => conversationTitles[conversationId] ?? conversationId,
  exchanges: ({ exchanges }) => exchanges,
  failed: ({ failed }) => failed,
  input_tokens: ({ inputTokens }) => inputTokens,
  cached_input_tokens: ({ cachedInputTokens }) => cachedInputTokens,
  output_tokens: ({ outputTokens }) => outputTokens,
  reasoning_tokens: ({ reasoningTokens }) => reasoningTokens,
  estimated_exchanges: ({ estimated }) => estimated,
  cost_usd: ({ cost, exchanges, unpriced }) => (unpriced > 0 && unpriced === exchanges ? '' : cost),
  unpriced_exchanges: ({ unpriced }) => unpriced,
};

const CONTEXT_COLUMNS: Columns<ContextLine> = {
  client: ({ client }) => client,
  kind: ({ kind }) => kind,
  server: ({ server }) => server,
  name: ({ name }) => name,
  input_tokens: ({ tokens }) => tokens,
  exchanges: ({ requests }) => requests,
  calls: ({ calls }) => calls,
  cost_usd: ({ cost }) => cost,
};

/** A table with a header row, as defined in RFC 4180. The cost is empty if no price is known. */
export function usageCsv(lines: readonly UsageLine[], names: UsageNames): string {
  return tableOf(COLUMNS, lines, names);
}

/** The same for what filled contexts. */
export function contextCsv(lines: readonly ContextLine[]): string {
  return tableOf(CONTEXT_COLUMNS, lines, { keyNames: {}, conversationTitles: {} });
}

function tableOf<Line>(columns: Columns<Line>, lines: readonly Line[], names: UsageNames): string {
  const rows = lines.map((line) => Object.values(columns).map((cell) => quoted(cell(line, names))));
  return [Object.keys(columns), ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}

function quoted(value: string | number): string {
  return typeof value === 'number' ? plain(value) : csvText(value);
}

/** Formats a number without scientific notation, with at most nine decimals. */
function plain(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(9).replace(/0+$/, '');
}
