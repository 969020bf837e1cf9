import { type Patched, patch } from './patch.ts';
import { propose } from './proposal.ts';
import type { FileDiff } from './unifiedDiff.ts';

const FIRST_LINE = /^\s*(?:\/\/|#|--|;|\/\*|<!--)\s*(?:file(?:name)?:\s*)?([^\s*]+\.\w{1,12})\s*(?:\*\/|-->)?\s*$/i;

/** What an answer suggests for a file: code, or a diff. */
export type SuggestedChange =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'diff'; readonly diff: FileDiff };

/** Returns undefined if no part of the suggestion is found in the text. */
export function suggestedText(text: string, suggestion: SuggestedChange): Patched | undefined {
  if (suggestion.kind === 'diff') {
    const { hunks } = suggestion.diff;
    const patched = patch(text, hunks);
    return patched.rejectedHunks.length === hunks.length ? undefined : patched;
  }
  const proposed = propose(text, suggestion.code);
  return proposed === undefined ? undefined : { text: proposed, rejectedHunks: [] };
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
