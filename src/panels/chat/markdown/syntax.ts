/** Markdown syntax beyond GitHub's: math and footnotes; and the quotes that GitHub shows as notes and warnings. */
import { Marked, type Token, type Tokens } from 'marked';
import { BoundedLexer } from './boundedLexer.ts';
import type { WorkMeter } from './workMeter.ts';

export interface MathToken extends Tokens.Generic {
  readonly type: 'math' | 'mathBlock';
  /** The formula in TeX, without its delimiters. */
  readonly text: string;
  /** True if the formula is on lines of its own. */
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

/** A closed formula on lines of its own without blank lines inside. An unclosed one stays text. */
const MATH_BLOCK =
  /^ {0,3}(?:\$\$((?:[^$\n]|\n(?!\s*\n)|\$(?!\$))+?)\$\$|\\\[((?:[^\n]|\n(?!\s*\n))+?)\\\])[ \t]*(?:\n+|$)/;

const MATH_DISPLAY = /^(?:\$\$((?:[^$\n]|\$(?!\$))+?)\$\$|\\\[([^\n]+?)\\\])/;

/**
 * A formula within a line. As in Pandoc, there is no space inside either dollar sign and no letter or digit after the
 * second one, so that amounts of money and shell variables stay text.
 */
const MATH_INLINE =
  /^(?:\$(?![\s$])((?:[^$\n\\]|\\.)*?[^$\s\\]|(?:[^$\n\\]|\\.)*?\\[^\s])\$(?![\w$])|\\\(([^\n]+?)\\\))/;

/** `$5 (or 5$`: starts like an amount of money and contains nothing that only formulas have. */
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

/**
 * Returns the top-level tokens of Markdown.
 * @param meter counts the work, and stops parsing when there is too much.
 */
export function lexMarkdown(source: string, meter?: WorkMeter): Token[] {
  return new BoundedLexer(markdown.defaults, meter).lex(source);
}

/**
 * Rendering a formula takes longer than parsing it: an answer may have a few hundred formulas of ordinary length. Each
 * character becomes two elements, and each command or cell ten or more.
 */
const FORMULA_WORK = { each: 5000, character: 40, command: 200 };
const FOOTNOTE_WORK = 1500;

function affordable(lexer: unknown, formula: MathToken | undefined): MathToken | undefined {
  return formula === undefined || affords(lexer, formulaWork(formula.text)) ? formula : undefined;
}

function formulaWork(tex: string): number {
  const commands = tex.match(/[\\&]/g)?.length ?? 0;
  return FORMULA_WORK.each + FORMULA_WORK.character * tex.length + FORMULA_WORK.command * commands;
}

/** The parser passes the current lexer to its extensions. */
function affords(lexer: unknown, units: number): boolean {
  return lexer instanceof BoundedLexer && lexer.affords(units);
}

function mathToken(type: MathToken['type'], match: RegExpExecArray | null, display: boolean): MathToken | undefined {
  if (match === null) return undefined;
  const text = (match[1] ?? match[2] ?? '').trim();
  if (text === '' || (!display && match[1] !== undefined && MONEY.test(text))) return undefined;
  return { type, raw: match[0], text, display };
}

/**
 * Like {@link indexOf} within a paragraph, which always ends at a blank line, because the parser asks once per
 * paragraph.
 */
function indexInParagraph(source: string, pattern: RegExp): number | undefined {
  const end = source.search(/\n[ \t]*\n/);
  return indexOf(end === -1 ? source : source.slice(0, end), pattern);
}

/** Returns the position at which the parser looks for the next token of an extension; undefined if there is none. */
function indexOf(source: string, pattern: RegExp): number | undefined {
  const index = source.search(pattern);
  return index === -1 ? undefined : index;
}

const MARK = /^\[!(note|tip|important|warning|caution)\][^\S\n]*\n?/i;

interface MarkedQuote {
  readonly kind: string;
  /** The blocks after the mark. */
  readonly tokens: readonly Token[];
}

/** Reads a quote that begins with a mark such as `[!NOTE]`, as GitHub writes notes and warnings. */
export function alertOf({ tokens: [first, ...others] }: Tokens.Blockquote): MarkedQuote | undefined {
  if (first?.type !== 'paragraph') return undefined;
  const [beginning, ...inline] = (first as Tokens.Paragraph).tokens;
  const mark = MARK.exec(first.raw);
  if (mark === null || beginning?.type !== 'text') return undefined;
  const rest = (beginning as Tokens.Text).text.slice(mark[0].length);
  const tokens = [...(rest === '' ? [] : [{ ...beginning, text: rest }]), ...inline];
  return {
    kind: (mark[1] ?? '').toLowerCase(),
    tokens: [...(tokens.length > 0 ? [{ ...first, tokens }] : []), ...others],
  };
}
