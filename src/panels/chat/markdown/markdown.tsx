import { useMemo, useRef } from 'preact/hooks';
import { useStore } from '../storeContext.ts';
import { type Split, splitBlocks, splitComplete } from './blocks.ts';
import { FootnoteList } from './footnoteList.tsx';
import { type FootnoteNumbers, Footnotes, footnoteNumbers, footnotesOf } from './footnotes.tsx';
import { type Section, sectionsOf } from './sections.ts';
import { SectionView } from './sectionView.tsx';

/** The sections of a longer text are not all rendered together. In characters. */
const LONG = 20_000;

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
