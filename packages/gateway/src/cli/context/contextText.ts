import { formatSum } from '../../../../../src/display/money.ts';
import { formatTokensExact } from '../../../../../src/display/tokens.ts';
import type { ContextFindingKind } from '../../../../../src/ledger/contextFindings.ts';
import type { ContextReport } from '../../../../../src/ledger/contextReport.ts';

const FINDINGS: Readonly<Record<ContextFindingKind, (name: string) => string>> = {
  unused_server: (name) => `Tools of the server ${name} were defined and never called`,
  unused_tool: (name) => `The tool ${name} was defined and never called`,
  repeated_result: (name) => `A result of ${name} was in the context twice or more`,
  repeated_instructions: (name) => `The instructions in ${name} were in the context twice or more`,
  unused_result: (name) => `A large result of ${name} was carried on, and no answer or call mentions it`,
  carried_image: () => 'An image was carried on',
  tools_changed: (name) => `The definitions of ${name === '' ? 'tools' : name} changed, so that the cache missed`,
  compaction_cost: () => 'A compaction wrote the context to the cache again',
  compaction_saved: () => 'A compaction saved what later requests did not carry',
};

type Row = readonly string[];

/** Further parts share a line, so that hundreds of tools do not hide the sums. `--json` has them all. */
const MAX_ROWS = 30;

/** Formats a report as a table, with the findings below it. */
export function contextText({ session, requests, parts, findings, ...input }: ContextReport): string {
  if (requests === 0) return 'No measured requests are recorded.';
  const scope = session === null ? 'All sessions' : `Session ${session}`;
  const sums = `${formatTokensExact(input.input_tokens)} input tokens, ${formatSum(input.input_cost)}`;
  const table = aligned([['part', 'tokens', 'requests', 'calls', 'cost'], ...rowsOf(parts)]);
  const facts = findings.map(({ kind, name, cost, requests: carried }) => {
    const count = carried === 1 ? '1 request' : `${formatTokensExact(carried)} requests`;
    return `${formatSum(cost).padStart(10)}  ${FINDINGS[kind](name)} (${count}).`;
  });
  return [
    `${scope}: ${formatTokensExact(requests)} requests, ${sums}`,
    '',
    ...table,
    ...(facts.length > 0 ? [''] : []),
    ...facts,
  ].join('\n');
}

function rowsOf(parts: ContextReport['parts']): readonly Row[] {
  const shown = parts.length > MAX_ROWS ? parts.slice(0, MAX_ROWS - 1) : parts;
  const rows = shown.map(({ kind, name, server, ...part }): Row => {
    const label = [kind, server ?? '', name ?? ''].filter((text) => text !== '').join('  ');
    return [label, ...[part.tokens, part.requests, part.calls].map(formatTokensExact), formatSum(part.cost)];
  });
  const rest = parts.slice(shown.length);
  if (rest.length === 0) return rows;
  const [tokens, cost] = rest.reduce(([all, sum], part) => [all + part.tokens, sum + part.cost], [0, 0]);
  return [...rows, [`${rest.length} further parts`, formatTokensExact(tokens), '', '', formatSum(cost)]];
}

function aligned(rows: readonly Row[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
}
