/** The `context` command: what fills the context of sessions, and what each part has cost. */

import { formatSum } from '../../../../../src/display/money.ts';
import { formatTokensExact } from '../../../../../src/display/tokens.ts';
import { defined } from '../../../../../src/formats/json.ts';
import type { ContextFindingKind } from '../../../../../src/ledger/contextFindings.ts';
import type { ContextReport } from '../../../../../src/ledger/contextReport.ts';
import { LedgerReader } from '../../../../../src/ledger/ledgerReader.ts';
import { FLAG, readArguments, textOptions, UsageError } from '../arguments.ts';
import { readDatabaseAddress } from '../database.ts';

const HELP = `Prints what fills the context of sessions, and what each part has cost.

Usage: model-access-gateway context [SESSION] [options]

Without SESSION, all recorded sessions are added up.

  --ledger FILE          the SQLite file of a gateway with --ledger
  --database URL         postgres://user:password@host/database (default:
                         DATABASE_URL)
  --key NAME             only sessions of this key; with a database
  --json                 print JSON
`;
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
/** Further parts share a line, so that hundreds of tools do not hide the sums. `--json` has them all. */
const MAX_ROWS = 30;

/**
 * Runs the command.
 * @returns the text to print.
 * @throws {UsageError} @throws {LedgerError} @throws {DatabaseError}
 */
export async function runContextCommand(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const { values, positionals } = parse(args);
  const [, session, ...rest] = positionals;
  if (values.help) return HELP;
  if (rest.length > 0) throw new UsageError(`${rest.join(' ')} is unexpected. Name one session. See context --help.`);
  const report = await read(values, session, environment);
  if (session !== undefined && report.requests === 0) {
    throw new UsageError(`No measured request of the session ${session} is recorded.`);
  }
  return values.json ? JSON.stringify(report) : contextText(report);
}

async function read(
  { ledger, database, key }: ReturnType<typeof parse>['values'],
  session: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<ContextReport> {
  if (ledger !== undefined) {
    if (database !== undefined || key !== undefined) throw new UsageError('--ledger is a file without other options.');
    const reader = new LedgerReader(ledger);
    try {
      return reader.contextReport(session);
    } finally {
      reader.close();
    }
  }
  const address = readDatabaseAddress(database, environment);
  if (address === undefined) throw new UsageError('Name the ledger with --ledger, --database, or DATABASE_URL.');
  const [{ withDatabase }, { reportContext }] = await Promise.all([
    import('../withDatabase.ts'),
    import('../../postgres/admin/contextReport.ts'),
  ]);
  return withDatabase(address, (connection) => reportContext(connection, defined({ session, key })));
}

function parse(args: readonly string[]) {
  return readArguments(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        ...textOptions('ledger', 'database', 'key'),
        json: FLAG,
        help: FLAG,
      },
    },
    'See context --help.',
  );
}

type Row = readonly string[];

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
