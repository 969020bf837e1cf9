/**
 * Reads the YAML at the beginning of a Markdown file: of prompts, instructions, skills, and agents. The parser makes this
 * file large, so it is loaded when such a file is read.
 */
import * as l10n from '@vscode/l10n';
import { parseDocument } from 'yaml';
import { errorText } from '../../display/errors.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';

/** What is wrong in a file, for the editor's list of problems. */
export interface FileProblem {
  /** The number of the line, from 1. */
  readonly line: number;
  readonly message: string;
  /** An error if the file is not used; a warning if part of it is ignored. */
  readonly severity: 'error' | 'warning';
}

export interface FrontMatter {
  readonly values: JsonRecord;
  /** The text after the front matter. */
  readonly body: string;
  readonly problems: readonly FileProblem[];
  /** The number of the line on which a value begins; 1 if there is none. */
  lineOf(name: string): number;
}

const FRONT_MATTER = /^---[ \t]*\n(?:([\s\S]*?)\n)?---[ \t]*(?:\n|$)/;
/** A name or the mark of an item, and the value after it that YAML may not read, such as `*.ts` or `Use it when: …`. */
const PLAIN_LINE = /^([A-Za-z][\w-]*:[ \t]+|[ \t]*-[ \t]+)([^\s"'|>#].*?)[ \t]*$/;

/** Longer front matter is not read: each name is compared with all others. */
const MAX_LENGTH = 32 * 1024;

export function readFrontMatter(source: string): FrontMatter {
  const text = source.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const front = FRONT_MATTER.exec(text);
  const lines = (front?.[1] ?? '').split('\n');
  const { values, problems } = front === null ? NOTHING : valuesIn(lines);
  return {
    values,
    problems: isUnclosed(text, front) ? [unclosed()] : problems,
    body: text.slice(front?.[0].length ?? 0).trim(),
    lineOf: (name) => lines.findIndex((line) => line.startsWith(`${name}:`)) + (front === null ? 1 : 2) || 1,
  };
}

type Values = Pick<FrontMatter, 'values' | 'problems'>;

const NOTHING: Values = { values: {}, problems: [] };

function valuesIn(lines: readonly string[]): Values {
  if (lines.join('\n').length > MAX_LENGTH) return invalid(2, `It is longer than ${MAX_LENGTH} characters`);
  const strict = parsed(lines);
  if (strict.problems.length === 0) return strict;
  // Other tools read a value up to the end of its line, so most files with such a value work elsewhere.
  const tolerant = parsed(lines.map(quoted));
  return tolerant.problems.length === 0 ? tolerant : strict;
}

function parsed(lines: readonly string[]): Values {
  const document = parseDocument(lines.join('\n'), { logLevel: 'silent', merge: true });
  const [error] = document.errors;
  if (error !== undefined) return invalid((error.linePos?.[0].line ?? 1) + 1, error.message);
  try {
    const value: unknown = document.toJS() ?? {};
    if (isRecord(value)) return { values: value, problems: [] };
  } catch (unresolved) {
    // A reference to nothing, or too many of them.
    return invalid(2, errorText(unresolved));
  }
  const message = l10n.t('The front matter must consist of names with values, such as “description: …”.');
  return { values: {}, problems: [{ line: 2, message, severity: 'error' }] };
}

function invalid(line: number, written: string): Values {
  const [reason = ''] = written.split(/ at line \d+|\n/, 1);
  const message = l10n.t('The front matter is not valid YAML: {0}', reason);
  return { values: {}, problems: [{ line, message, severity: 'error' }] };
}

/** Quotes the value of a line that is not YAML by itself. The first line of a longer list is left as it is. */
function quoted(line: string): string {
  const [, start = '', value = ''] = PLAIN_LINE.exec(line) ?? [];
  const isOpen = /^[[{]/.test(value) && !/[\]}]$/.test(value);
  const isRead = value === '' || isOpen || parsed(['value:', line]).problems.length === 0;
  return isRead ? line : `${start}${JSON.stringify(value)}`;
}

/** Whether front matter begins, but does not end. A rule at the beginning of a text is followed by no name. */
function isUnclosed(text: string, front: RegExpExecArray | null): boolean {
  return front === null && /^---[ \t]*\n[A-Za-z][\w-]*:/.test(text);
}

function unclosed(): FileProblem {
  return { line: 1, message: l10n.t('The front matter does not end with “---”.'), severity: 'error' };
}

/** A text, or undefined for another type of value. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A list that may be written as one text with commas; undefined if there is none. */
export function listOf(value: unknown): readonly string[] | undefined {
  if (Array.isArray(value)) return value.flatMap((item) => textOf(item) ?? []);
  return typeof value === 'string' ? splitAtCommas(value) : undefined;
}

/** Splits at commas that are in no braces, brackets, or parentheses. */
function splitAtCommas(text: string): readonly string[] {
  const parts = text.match(/(?:\{[^{}]*\}|\[[^[\]]*\]|\([^()]*\)|[^,])+/g) ?? [];
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
