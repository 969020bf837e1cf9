import * as l10n from '@vscode/l10n';
import { useMemo, useRef } from 'preact/hooks';
import { roughHeight } from '../roughHeight.ts';
import { useStore } from '../storeContext.ts';
import { BlockContent } from './blockContent.tsx';
import {
  blocksOf,
  type MarkdownBlock,
  type Section,
  type Split,
  sectionsOf,
  splitBlocks,
  splitComplete,
} from './blocks.ts';
import { type FootnoteNumbers, Footnotes, footnoteNumbers, footnotesOf } from './footnotes.tsx';
import { useDrawn } from './lateDrawing.ts';
import type { FootnoteToken } from './syntax.ts';

/** The sections of a longer text are not all rendered together. In characters. */
const LONG = 20_000;
/** In characters. Text of longer blocks is laid out without kerning. */
const LONG_BLOCK = 2000;

interface MarkdownProps {
  readonly source: string;
  /** False if more of it may arrive. */
  readonly complete: boolean;
}

/** Renders Markdown as elements. While it grows, only its last blocks are parsed and rendered again. */
export function Markdown({ source, complete }: MarkdownProps) {
  const store = useStore();
  const previous = useRef<Split>(undefined);
  const { blocks } = useMemo(() => {
    const split = complete ? splitComplete(source, previous.current) : splitBlocks(source, previous.current);
    previous.current = split;
    return split;
  }, [source, complete]);
  const sections = useRef<readonly Section[]>([]);
  sections.current = sectionsOf(blocks, sections.current);
  const notes = footnotesOf(blocks);
  const numbers = useRef<FootnoteNumbers>(undefined);
  numbers.current = footnoteNumbers(notes, numbers.current);
  const openLink = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (link === null) return;
    event.preventDefault();
    // The editor itself opens a webview's links when clicks on them reach the window, which would open them twice.
    event.stopPropagation();
    store.post({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click too
    // biome-ignore lint/a11y/noStaticElementInteractions: the clicks are those of the links inside
    <div class="markdown" onClick={openLink}>
      <Footnotes.Provider value={numbers.current}>
        {sections.current.map((section, index) => (
          <SectionView
            key={index}
            section={section}
            growing={!complete && index === sections.current.length - 1}
            late={complete && source.length > LONG}
          />
        ))}
        <FootnoteList notes={notes} late={complete && source.length > LONG} />
      </Footnotes.Provider>
    </div>
  );
}

interface FootnoteListProps {
  readonly notes: readonly FootnoteToken[];
  /** Rendered when they come near the view, or when the page is idle. */
  readonly late: boolean;
}

/** The footnotes, at the end of the text. */
function FootnoteList({ notes, late }: FootnoteListProps) {
  if (notes.length === 0) return null;
  return (
    <section class="footnotes" aria-label={l10n.t('Footnotes')}>
      <ol>
        {notes.map((note) => (
          <Footnote key={note.label} note={note} late={late} />
        ))}
      </ol>
    </section>
  );
}

/** A footnote can be as long as a text, so it has sections like one. */
function Footnote({ note, late }: { readonly note: FootnoteToken; readonly late: boolean }) {
  const sections = useMemo(() => sectionsOf(blocksOf(note.tokens)), [note]);
  return (
    <li tabIndex={-1}>
      {sections.map((section, index) => (
        <SectionView key={index} section={section} growing={false} late={late} />
      ))}
    </li>
  );
}

interface SectionViewProps {
  readonly section: Section;
  readonly growing: boolean;
  /** Rendered when it comes near the view, or when the page is idle. */
  readonly late: boolean;
}

/** An unchanged section is not rendered again. */
function SectionView({ section, growing, late }: SectionViewProps) {
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
