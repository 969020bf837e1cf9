/** The `context` command: what fills the context of sessions, and what each part has cost. */
import type { ContextReport } from '../../../../../src/ledger/contextReport.ts';
import { LedgerReader } from '../../../../../src/ledger/ledgerReader.ts';
import { readArguments, UsageError } from '../arguments.ts';
import { readDatabaseAddress } from '../database.ts';
import { contextText } from './contextText.ts';

const HELP = `Prints what fills the context of sessions, and what each part has cost.

Usage: model-access-gateway context [SESSION] [options]

Without SESSION, all recorded sessions are added up.

  --ledger FILE          the SQLite file of a gateway with --ledger
  --database URL         postgres://user:password@host/database (default:
                         DATABASE_URL)
  --key NAME             only sessions of this key; with a database
  --json                 print JSON
`;

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
  const { reportFromDatabase } = await import('./databaseContext.ts');
  return reportFromDatabase(address, { ...(session !== undefined && { session }), ...(key !== undefined && { key }) });
}

function parse(args: readonly string[]) {
  return readArguments(
    {
      args: [...args],
      allowPositionals: true,
      options: {
        ledger: { type: 'string' },
        database: { type: 'string' },
        key: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    },
    'See context --help.',
  );
}
