import { type ParseArgsConfig, parseArgs } from 'node:util';
import { isRecord } from '../../../../src/formats/json.ts';

/** The command line is invalid. The message is one line for the user who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads arguments with Node's parser.
 * @param help how to see the options.
 * @throws {UsageError} in one sentence, if an option is unknown or has no value.
 */
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

export function textOptions<const Name extends string>(...names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, { type: 'string' }])) as Record<Name, { type: 'string' }>;
}

const LIST = { type: 'string', multiple: true, default: [] as string[] } as const;
export const FLAG = { type: 'boolean', default: false } as const;

export type Arguments = ReturnType<typeof parseArguments>;

/** @throws {UsageError} if an option is unknown or has no value. */
export function parseArguments(args: readonly string[]) {
  return readArguments(
    {
      args: [...args],
      options: {
        ...textOptions(
          'port',
          'listen',
          'drain',
          'upstream',
          'config',
          'key',
          'key-file',
          'key-env',
          'service-key-file',
        ),
        ...textOptions('service-key-env', 'ledger', 'database', 'spool', 'admin-key-file', 'admin-key-env'),
        ...textOptions('when-database-is-away', 'metrics-key-env', 'request-memory', 'secrets', 'delay', 'credit'),
        'allow-host': LIST,
        'trusted-proxy': LIST,
        'allow-origin': LIST,
        'allow-plain-http': FLAG,
        metrics: FLAG,
        'detect-secrets': FLAG,
        help: FLAG,
        version: FLAG,
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
