import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { Citation } from '../../../formats/conversation.ts';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { safeHref } from '../markdown/links.ts';
import { useStore } from '../storeContext.ts';

/** A title needs fewer characters. To break the lines of a very long one would take long. */
const MAX_NAME_LENGTH = 500;

/** The sources of an answer. Pages open outside the editor. */
export function Citations({ citations }: { readonly citations: readonly Citation[] }) {
  const sources = useMemo(() => eachOnce(citations), [citations]);
  const part = useShownPart(sources.length);
  return (
    <section class="citations" aria-label={l10n.t('Sources')}>
      <p class="citations-title">{l10n.t('Sources')}</p>
      <ol>
        {sources.slice(0, part.count).map((citation, index) => (
          <li key={index}>
            <Source citation={citation} />
            {citation.quote !== undefined && (
              <blockquote class="citation-quote" dir="auto">
                {citation.quote}
              </blockquote>
            )}
          </li>
        ))}
      </ol>
      <MoreButton part={part} />
    </section>
  );
}

/** Removes duplicates, because a source can apply to several passages of the answer. */
function eachOnce(citations: readonly Citation[]): readonly Citation[] {
  const byKey = Map.groupBy(citations, ({ url, title, quote }) => JSON.stringify([url, title, quote]));
  return [...byKey.values()].flatMap(([first]) => first ?? []);
}

function Source({ citation: { url, title } }: { readonly citation: Citation }) {
  const store = useStore();
  const name = shortened(title ?? (url === undefined ? l10n.t('Passage') : shortAddress(url)));
  const href = url === undefined ? undefined : safeHref(url);
  if (href === undefined || !/^https?:/i.test(href)) return <bdi>{name}</bdi>;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    store.post({ type: 'openLink', href });
  };
  return (
    <a href={href} title={href} onClick={open}>
      <bdi>{name}</bdi>
    </a>
  );
}

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/** Returns the address without its scheme and `www`. */
function shortAddress(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
}
