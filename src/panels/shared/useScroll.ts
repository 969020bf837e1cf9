import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Scrolled {
  readonly top: number;
  readonly height: number;
  /** What its scrollbar takes of its width. */
  readonly barWidth: number;
  /** Until the browser says that it is over. */
  readonly isMoving: boolean;
}

/** Where an element is scrolled to and how high it is, at most once a frame. */
export function useScroll(ref: RefObject<HTMLElement | null>): Scrolled {
  const [scrolled, setScrolled] = useState<Scrolled>({ top: 0, height: 0, barWidth: 0, isMoving: false });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let frame = 0;
    let isMoving = false;
    const read = () => {
      frame = 0;
      const { scrollTop: top, clientHeight: height, offsetWidth, clientWidth } = element;
      setScrolled({ top, height, barWidth: offsetWidth - clientWidth, isMoving });
    };
    const look = () => {
      frame ||= requestAnimationFrame(read);
    };
    const move = () => {
      isMoving = true;
      look();
    };
    const rest = () => {
      isMoving = false;
      look();
    };
    read();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', move, { passive: true });
    element.addEventListener('scrollend', rest, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('scroll', move);
      element.removeEventListener('scrollend', rest);
    };
  }, [ref]);
  return scrolled;
}
