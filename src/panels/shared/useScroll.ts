import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { Movement } from './virtualRows.ts';

export interface Scrolled {
  readonly top: number;
  readonly height: number;
  /** What its scrollbar takes of its width. */
  readonly barWidth: number;
  /** Not at rest until a moment after the browser has said so, since the next turn of the wheel often follows. */
  readonly movement: Movement;
}

const REST_MS = 150;
const UNMEASURED: Scrolled = { top: 0, height: 0, barWidth: 0, movement: 'rest' };

/** Where an element is scrolled to and how high it is, at most once a frame. */
export function useScroll(ref: RefObject<HTMLElement | null>): Scrolled {
  const [scrolled, setScrolled] = useState<Scrolled>(UNMEASURED);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let frame = 0;
    let isMoving = false;
    let resting: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      frame = 0;
      const { scrollTop: top, clientHeight: height, offsetWidth, clientWidth } = element;
      const barWidth = offsetWidth - clientWidth;
      setScrolled((before) => ({ top, height, barWidth, movement: isMoving ? movementOf(top, before) : 'rest' }));
    };
    const look = () => {
      frame ||= requestAnimationFrame(read);
    };
    const move = () => {
      isMoving = true;
      clearTimeout(resting);
      look();
    };
    const rest = () => {
      clearTimeout(resting);
      resting = setTimeout(() => {
        isMoving = false;
        look();
      }, REST_MS);
    };
    read();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', move, { passive: true });
    element.addEventListener('scrollend', rest, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(resting);
      observer.disconnect();
      element.removeEventListener('scroll', move);
      element.removeEventListener('scrollend', rest);
    };
  }, [ref]);
  return scrolled;
}

/** In a frame in which it stands still, it goes on as before. */
function movementOf(top: number, before: Scrolled): Movement {
  const way = top - before.top;
  if (Math.abs(way) > before.height) return 'jump';
  if (way === 0) return before.movement;
  return way > 0 ? 'down' : 'up';
}
