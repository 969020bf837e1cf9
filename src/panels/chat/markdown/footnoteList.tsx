import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { blocksOf } from './blocks.ts';
import { sectionsOf } from './sections.ts';
import { SectionView } from './sectionView.tsx';
import type { FootnoteToken } from './syntax.ts';

interface FootnoteListProps {
  readonly notes: readonly FootnoteToken[];
  /** Rendered when they come near the view, or when the page is idle. */
  readonly late: boolean;
}

/** The footnotes, at the end of the text. */
export function FootnoteList({ notes, late }: FootnoteListProps) {
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
