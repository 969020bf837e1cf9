import { type ParseArgsConfig, parseArgs } from 'node:util';
import { isRecord } from '../../../../src/formats/json.ts';

/** The command line is invalid. The message is one line for the user who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads arguments with Node's parser. @throws {UsageError} with `help`, which says how to see the options. */
export function readArguments<const Config extends ParseArgsConfig>(
  config: Config,
  help: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw argumentError(error, help);
  }
}

function argumentError(error: unknown, help: string): UsageError {
  const { code, message } = isRecord(error) ? error : {};
  const [, named = ''] = /'(.*?)(?: <value>)?'/s.exec(String(message)) ?? [];
  return new UsageError(`${describeCode(code, named, String(message))} ${help}`);
}

function describeCode(code: unknown, named: string, message: string): string {
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${named}.`;
  if (code === 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL') return `There is no option ${named}; options begin with --.`;
  if (message.includes('does not take')) return `${named} takes no value.`;
  return `${named} takes a value. Write one that begins with a dash as ${named}=VALUE.`;
}

export type Arguments = ReturnType<typeof parseArguments>;

/** @throws {UsageError} if an option is unknown or has no value. */
export function parseArguments(args: readonly string[]) {
  return readArguments(
    {
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
        secrets: { type: 'string' },
        delay: { type: 'string' },
        credit: { type: 'string' },
        help: { type: 'boolean', default: false },
        version: { type: 'boolean', default: false },
      },
    },
    'See --help.',
  ).values;
}

/** @throws {UsageError} */
export function readNumber(name: string, text: string | undefined, max: number, min = 0): number | undefined {
  if (text === undefined) return undefined;
  const number = text.trim() === '' ? Number.NaN : Number(text);
  if (!(number >= min && number <= max)) throw new UsageError(`${name} must be a number from ${min} to ${max}.`);
  return number;
}
