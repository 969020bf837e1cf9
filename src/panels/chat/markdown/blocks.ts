/**
 * Splits growing Markdown into its top-level blocks, so that only the end of a streaming answer is parsed and rendered
 * again. An unchanged block keeps its identity from one split to the next.
 */
import type { Token } from 'marked';
import { plain, plainPieces } from './boundedLexer.ts';
import { lexMarkdown } from './syntax.ts';

export interface MarkdownBlock {
  /** The block's source, including the blank lines after it. */
  readonly raw: string;
  readonly token: Token;
}

export interface Split {
  readonly source: string;
  readonly blocks: readonly MarkdownBlock[];
  /** The number of blocks that can no longer change, and the length of their source. */
  readonly settled: { readonly count: number; readonly length: number };
}

const NOTHING: Split = { source: '', blocks: [], settled: { count: 0, length: 0 } };

/** The last block may still grow, and the one before it may turn out to be its beginning (a list after a blank line). */
const UNSETTLED = 2;

/** @param previous the split of an earlier state of the same source; a split of another source is ignored. */
export function splitBlocks(source: string, previous: Split = NOTHING): Split {
  const text = readable(source);
  if (text === previous.source) return previous;
  const { count, length } = text.startsWith(previous.source) ? previous.settled : NOTHING.settled;
  const tail = lex(text.slice(length)).map((block, index) => sameOr(block, previous.blocks[count + index]));
  const blocks = [...previous.blocks.slice(0, count), ...tail];
  return { source: text, blocks, settled: settledOf(text, blocks) };
}

/** Types of blocks without links. */
const WITHOUT_LINKS: ReadonlySet<string> = new Set(['plain', 'code', 'hr', 'def']);

/**
 * Splits a complete source. References to links that are defined later are now resolved. Blocks that cannot contain such
 * references keep their identity, and without definitions, all do.
 */
export function splitComplete(source: string, previous: Split = NOTHING): Split {
  const split = splitBlocks(source);
  const hasDefinitions = split.blocks.some(({ token }) => token.type === 'def');
  const blocks = split.blocks.map((block, index) =>
    hasDefinitions && !WITHOUT_LINKS.has(block.token.type) ? block : sameOr(block, previous.blocks[index]),
  );
  return { ...split, blocks };
}

/**
 * Half a character (a lone surrogate) is replaced, because no font has it, and the browser searches all of them for each,
 * which blocks the panel for seconds.
 */
function readable(source: string): string {
  const text = source.toWellFormed();
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function sameOr(block: MarkdownBlock, previous: MarkdownBlock | undefined): MarkdownBlock {
  return previous?.raw === block.raw && previous.token.type === block.token.type ? previous : block;
}

/**
 * Returns what can no longer change. If the parser has normalized a block's source to another length, no block counts.
 */
function settledOf(text: string, blocks: readonly MarkdownBlock[]): Split['settled'] {
  const lengths = blocks.map(({ raw }) => raw.length);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const count = Math.max(0, blocks.length - UNSETTLED);
  return sum(lengths) === text.length ? { count, length: sum(lengths.slice(0, count)) } : NOTHING.settled;
}

function lex(text: string): MarkdownBlock[] {
  return blocksOf(lexMarkdown(text));
}

/** Returns a block for each token. Blank lines belong to the block before them, and plain text has several blocks. */
export function blocksOf(tokens: readonly Token[]): MarkdownBlock[] {
  const blocks: { raw: string; token: Token }[] = [];
  for (const token of tokens) {
    const last = blocks.at(-1);
    if (token.type === 'space' && last !== undefined) last.raw += token.raw;
    else if (token.type === 'plain') blocks.push(...plainPieces(token.raw).map((raw) => ({ raw, token: plain(raw) })));
    else blocks.push({ raw: token.raw, token });
  }
  return blocks;
}

/** Length after which a section ends, about half of what a tall panel shows. In characters of the source. */
const LONG_ENOUGH = 1200;

/** Adjacent blocks that are laid out, or skipped while not visible, together. */
export interface Section {
  readonly blocks: readonly MarkdownBlock[];
  /** The source of the block before the section. */
  readonly before: string | undefined;
}

/**
 * Groups blocks into sections. Where a section ends depends only on the text before it, so text that is appended moves
 * no boundary. A section with the same blocks as before is the same object.
 */
export function sectionsOf(blocks: readonly MarkdownBlock[], previous: readonly Section[] = []): readonly Section[] {
  const sections: Section[] = [];
  for (let from = 0; from < blocks.length; ) {
    const to = endOf(blocks, from);
    const section = { blocks: blocks.slice(from, to), before: blocks[from - 1]?.raw };
    sections.push(sameSection(section, previous[sections.length]));
    from = to;
  }
  return sections;
}

function endOf(blocks: readonly MarkdownBlock[], from: number): number {
  let end = from;
  for (let length = 0; end < blocks.length && length < LONG_ENOUGH; end += 1) length += blocks[end]?.raw.length ?? 0;
  return end;
}

function sameSection(section: Section, previous: Section | undefined): Section {
  const isSame =
    previous !== undefined &&
    previous.before === section.before &&
    previous.blocks.length === section.blocks.length &&
    previous.blocks.every((block, index) => block === section.blocks[index]);
  return isSame ? previous : section;
}
