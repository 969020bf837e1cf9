import { isRecord } from '../../formats/json.ts';

/** The command line is invalid. The message is one line for the user who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Returns the error for arguments that Node's parser refuses, in one sentence.
 * @param help how to see the options.
 */
export function argumentError(error: unknown, help: string): UsageError {
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
