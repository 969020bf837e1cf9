import type { Block } from './blocks.ts';

/** Characters of source after which a section ends: about half of what a tall panel shows. */
const LONG_ENOUGH = 1200;

/** Neighbouring blocks that are laid out, or left alone out of sight, together. */
export interface Section {
  readonly blocks: readonly Block[];
  /** The source of the block before its first one. */
  readonly before: string | undefined;
}

/**
 * A section's end depends on what stands before it alone, so that text which is added at the end moves none. One with the
 * same blocks as before is the same object.
 */
export function sectionsOf(blocks: readonly Block[], previous: readonly Section[] = []): readonly Section[] {
  const sections: Section[] = [];
  for (let from = 0; from < blocks.length; ) {
    const to = endOf(blocks, from);
    const section = { blocks: blocks.slice(from, to), before: blocks[from - 1]?.raw };
    sections.push(sameOr(section, previous[sections.length]));
    from = to;
  }
  return sections;
}

function endOf(blocks: readonly Block[], from: number): number {
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
