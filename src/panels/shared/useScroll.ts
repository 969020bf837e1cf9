import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export interface Scrolled {
  readonly top: number;
  readonly height: number;
  /** The width of its scrollbar. */
  readonly barWidth: number;
}

const UNMEASURED: Scrolled = { top: 0, height: 0, barWidth: 0 };

/** The scroll position and height of an element, updated at most once per frame. */
export function useScroll(ref: RefObject<HTMLElement | null>): Scrolled {
  const [scrolled, setScrolled] = useState<Scrolled>(UNMEASURED);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    let frame = 0;
    const read = () => {
      frame = 0;
      const { scrollTop: top, clientHeight: height, offsetWidth, clientWidth } = element;
      setScrolled({ top, height, barWidth: offsetWidth - clientWidth });
    };
    const look = () => {
      frame ||= requestAnimationFrame(read);
    };
    read();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [ref]);
  return scrolled;
}
