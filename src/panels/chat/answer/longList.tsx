import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import { formatTokensExact } from '../../../display/tokens.ts';

/** The number of items of a list that are shown at first, and that each click adds. */
const SHOWN_ITEMS = 200;

/** How much of a list is shown that an answer can make so long that the page would stop while all of it is rendered. */
export interface ShownPart {
  /** The number of items that are shown. */
  readonly count: number;
  /** The number of items that are not. */
  readonly left: number;
  readonly showMore: () => void;
}

/** @param least The number of items that are shown in any case. */
export function useShownPart(length: number, least = 0): ShownPart {
  const [asked, setAsked] = useState(SHOWN_ITEMS);
  const required = useRef(0);
  required.current = Math.max(required.current, least);
  const count = Math.min(length, Math.max(asked, required.current));
  return { count, left: length - count, showMore: () => setAsked(count + SHOWN_ITEMS) };
}

interface MoreButtonProps {
  readonly part: ShownPart;
  /** Whether the items before those that are shown are missing, instead of those after them. */
  readonly earlier?: boolean;
}

/** Shows the next items of a list. */
export function MoreButton({ part: { left, showMore }, earlier = false }: MoreButtonProps) {
  if (left <= 0) return null;
  const onClick = ({ currentTarget }: MouseEvent & { readonly currentTarget: HTMLElement }) => {
    // The button is removed with the last items, so the focus moves to what contains them.
    if (left <= SHOWN_ITEMS) currentTarget.closest<HTMLElement>('article')?.focus({ preventScroll: true });
    showMore();
  };
  return (
    <button type="button" class="link show-more number" onClick={onClick}>
      {earlier ? earlierText(left) : laterText(left)}
    </button>
  );
}

function laterText(left: number): string {
  if (left <= SHOWN_ITEMS) return l10n.t('Show {0} more', left);
  return l10n.t('Show {0} of {1} more', SHOWN_ITEMS, formatTokensExact(left));
}

function earlierText(left: number): string {
  if (left <= SHOWN_ITEMS) return l10n.t('Show {0} earlier', left);
  return l10n.t('Show {0} of {1} earlier', SHOWN_ITEMS, formatTokensExact(left));
}
