/** Values that the file of `--config` names as secret. */
import { globSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { errorText } from '../../../../src/display/errors.ts';
import { assignedValues, namedSecrets } from '../../../../src/secrets/namedSecrets.ts';
import type { KnownSecret } from '../../../../src/secrets/secretTable.ts';
import { UsageError } from './arguments.ts';

export const secretValuesEntry = z.strictObject({
  /** Names of environment variables. */
  environment: z._default(z.array(z.string().check(z.minLength(1))), []),
  /** Patterns of files with lines such as `KEY=value`. */
  files: z._default(z.array(z.string().check(z.minLength(1))), []),
});

/** @throws {UsageError} if a file cannot be read. */
export function readSecretValues(
  { environment: names, files }: z.infer<typeof secretValuesEntry>,
  environment: NodeJS.ProcessEnv,
): readonly KnownSecret[] {
  const ofFiles = globSync(files).flatMap((file) => assignedValues(readText(file)));
  return namedSecrets([...names.map((name) => ({ name, value: environment[name] ?? '' })), ...ofFiles]);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`Could not read the secrets in ${file}: ${errorText(error)}`);
  }
}
