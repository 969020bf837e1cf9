import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useStore } from '../../storeContext.ts';

/**
 * Focuses an element of a card that appears, unless the user is writing or reading elsewhere: a key that was meant for a
 * text must not decide anything. Nor does a card take the focus from the editor or from another part of the panel. A card
 * without the focus is announced.
 */
export function useCardFocus<Target extends HTMLElement>(
  id: string | number,
  announced: string,
): RefObject<Target | null> {
  const store = useStore();
  const target = useRef<Target>(null);
  useLayoutEffect(() => {
    const { activeElement } = document;
    const isIdle = activeElement === document.body || activeElement?.closest('.composer') != null;
    const isWriting = store.composition.draft.peek() !== '' || store.popover.peek() !== undefined;
    // The button leads back to the end of the thread, so the card may be out of sight.
    const isReadingEarlier = target.current?.closest('.thread-area')?.querySelector('.jump') != null;
    if (isIdle && !isWriting && !isReadingEarlier && document.hasFocus()) {
      target.current?.focus({ preventScroll: true });
    } else store.announce(announced);
  }, [id, store]);
  return target;
}
