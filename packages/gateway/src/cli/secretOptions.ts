/** Reads keys from options. None of them has to be on the command line, where every user of the machine can read it. */

import { readFileSync, statSync } from 'node:fs';
import { errorText } from '../../../../src/display/errors.ts';
import { UsageError } from './arguments.ts';

export interface SecretOption {
  /** Name of the option, such as `--key`. The related options end with `-file` and `-env`. */
  readonly name: string;
  readonly value?: string | undefined;
  readonly file?: string | undefined;
  readonly env?: string | undefined;
}

export interface GivenSecret {
  /** Undefined if none of the options was given. */
  readonly secret?: string;
  readonly warnings: readonly string[];
}

const OTHERS = 0o077;

/**
 * Reads the key that one of the options names.
 * @throws {UsageError} if several options are given, or if the option names nothing.
 */
export function readSecretOption(option: SecretOption, environment: NodeJS.ProcessEnv): GivenSecret {
  const { name, value, file, env } = option;
  if ([value, file, env].filter((given) => given !== undefined).length > 1) {
    throw new UsageError(`Use only one of ${name}, ${name}-file, and ${name}-env.`);
  }
  if (file !== undefined) return readFile(`${name}-file`, file);
  if (env !== undefined) return { secret: readVariable(`${name}-env`, env, environment), warnings: [] };
  if (value === undefined) return { warnings: [] };
  const warning = `Other users of this machine can read ${name} in the process list. Use ${name}-file or ${name}-env.`;
  return { secret: value, warnings: [warning] };
}

function readVariable(option: string, name: string, environment: NodeJS.ProcessEnv): string {
  const secret = environment[name];
  if (!secret) throw new UsageError(`${option} names ${name}, which is not set.`);
  return secret;
}

function readFile(option: string, path: string): GivenSecret {
  const secret = textOf(option, path).trim();
  if (secret === '') throw new UsageError(`${option} names ${path}, which is empty.`);
  const isOpen = process.platform !== 'win32' && (statSync(path).mode & OTHERS) !== 0;
  return { secret, warnings: isOpen ? [`Other users of this machine can read ${path}. Run: chmod 600 ${path}`] : [] };
}

function textOf(option: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${option} cannot be read: ${errorText(error)}`);
  }
}
