import { useMemo, useRef } from 'preact/hooks';
import { roughHeight } from '../roughHeight.ts';
import { BlockContent } from './blockContent.tsx';
import type { MarkdownBlock } from './blocks.ts';
import { useDrawn } from './lateDrawing.ts';
import type { Section } from './sections.ts';

/** In characters. Text of longer blocks is laid out without kerning. */
const LONG_BLOCK = 2000;

interface SectionViewProps {
  readonly section: Section;
  readonly growing: boolean;
  /** Rendered when it comes near the view, or when the page is idle. */
  readonly late: boolean;
}

/** An unchanged section is not rendered again. */
export function SectionView({ section, growing, late }: SectionViewProps) {
  const element = useRef<HTMLDivElement>(null);
  const drawn = useDrawn(element, late);
  return useMemo(
    () => (drawn ? viewOf(section, growing) : <div ref={element} style={{ height: `${heightOf(section)}px` }} />),
    [section, growing, drawn],
  );
}

function heightOf({ blocks }: Section): number {
  return blocks.reduce((sum, { raw }) => sum + roughHeight(raw), 0);
}

function viewOf(section: Section, growing: boolean) {
  const { blocks, before } = section;
  const height = heightOf(section);
  const long = blocks.some(({ raw }) => raw.length > LONG_BLOCK);
  return (
    <div
      class={`section${growing ? ' growing' : ''}${long ? ' long' : ''}`}
      style={{ containIntrinsicHeight: `auto ${height}px` }}
    >
      {blocks.map((block, index) => (
        <BlockView
          key={index}
          block={block}
          growing={growing && index === blocks.length - 1}
          before={index === 0 ? before : blocks[index - 1]?.raw}
        />
      ))}
    </div>
  );
}

interface BlockViewProps {
  readonly block: MarkdownBlock;
  readonly growing: boolean;
  readonly before: string | undefined;
}

/** An unchanged block is not rendered again. */
function BlockView({ block, growing, before }: BlockViewProps) {
  return useMemo(
    () => <BlockContent token={block.token} growing={growing} before={before} />,
    [block, growing, before],
  );
}
