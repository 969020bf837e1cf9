import { isBlank } from '../review/lines.ts';
import { hasNewMarkers } from './marks.ts';
import { type Patched, patch } from './patch.ts';
import { propose } from './proposal.ts';
import { parseSearchReplace } from './searchReplace.ts';
import { type FileDiff, parseDiff } from './unifiedDiff.ts';

/** A comment with a path alone, whose folders may have spaces after the first one. */
const FIRST_LINE =
  /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?((?:[^\s*\\/]*[\\/](?:[^*\\/]+[\\/])*)?[^\s*\\/]+\.\w{1,12})\s*(?:\*\/|-->)?\s*$/i;

/** What an answer suggests for a file: code, or a diff. */
export type SuggestedChange =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'diff'; readonly diff: FileDiff };

/**
 * Reads what a code block suggests, each for one file.
 * @param language The language as the answer names it. A block that is called a diff may lack all headings.
 */
export function suggestionsIn(code: string, language: string): readonly SuggestedChange[] {
  const diffs = parseSearchReplace(code) ?? parseDiff(code, language === 'diff' || language === 'patch');
  return diffs?.map((diff) => ({ kind: 'diff', diff })) ?? filesIn(code).map((part) => ({ kind: 'code', code: part }));
}

/** A block may contain several files, each after a comment with its path. */
function filesIn(code: string): readonly string[] {
  const lines = code.split(/\r?\n/);
  const begins = (index: number) => index === 0 || (/^\S/.test(lines[index] ?? '') && isBlank(lines[index - 1] ?? ''));
  const starts = lines.flatMap((line, index) => (FIRST_LINE.test(line) && begins(index) ? [index] : []));
  if (starts.length < 2 || lines.slice(0, starts[0]).some((line) => line.trim() !== '')) return [code];
  return starts.map((start, index) =>
    lines
      .slice(start, starts[index + 1])
      .join('\n')
      .trimEnd(),
  );
}

/**
 * Whether an answer that did not end by itself ends within this code, so that the rest of the code is missing. Lists indent
 * code, so that spaces may differ.
 */
export function isCutOff({ text, status }: { readonly text: string; readonly status: string }, code: string): boolean {
  return status !== 'complete' && withoutSpaces(text).endsWith(withoutSpaces(code));
}

export function withoutSpaces(text: string): string {
  return text.replaceAll(/\s+/g, '');
}

/**
 * Returns undefined if no part of the suggestion is found in the text, or if it contains markers of an edit that could not
 * be read, which never belong into a file.
 * @param path The file's path, which tells its language.
 */
export function suggestedText(text: string, suggestion: SuggestedChange, path?: string): Patched | undefined {
  const patched = placedText(text, suggestion, path);
  return patched === undefined || hasNewMarkers(text, patched.text) ? undefined : patched;
}

function placedText(text: string, suggestion: SuggestedChange, path: string | undefined): Patched | undefined {
  if (suggestion.kind === 'diff') {
    const { hunks } = suggestion.diff;
    const patched = patch(text, hunks);
    return hunks.length > 0 && patched.rejectedHunks.length === hunks.length ? undefined : patched;
  }
  const proposed = propose(text, withoutPath(suggestion.code, text, path), path);
  return proposed === undefined ? undefined : { text: proposed, rejectedHunks: [] };
}

/** A comment that tells which file is meant is no part of its text, unless the file has it. */
export function withoutPath(code: string, text: string, path: string | undefined): string {
  const [named] = pathInComment(code);
  const end = code.indexOf('\n') + 1;
  const isMeant = named !== undefined && path?.endsWith(named.replaceAll('\\', '/').replace(/^[./]+/, '')) === true;
  return isMeant && end > 0 && !text.includes(code.slice(0, end).trim()) ? code.slice(end) : code;
}

/** The whole content of a file that does not exist yet. */
export function newText(suggestion: SuggestedChange): string {
  if (suggestion.kind === 'code') return suggestion.code;
  const lines = suggestion.diff.hunks.flatMap(({ lines: all }) => all.filter(({ kind }) => kind !== 'removed'));
  return lines.map(({ text }) => text).join('\n');
}

/** Returns the path in a comment on the code's first line, as in `// src/session.ts`. */
export function pathInComment(code: string): readonly string[] {
  const path = FIRST_LINE.exec(code.split('\n', 1)[0] ?? '')?.[1];
  return path === undefined ? [] : [path];
}
