import * as l10n from '@vscode/l10n';
import { BlockContent } from './blockContent.tsx';
import type { FootnoteToken } from './syntax.ts';

/** The footnotes, at the end of the text. */
export function FootnoteList({ notes }: { readonly notes: readonly FootnoteToken[] }) {
  if (notes.length === 0) return null;
  return (
    <section class="footnotes" aria-label={l10n.t('Footnotes')}>
      <ol>
        {notes.map(({ label, tokens }) => (
          <li key={label} tabIndex={-1}>
            {tokens.map((token, index) => (
              <BlockContent key={index} token={token} growing={false} />
            ))}
          </li>
        ))}
      </ol>
    </section>
  );
}
