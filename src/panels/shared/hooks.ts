import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Returns the time in milliseconds since the epoch, updated every second while `running`. */
export function useNow(now: () => number, running: boolean): number {
  const [time, setTime] = useState(now);
  useEffect(() => {
    if (!running) return;
    setTime(now());
    const timer = setInterval(() => setTime(now()), 1000);
    return () => clearInterval(timer);
  }, [now, running]);
  return time;
}

const SHOWN_MS = 1500;

/** Feedback for a button: true for a moment after each call of the function. */
export function useDone(): readonly [boolean, () => void] {
  const [times, setTimes] = useState(0);
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (times === 0) return;
    setDone(true);
    const timer = setTimeout(() => setDone(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [times]);
  return [done, () => setTimes((count) => count + 1)];
}

/** Returns the current width of an element in CSS pixels; 0 before it is laid out. */
export function useWidth<Element extends HTMLElement>(): readonly [RefObject<Element | null>, number] {
  const element = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    setWidth(current.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}

export interface Scrolled {
  readonly top: number;
  readonly height: number;
  /** The width of the element's scrollbar. */
  readonly barWidth: number;
}

const UNMEASURED: Scrolled = { top: 0, height: 0, barWidth: 0 };

/** Returns the scroll position and height of an element, updated at most once per frame. */
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
