import type { MarkdownBlock } from './blocks.ts';

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
    sections.push(sameOr(section, previous[sections.length]));
    from = to;
  }
  return sections;
}

function endOf(blocks: readonly MarkdownBlock[], from: number): number {
  let end = from;
  for (let length = 0; end < blocks.length && length < LONG_ENOUGH; end += 1) length += blocks[end]?.raw.length ?? 0;
  return end;
}

function sameOr(section: Section, previous: Section | undefined): Section {
  const isSame =
    previous !== undefined &&
    previous.before === section.before &&
    previous.blocks.length === section.blocks.length &&
    previous.blocks.every((block, index) => block === section.blocks[index]);
  return isSame ? previous : section;
}
