/** The scroll position in the thread, relative to a turn, because the heights of unrendered turns are estimates. */
import type { ReadingPlace } from '../../../editor/chat/protocol.ts';

/** How long a scroll must rest before its place is kept. In milliseconds. */
export const RESTING_MS = 200;

/** So often the place is sought again while turns around it get their heights. In frames. */
export const SETTLING_FRAMES = 12;

/** The turn at the upper edge of the view, and how far it is scrolled out. */
export function placeOf(scroller: HTMLElement, conversationId: string): ReadingPlace | undefined {
  const { top } = scroller.getBoundingClientRect();
  for (const element of turnsOf(scroller)) {
    const box = element.getBoundingClientRect();
    const turnId = element.dataset.turn;
    if (turnId !== undefined && box.bottom > top) return { conversationId, turnId, offset: Math.round(top - box.top) };
  }
  return undefined;
}

/** Scrolls so that the turn stands where it stood. @returns false when there is no such turn. */
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
