import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ThreadItem } from '../agent/runs.ts';
import { type ShownPart, useShownPart } from '../answer/longList.tsx';
import { answersOf } from '../turns.ts';
import { goToPlace, placeOf } from './readingPlace.ts';

/** The items of a thread that are shown, and how many are before them. */
interface ShownItems {
  readonly items: readonly ThreadItem[];
  readonly part: ShownPart;
}

/**
 * Shows the end of a thread, and more if these turns are before it. What the user reads stays in its place when earlier
 * items are added.
 */
export function useShownItems(
  scroller: RefObject<HTMLElement | null>,
  items: readonly ThreadItem[],
  turnIds: readonly (string | undefined)[],
): ShownItems {
  const { showMore, ...part } = useShownPart(items.length, countFrom(items, turnIds));
  const restore = useRef<(() => void) | undefined>(undefined);
  useLayoutEffect(() => {
    restore.current?.();
    restore.current = undefined;
  }, [part.count]);
  const showEarlier = () => {
    const element = scroller.current;
    const place = element === null ? undefined : placeOf(element, '');
    if (element !== null && place !== undefined) restore.current = () => goToPlace(element, place);
    showMore();
  };
  return { items: items.slice(part.left), part: { ...part, showMore: showEarlier } };
}

/** The number of items from the first one on that contains one of these turns. */
function countFrom(items: readonly ThreadItem[], turnIds: readonly (string | undefined)[]): number {
  const wanted = new Set(turnIds.filter((id) => id !== undefined));
  if (wanted.size === 0) return 0;
  const first = items.findIndex((item) => idsOf(item).some((id) => wanted.has(id)));
  return first === -1 ? 0 : items.length - first;
}

function idsOf(item: ThreadItem): readonly string[] {
  if (item.kind === 'steps') return item.steps.map(({ id }) => id);
  return [item.turn.id, ...answersOf(item.turn).map(({ id }) => id)];
}
