/** What is code, a string, or a comment in a text, for languages in general: enough to find brackets, not to compile. */

/** The comments and strings of a language. */
interface LanguageSyntax {
  readonly lineComments: readonly string[];
  readonly blockComments: readonly (readonly [open: string, close: string])[];
  /** Quotes whose string ends at the line's end, if not before. */
  readonly quotes: readonly string[];
  /** Quotes of strings with several lines. */
  readonly longQuotes: readonly string[];
}

const C_LIKE: LanguageSyntax = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  quotes: ['"', "'"],
  longQuotes: ['`'],
};
const HASH: LanguageSyntax = { lineComments: ['#'], blockComments: [], quotes: ['"', "'"], longQuotes: ['"""', "'''"] };
const DASHES: LanguageSyntax = {
  lineComments: ['--'],
  blockComments: [['/*', '*/']],
  quotes: ['"', "'"],
  longQuotes: [],
};
const MARKUP: LanguageSyntax = { lineComments: [], blockComments: [['<!--', '-->']], quotes: [], longQuotes: [] };
const STYLES: LanguageSyntax = { ...C_LIKE, lineComments: [] };
/** An apostrophe also begins a lifetime or a label. */
const APOSTROPHES: LanguageSyntax = { ...C_LIKE, quotes: ['"'], longQuotes: [] };

const LANGUAGES: readonly (readonly [ids: RegExp, syntax: LanguageSyntax])[] = [
  [/^(python|ruby|shellscript|yaml|toml|dockerfile|makefile|perl|r|julia|elixir|powershell|ini|properties)$/, HASH],
  [/^(sql|lua|haskell|ada|elm)$/, DASHES],
  [/^(gherkin|cucumber|feature)$/, { ...HASH, quotes: ['"'] }],
  [/^(html|xml|markdown|vue|svelte|plaintext|latex|restructuredtext|git-commit|scminput)$/, MARKUP],
  [/^css$/, STYLES],
  [/^(rust|clojure|lisp)$/, APOSTROPHES],
];

export function isProse(languageId: string): boolean {
  return /^(markdown|plaintext|latex|restructuredtext|git-commit|scminput|gherkin|cucumber|feature)$/.test(languageId);
}

/** The closing bracket of each opening one. */
export const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
export const ALL_CLOSERS: ReadonlySet<string> = new Set(Object.values(CLOSERS));

export interface Scan {
  /** Where the text ends. */
  readonly ends: 'code' | 'string' | 'comment';
  /** The start of the last line that begins in code. */
  readonly lastLine: number;
  /** Brackets in code, in order; also the quote that ends a string which began before `from`. */
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly at: number;
  readonly kind: 'open' | 'close';
}

/**
 * Reads a text from its beginning, which should be in code.
 * @param from marks before it are omitted.
 */
export function scan(text: string, languageId: string, from = 0): Scan {
  const syntax = LANGUAGES.find(([ids]) => ids.test(languageId))?.[1] ?? C_LIKE;
  const marks: Mark[] = [];
  let lastLine = 0;
  let at = 0;
  while (at < text.length) {
    const comment = commentAt(text, at, syntax);
    if (comment !== undefined) {
      if (comment >= text.length) return { ends: endOfComment(text, at, syntax), marks, lastLine };
      at = comment;
      continue;
    }
    const string = stringAt(text, at, syntax);
    if (string !== undefined) {
      if (!string.isClosed) return { ends: 'string', marks, lastLine };
      if (at < from && string.end > from) marks.push({ at: string.end - string.quote.length, kind: 'close' });
      at = string.end;
      continue;
    }
    const char = text[at] ?? '';
    if (at >= from && char in CLOSERS) marks.push({ at, kind: 'open' });
    else if (at >= from && ALL_CLOSERS.has(char)) marks.push({ at, kind: 'close' });
    at += 1;
    if (char === '\n') lastLine = at;
  }
  return { ends: 'code', marks, lastLine };
}

/** Returns the end of the comment that begins here; undefined if none does. */
function commentAt(text: string, at: number, { lineComments, blockComments }: LanguageSyntax): number | undefined {
  if (lineComments.some((mark) => text.startsWith(mark, at))) {
    const end = text.indexOf('\n', at);
    return end === -1 ? text.length : end;
  }
  for (const [open, close] of blockComments) {
    if (!text.startsWith(open, at)) continue;
    const end = text.indexOf(close, at + open.length);
    return end === -1 ? text.length : end + close.length;
  }
  return undefined;
}

/** A block comment may be closed by the text's last characters. */
function endOfComment(text: string, at: number, { blockComments }: LanguageSyntax): Scan['ends'] {
  const isClosed = blockComments.some(
    ([open, close]) =>
      text.startsWith(open, at) && text.length >= at + open.length + close.length && text.endsWith(close),
  );
  return isClosed ? 'code' : 'comment';
}

interface StringAt {
  readonly quote: string;
  /** After the closing quote. */
  readonly end: number;
  readonly isClosed: boolean;
}

/** A word before a quote, as in “it's”, unless it may stand before a string: a prefix of Python, or a keyword. */
const APOSTROPHE =
  /(?<![\p{L}\p{N}_])(?!(?:[rbuflLU]{1,2}|[RBF]{1,2}|u8|return|case|typeof|in|of|else|from|import|await|yield)$)[\p{L}\p{N}_]+$/iu;

function stringAt(text: string, at: number, { quotes, longQuotes }: LanguageSyntax): StringAt | undefined {
  const long = longQuotes.find((quote) => text.startsWith(quote, at));
  if (long !== undefined) return endOfString(text, at, long, text.length);
  const quote = quotes.find((each) => text.startsWith(each, at));
  if (quote === undefined || (quote === "'" && APOSTROPHE.test(text.slice(Math.max(0, at - 20), at)))) return undefined;
  const lineEnd = text.indexOf('\n', at);
  const string = endOfString(text, at, quote, lineEnd === -1 ? text.length : lineEnd);
  // A quote without a second one on its line, such as an apostrophe, begins no string, unless the text ends here.
  return string.isClosed || lineEnd === -1 ? string : undefined;
}

function endOfString(text: string, start: number, quote: string, limit: number): StringAt {
  for (let at = start + quote.length; at < limit; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text.startsWith(quote, at)) return { quote, end: at + quote.length, isClosed: true };
  }
  return { quote, end: limit, isClosed: false };
}
