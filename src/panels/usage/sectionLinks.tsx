import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { reveal } from '../shared/reveal.ts';

/** A heading on the page, and the text of its link. */
interface SectionLink {
  readonly id: string;
  readonly label: () => string;
}

const LINKS: readonly SectionLink[] = [
  { id: 'spend', label: () => l10n.t('Spend') },
  { id: 'models', label: () => l10n.t('Models') },
  { id: 'keys', label: () => l10n.t('Keys') },
  { id: 'cache', label: () => l10n.t('Cache') },
  { id: 'sessions', label: () => l10n.t('Sessions') },
  { id: 'branches', label: () => l10n.t('Branches') },
  { id: 'contexts', label: () => l10n.t('Contexts') },
];

/** A heading counts as reached when it is this far below the top of the page. In CSS pixels. */
const REACHED = 80;

/** Links to the headings of the page. They stay in view, and the one of the section in view is marked. */
export function SectionLinks() {
  const [shown, current] = useSections();
  return (
    <nav class="section-links" aria-label={l10n.t('Sections')}>
      {LINKS.filter(({ id }) => shown.includes(id)).map(({ id, label }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault();
            goTo(id);
          }}
        >
          {label()}
        </a>
      ))}
    </nav>
  );
}

/** Returns the IDs of the headings on the page, and the one that was scrolled to. */
function useSections(): readonly [shown: readonly string[], current: string | undefined] {
  const [shown, setShown] = useState<readonly string[]>([]);
  const [current, setCurrent] = useState<string>();
  const find = () => {
    const places = LINKS.flatMap(({ id }) => {
      const top = document.getElementById(id)?.getBoundingClientRect().top;
      return top === undefined ? [] : [{ id, top }];
    });
    const ids = places.map(({ id }) => id);
    setShown((before) => (before.join() === ids.join() ? before : ids));
    const { scrollTop, scrollHeight, clientHeight } = document.documentElement;
    // The last headings cannot be scrolled to the top.
    const isAtEnd = scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1;
    const reached = isAtEnd ? places.at(-1) : places.findLast(({ top }) => top <= REACHED);
    setCurrent((reached ?? places[0])?.id);
  };
  useEffect(find);
  useEffect(() => {
    addEventListener('scroll', find, { passive: true });
    return () => removeEventListener('scroll', find);
  }, []);
  return [shown, current];
}

/** The editor's pages do not follow links to a fragment in all of its versions. */
function goTo(id: string): void {
  const heading = document.getElementById(id);
  reveal(heading, 'start');
  heading?.focus({ preventScroll: true });
}
