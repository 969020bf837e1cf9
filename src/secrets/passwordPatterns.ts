import type { SecretPattern } from './secretAnchors.ts';

/**
 * Passwords that are assigned to a name, as in files of settings and in code. Only the name shows that a value is a
 * password.
 */

/** The end of the name that the value is assigned to. */
const NAME = '(?:pass(?:word|wd|phrase)|pwd|secret(?:[-_]?key)?)';

const NAMES = 'pass pwd secret';

/** Examples, placeholders, and values that are read from elsewhere. */
const PLACEHOLDER =
  'pass|pwd|secret|change|example|placeholder|dummy|sample|redacted|insert|replace|todo|your|my[-_]|test|demo|foo|xxx|\\*\\*|\\.\\.\\.|1234|abc|env|://|::|=>';
/** What refers to a value, and a path. */
const REFERENCE = '[$%&<{*@!#./~]|\\w{1,20}[:(]|(?:arn|vault|op|ref|projects|none|null|true|false)\\b';

/** A word cannot be distinguished from a name in code. A value has several groups of digits, or digits and a punctuation mark. */
const hasDigits = (set: string): string =>
  `(?=${set}{0,100}[A-Za-z])(?=${set}{0,100}?\\d(?:${set}{0,100}?[A-Za-z]${set}{0,100}?\\d|${set}{0,100}?[!@#$%^&*?+])|${set}{0,100}?[!@#$%^&*?+]${set}{0,100}?\\d)`;

const QUOTED = '[^\\s"\'`\\\\]';
const BARE = '[^\\s"\'`$<>{}()[\\],;|\\\\]';

const value = (set: string): string =>
  `(?!${REFERENCE})(?!${set}{0,100}?(?:${PLACEHOLDER}))${hasDigits(set)}${set}{8,200}`;

/** What tools write in front of a line: its file and number, and the mark of a changed line. */
const MARGIN = '(?:(?:[\\w./@-]{1,200}:)?\\d{1,7}[:|\\t\u2192-][ \\t]{0,4})?[+-]?';

/** The beginning of a line, up to and including the name: `export DB_PASSWORD`, or an entry of a list in YAML. */
const LINE = `(?<=^[ \\t]{0,40}${MARGIN}[ \\t]{0,40}(?:- |export |set |ENV |ARG )?[\\w.-]{0,60})`;

/** An option of a command, or what follows it. */
const WORD_END = '(?=["\'`;&|)\\s]|$)';

export const PASSWORD_PATTERNS: readonly SecretPattern[] = [
  [
    'password',
    NAMES,
    new RegExp(
      `${NAME}["'\`]?\\s{0,20}(?::=|=>|[:=])\\s{0,20}(?<quote>["'\`])(?<secret>${value(QUOTED)})\\k<quote>`,
      'i',
    ),
  ],
  [
    'password',
    NAMES,
    new RegExp(
      `${NAME}${LINE}[ \\t]{0,20}[:=][ \\t]{0,20}(?<secret>${value(BARE)})(?=[ \\t]*(?:#[^\\n]*)?\\r?$)`,
      'im',
    ),
  ],
  // In front of a command, or for a container: only variables are written in capitals and without spaces.
  [
    'password',
    NAMES,
    new RegExp(
      `(?:PASS(?:WORD|WD|PHRASE)|PWD|SECRET(?:_KEY)?)=(?<=(?<![\\w$.-])[A-Z0-9_]{0,80}=)(?<secret>${value(BARE)})${WORD_END}`,
    ),
  ],
  [
    'basicauth',
    'curl',
    new RegExp(
      `\\bcurl\\b[^\\n]{0,200}?[ \\t](?:-u|--user)[ =]["']?[^\\s:"'$]{1,100}:(?<secret>${value(BARE)})${WORD_END}`,
    ),
  ],
];
