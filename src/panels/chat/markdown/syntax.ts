/** Markdown beyond GitHub's: math and footnotes. */
import { Marked, type Token, type Tokens } from 'marked';
import { BoundedLexer } from './boundedLexer.ts';
import type { WorkMeter } from './workMeter.ts';

export interface MathToken extends Tokens.Generic {
  readonly type: 'math' | 'mathBlock';
  /** The formula in TeX, without its delimiters. */
  readonly text: string;
  /** Stands on a line of its own. */
  readonly display: boolean;
}

export interface FootnoteToken extends Tokens.Generic {
  readonly type: 'footnote';
  readonly label: string;
  readonly tokens: Token[];
}

export interface FootnoteReferenceToken extends Tokens.Generic {
  readonly type: 'footnoteReference';
  readonly label: string;
}

/** A formula on lines of its own, closed, and without blank lines inside. What is still open stays text. */
const MATH_BLOCK =
  /^ {0,3}(?:\$\$((?:[^$\n]|\n(?!\s*\n)|\$(?!\$))+?)\$\$|\\\[((?:[^\n]|\n(?!\s*\n))+?)\\\])[ \t]*(?:\n+|$)/;

const MATH_DISPLAY = /^(?:\$\$((?:[^$\n]|\$(?!\$))+?)\$\$|\\\[([^\n]+?)\\\])/;

/**
 * A formula within a line. After the rule of Pandoc no space stands inside of either dollar, and no letter or digit
 * follows the second one, so that sums of money and variables of a shell stay text.
 */
const MATH_INLINE =
  /^(?:\$(?![\s$])((?:[^$\n\\]|\\.)*?[^$\s\\]|(?:[^$\n\\]|\\.)*?\\[^\s])\$(?![\w$])|\\\(([^\n]+?)\\\))/;

/** `$5 (or 5$`: begins as a sum of money and holds nothing that only a formula has. */
const MONEY = /^\d[\d.,]*\s(?!.*[\\^_={}+<>])/;

const FOOTNOTE = /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*([^\n]*(?:\n(?: {2,}|\t)[^\n]*|\n+(?: {4}|\t)[^\n]*)*)(?:\n+|$)/;
const FOOTNOTE_REFERENCE = /^\[\^([^\]\s]+)\](?!:)/;

const markdown = new Marked({
  gfm: true,
  extensions: [
    {
      name: 'mathBlock',
      level: 'block',
      start: (source) => indexInParagraph(source, /(?:^|\n) {0,3}(?:\$\$|\\\[)/),
      tokenizer(source) {
        return affordable(this.lexer, mathToken('mathBlock', MATH_BLOCK.exec(source), true));
      },
    },
    {
      name: 'math',
      level: 'inline',
      start: (source) => indexOf(source, /\$|\\[([]/),
      tokenizer(source) {
        const formula =
          mathToken('math', MATH_DISPLAY.exec(source), true) ?? mathToken('math', MATH_INLINE.exec(source), false);
        return affordable(this.lexer, formula);
      },
    },
    {
      name: 'footnote',
      level: 'block',
      start: (source) => indexInParagraph(source, /(?:^|\n) {0,3}\[\^/),
      tokenizer(source) {
        const match = FOOTNOTE.exec(source);
        if (match === null || !affords(this.lexer, FOOTNOTE_WORK)) return undefined;
        const [raw, label = '', text = ''] = match;
        const content = text.replace(/\n(?: {1,4}|\t)/g, '\n');
        return { type: 'footnote', raw, label, tokens: this.lexer.blockTokens(content, []) };
      },
    },
    {
      name: 'footnoteReference',
      level: 'inline',
      start: (source) => indexOf(source, /\[\^/),
      tokenizer(source) {
        const match = FOOTNOTE_REFERENCE.exec(source);
        return match === null ? undefined : { type: 'footnoteReference', raw: match[0], label: match[1] };
      },
    },
  ],
});

/** The top-level tokens of a Markdown source. @param meter counts what is spent on it, and ends it when it is too much. */
export function lexMarkdown(source: string, meter?: WorkMeter): Token[] {
  return new BoundedLexer(markdown.defaults, meter).lex(source);
}

/** Drawing a formula takes longer than reading it. An answer may have some hundreds of them. */
const FORMULA_WORK = 5000;
const FOOTNOTE_WORK = 1500;

function affordable(lexer: unknown, formula: MathToken | undefined): MathToken | undefined {
  return formula === undefined || affords(lexer, FORMULA_WORK) ? formula : undefined;
}

/** The parser hands its extensions the lexer that it was called with. */
function affords(lexer: unknown, units: number): boolean {
  return lexer instanceof BoundedLexer && lexer.affords(units);
}

function mathToken(type: MathToken['type'], match: RegExpExecArray | null, display: boolean): MathToken | undefined {
  if (match === null) return undefined;
  const text = (match[1] ?? match[2] ?? '').trim();
  if (text === '' || (!display && match[1] !== undefined && MONEY.test(text))) return undefined;
  return { type, raw: match[0], text, display };
}

/** The same within a paragraph, which ends at a blank line in any case: the parser asks this once for each of them. */
function indexInParagraph(source: string, pattern: RegExp): number | undefined {
  const end = source.search(/\n[ \t]*\n/);
  return indexOf(end === -1 ? source : source.slice(0, end), pattern);
}

/** Where the parser looks next for a token of its own; undefined for nowhere. */
function indexOf(source: string, pattern: RegExp): number | undefined {
  const index = source.search(pattern);
  return index === -1 ? undefined : index;
}
