/** Finds the secret itself in what a rule has matched. */

/** A part of a text that a rule has matched, often with the name that a secret is assigned to. */
export interface RuleMatch {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** A secret in a text. Its kind is that of the rule. */
export type LocatedSecret = RuleMatch;

/** The password in an address. */
const ADDRESS = /:\/\/[^\s:@/"'`]{0,256}:(?<secret>[^\s@/"'`]{1,256})@/;
/** The last part of an address that is a secret as a whole. */
const LAST_PART = /^https?:\/\/.*\/(?<secret>[\w-]{12,})$/;
/** A token, after what it is assigned to. */
const TOKEN = /(?:^|[=:\s"'`])(?<secret>[\w.~+/=-]{12,})["'`;,\s]*$/;
/** What may continue a token that a rule has matched only up to its own length. */
const CONTINUED = /[\w-]*/y;
/** The lines of a private key whose end is missing. The last one may be cut. */
const KEY_LINES =
  /(?:(?:\\[rn]|[\s>|])*(?:[A-Za-z-]{3,20}: ?[^\n\\]{1,80}(?=\\n|\n)|[A-Za-z0-9+/]{16,}={0,2}))+(?:(?:\\[rn]|[\s>|])+[A-Za-z0-9+/]{1,15}(?="|$))?/y;
const KEY_FRAME = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----$/;
const AROUND_KEY = /^(?:\\[rn]|[\s>|])+|(?:\\[rn]|[\s>|])+$/g;

/** Returns the secrets in the matches of one of secretlint's rules. */
export function locateMatches(text: string, matches: readonly RuleMatch[]): LocatedSecret[] {
  const found: LocatedSecret[] = [];
  for (const match of matches) if (!isWithin(match.start, match.end, found)) found.push(locateMatch(text, match));
  return found;
}

/** A long word can have thousands of matches, and the first of them continues to its end. */
function isWithin(start: number, end: number, found: readonly LocatedSecret[]): boolean {
  const last = found.at(-1);
  return last !== undefined && start >= last.start && end <= last.end;
}

function locateMatch(text: string, match: RuleMatch): LocatedSecret {
  const { kind, start, end } = match;
  const matched = text.slice(start, end);
  const inner = (ADDRESS.exec(matched) ?? LAST_PART.exec(matched) ?? TOKEN.exec(matched))?.groups?.secret;
  if (inner === undefined) return match;
  const at = start + matched.lastIndexOf(inner);
  return { kind, start: at, end: continuedTo(text, at + inner.length, inner) };
}

export function locatePattern(text: string, kind: string, pattern: RegExp): LocatedSecret[] {
  if (!pattern.test(text)) return [];
  const found: LocatedSecret[] = [];
  for (const match of text.matchAll(new RegExp(pattern.source, `${pattern.flags}dg`))) {
    if (isWithin(match.index, match.index + match[0].length, found)) continue;
    const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length];
    const located =
      kind === 'privatekey'
        ? locateKey(text, start, end, match[0].includes('BEGIN') ? MIN_KEY : MIN_REST)
        : withoutName(text, start, end, match[0]);
    if (located !== undefined) found.push({ kind, ...located });
  }
  return found;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A pattern without a group matches the secret and nothing else, perhaps cut off. */
function withoutName(text: string, start: number, end: number, match: string): Span {
  return { start, end: end - start === match.length ? continuedTo(text, end, match) : end };
}

function continuedTo(text: string, end: number, token: string): number {
  if (!/[\w-]$/.test(token)) return end;
  CONTINUED.lastIndex = end;
  return end + (CONTINUED.exec(text)?.[0].length ?? 0);
}

/** Returns the lines between the frames of a private key, which are no secret. */
function locateKey(text: string, start: number, end: number, min: number): Span | undefined {
  const matched = text.slice(start, end);
  const lines = KEY_FRAME.test(matched) ? linesAfter(text, end) : matched;
  const from = lines === matched ? start : end;
  const inner = lines.replace(AROUND_KEY, '');
  if (inner.length < min) return undefined;
  const at = from + lines.indexOf(inner);
  return { start: at, end: at + inner.length };
}

/** Shorter ones are examples. */
const MIN_KEY = 16;
/** Of a key whose beginning is elsewhere. */
const MIN_REST = 8;

function linesAfter(text: string, at: number): string {
  KEY_LINES.lastIndex = at;
  return KEY_LINES.exec(text)?.[0] ?? '';
}
