/**
 * Splits a message for display. It is not rendered as Markdown, because that would change pasted text, but code looks
 * like code.
 */
export type UserTextPart =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string; readonly info: string };

const FENCE = /^(`{3,}|~{3,})([^\n`]*)\n([\s\S]*?)(?:\n\1[ \t]*(?:\n|$)|$(?![\s\S]))/gm;
const SPAN = /`([^`\n]+)`/g;

/** Longer messages are collapsed. In lines. */
const FOLDED_LINES = 16;

export function userParts(source: string): readonly UserTextPart[] {
  const parts: UserTextPart[] = [];
  let end = 0;
  for (const match of source.matchAll(FENCE)) {
    parts.push(...spans(source.slice(end, match.index).replace(/\n$/, '')));
    parts.push({ kind: 'block', info: (match[2] ?? '').trim(), text: match[3] ?? '' });
    end = match.index + match[0].length;
  }
  return [...parts, ...spans(source.slice(end))];
}

function spans(source: string): UserTextPart[] {
  const parts: UserTextPart[] = [];
  let end = 0;
  for (const match of source.matchAll(SPAN)) {
    if (match.index > end) parts.push({ kind: 'text', text: source.slice(end, match.index) });
    parts.push({ kind: 'code', text: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < source.length) parts.push({ kind: 'text', text: source.slice(end) });
  return parts;
}

export function isLong(source: string): boolean {
  return source.split('\n', FOLDED_LINES + 3).length > FOLDED_LINES + 2 || source.length > 2400;
}
