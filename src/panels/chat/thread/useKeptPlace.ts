import type { Signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';
import type { ReadingPlace } from '../../../editor/chat/protocol.ts';
import { useStore } from '../storeContext.ts';
import { goToPlace, placeOf, RESTING_MS, SETTLING_FRAMES } from './readingPlace.ts';

/**
 * Restores the scroll position of a thread that is rendered again, and stores it from then on.
 *
 * @param place the former position; undefined at the end.
 * @param follows whether the thread stays at its end.
 * @returns a function to call when the thread was scrolled.
 */
export function useKeptPlace(
  scroller: RefObject<HTMLElement | null>,
  conversationId: string,
  place: ReadingPlace | undefined,
  follows: Signal<boolean>,
): () => void {
  const { memory } = useStore();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || place === undefined) return;
    if (!goToPlace(element, place)) {
      follows.value = true;
      return;
    }
    // Turns that come into view get their actual heights, which moves the position. Stops when the user scrolls.
    let frames = SETTLING_FRAMES;
    const settle = () => {
      frames -= 1;
      goToPlace(element, place);
      if (frames > 0) frame = requestAnimationFrame(settle);
    };
    let frame = requestAnimationFrame(settle);
    const leave = () => cancelAnimationFrame(frame);
    const moves = ['wheel', 'keydown', 'pointerdown', 'touchmove'] as const;
    for (const move of moves) element.addEventListener(move, leave, { once: true });
    return () => {
      leave();
      for (const move of moves) element.removeEventListener(move, leave);
    };
  }, [scroller, place, follows]);

  useLayoutEffect(() => () => clearTimeout(timer.current), []);

  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const element = scroller.current;
      if (element === null) return;
      memory.setPlace(follows.value ? undefined : placeOf(element, conversationId));
    }, RESTING_MS);
  }, [scroller, memory, follows, conversationId]);
}
