/** Values that the user names as secret: environment variables, and the values in files of settings. */
import type { KnownSecret } from './secretTable.ts';

/** Shorter values also occur elsewhere. */
const MIN_LENGTH = 9;
/** Words, also several of them in a row. */
const WORDS = /^[A-Za-z]+(?:[ ._-][A-Za-z]+)*$/;
const NUMBER = /^[\d.,:+\s-]+$/;
/** An address of this machine, unless it contains a password. */
const LOCAL_ADDRESS = /^(?:\w+:\/\/)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?)(?:[:/?][^@]*)?$/i;

/** Whether a value can be a secret, and not a word, a number, or an address of this machine. */
function isSecret(value: string): boolean {
  return value.length >= MIN_LENGTH && !WORDS.test(value) && !NUMBER.test(value) && !LOCAL_ADDRESS.test(value);
}

/** Returns the values that can be secrets, each once. */
export function namedSecrets(values: Iterable<string>): readonly KnownSecret[] {
  return [...new Set(values)].filter(isSecret).map((value) => ({ value, kind: 'named' }));
}

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gm;
/** The rest of a line without quotes. */
const COMMENT = /\s+#.*$|\s+$/;

/** Returns the values of lines such as `KEY=value`. A value in double quotes has escapes, and may have several lines. */
export function assignedValues(text: string): string[] {
  return [...text.matchAll(ASSIGNMENT)].flatMap(([, double, single, back, plain]) => {
    if (double !== undefined) return [double, double.replaceAll('\\n', '\n').replace(/\\(["\\$])/g, '$1')];
    return [single ?? back ?? (plain ?? '').replace(COMMENT, '')];
  });
}
