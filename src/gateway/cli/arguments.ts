/** Parses the command line without interpreting the values. */
import { parseArgs } from 'node:util';
import { argumentError, UsageError } from './usageError.ts';

export type Arguments = ReturnType<typeof parseArguments>;

/** @throws {UsageError} if an option is unknown or has no value. */
export function parseArguments(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string' },
        listen: { type: 'string' },
        'allow-host': { type: 'string', multiple: true, default: [] },
        'trusted-proxy': { type: 'string', multiple: true, default: [] },
        drain: { type: 'string' },
        upstream: { type: 'string' },
        config: { type: 'string' },
        key: { type: 'string' },
        'key-file': { type: 'string' },
        'key-env': { type: 'string' },
        'service-key-file': { type: 'string' },
        'service-key-env': { type: 'string' },
        'allow-plain-http': { type: 'boolean', default: false },
        'allow-origin': { type: 'string', multiple: true, default: [] },
        ledger: { type: 'string' },
        database: { type: 'string' },
        spool: { type: 'string' },
        'admin-key-file': { type: 'string' },
        'admin-key-env': { type: 'string' },
        'when-database-is-away': { type: 'string' },
        metrics: { type: 'boolean', default: false },
        'metrics-key-env': { type: 'string' },
        'request-memory': { type: 'string' },
        'detect-secrets': { type: 'boolean', default: false },
        delay: { type: 'string' },
        credit: { type: 'string' },
        help: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    });
    return values;
  } catch (error) {
    throw argumentError(error, 'See --help.');
  }
}

/** @throws {UsageError} */
export function readNumber(name: string, text: string | undefined, max: number, min = 0): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= min && number <= max)) throw new UsageError(`${name} must be a number from ${min} to ${max}.`);
  return number;
}
