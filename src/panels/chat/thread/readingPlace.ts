/**
 * The scroll position in the thread, relative to a turn, because the heights of turns that are not laid out are
 * estimates.
 */
import type { ReadingPlace } from '../../../pages/chat/protocol.ts';

/** How long scrolling must pause before the position is stored. In milliseconds. */
export const RESTING_MS = 200;

/** For how many frames the position is restored while turns around it are laid out. */
export const SETTLING_FRAMES = 12;

/** Returns the turn at the top edge of the view, and its offset. */
export function placeOf(scroller: HTMLElement, conversationId: string): ReadingPlace | undefined {
  const { top } = scroller.getBoundingClientRect();
  for (const element of turnsOf(scroller)) {
    const box = element.getBoundingClientRect();
    const turnId = element.dataset.turn;
    if (turnId !== undefined && box.bottom > top) return { conversationId, turnId, offset: Math.round(top - box.top) };
  }
  return undefined;
}

/**
 * Scrolls so that the turn has its former position.
 * @returns false if there is no such turn.
 */
export function goToPlace(scroller: HTMLElement, { turnId, offset }: ReadingPlace): boolean {
  const element = turnsOf(scroller).find(({ dataset }) => dataset.turn === turnId);
  if (element === undefined) return false;
  const distance = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += distance + offset;
  return true;
}

function turnsOf(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>('[data-turn]')];
}
