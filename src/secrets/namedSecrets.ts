/** Values that the user names as secret: environment variables, and the values in files of settings. */
import type { KnownSecret } from './secretTable.ts';

/** Shorter values also occur elsewhere. */
const MIN_LENGTH = 9;
/** Words, also several of them in a row. */
const WORDS = /^[A-Za-z]+(?:[ ._-][A-Za-z]+)*$/;
const NUMBER = /^[\d.,:+\s-]+$/;
/** An address of this machine, unless it contains a password. */
const LOCAL_ADDRESS = /^(?:\w+:\/\/)?(?:localhost|127(?:\.\d+){3}|0\.0\.0\.0|\[?::1\]?)(?:[:/?][^@]*)?$/i;

/** A number is a secret if its name says so. */
const SECRET_NAME = /pass|pwd|secret|token|key|credential|(?:^|_)pin(?:_|$)/i;

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** Whether a value can be a secret, and not a word, a number, or an address of this machine. */
function isSecret({ name, value }: NamedValue): boolean {
  const isNumber = NUMBER.test(value) && !SECRET_NAME.test(name);
  return value.length >= MIN_LENGTH && !WORDS.test(value) && !isNumber && !LOCAL_ADDRESS.test(value);
}

/** Returns the values that can be secrets, each once. */
export function namedSecrets(values: readonly NamedValue[]): readonly KnownSecret[] {
  return [...new Set(values.filter(isSecret).map(({ value }) => value))].map((value) => ({ value, kind: 'named' }));
}

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gm;
/** The rest of a line without quotes. */
const COMMENT = /\s+#.*$|\s+$/;

/** Returns the values of lines such as `KEY=value`. A value in double quotes has escapes, and may have several lines. */
export function assignedValues(text: string): NamedValue[] {
  return [...text.matchAll(ASSIGNMENT)].flatMap(([, name = '', double, single, back, plain]) => {
    const values =
      double === undefined
        ? [single ?? back ?? (plain ?? '').replace(COMMENT, '')]
        : [double, double.replaceAll('\\n', '\n').replace(/\\(["\\$])/g, '$1')];
    return values.map((value) => ({ name, value }));
  });
}
