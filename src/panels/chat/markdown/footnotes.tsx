import * as l10n from '@vscode/l10n';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { reveal } from '../../shared/reveal.ts';
import type { MarkdownBlock } from './blocks.ts';
import type { FootnoteReferenceToken, FootnoteToken } from './syntax.ts';

/** The number of each footnote, by label, counted from 1 in the order of the footnotes. */
export type FootnoteNumbers = ReadonlyMap<string, number>;

const NO_FOOTNOTES: FootnoteNumbers = new Map();

export const Footnotes = createContext(NO_FOOTNOTES);

export function footnotesOf(blocks: readonly MarkdownBlock[]): readonly FootnoteToken[] {
  return blocks.flatMap(({ token }) => (token.type === 'footnote' ? [token as FootnoteToken] : []));
}

/** Returns the previous object if the labels are unchanged, so that references are not rendered again. */
export function footnoteNumbers(notes: readonly FootnoteToken[], previous = NO_FOOTNOTES): FootnoteNumbers {
  const labels = [...new Set(notes.map(({ label }) => label))];
  const isSame = labels.length === previous.size && labels.every((label, index) => previous.get(label) === index + 1);
  return isSame ? previous : new Map(labels.map((label, index) => [label, index + 1]));
}

/** A superscript link to the footnote. Plain text if there is no such footnote. */
export function FootnoteReference({ token }: { readonly token: FootnoteReferenceToken }) {
  const number = useContext(Footnotes).get(token.label);
  if (number === undefined) return <>{token.raw}</>;
  const show = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const note = currentTarget
      .closest('.markdown')
      ?.querySelector<HTMLElement>(`.footnotes > ol > li:nth-child(${number})`);
    reveal(note);
    note?.focus({ preventScroll: true });
  };
  return (
    <sup>
      <button type="button" class="footnote-reference" aria-label={l10n.t('Footnote {0}', number)} onClick={show}>
        {number}
      </button>
    </sup>
  );
}
