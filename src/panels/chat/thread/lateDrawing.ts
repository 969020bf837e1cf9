import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { Turn } from '../../../editor/chat/protocol.ts';
import { answersOf } from '../turns.ts';

/** How far from the view, in pixels, an answer is drawn without waiting. */
const MARGIN = 1200;

/** Milliseconds of an idle period below which no more is drawn in it. */
const MIN_IDLE = 4;

/** Characters at the end of a conversation that are drawn at once: more than a tall panel shows. */
const AT_ONCE = 6000;

/**
 * Answers of a long conversation whose text is not drawn yet. They are drawn when they come near the view, and else in
 * idle moments, the latest first: in the end all are there, for screen readers, selections and searches.
 */
export class LateDrawing {
  readonly #waiting = new Map<Element, () => void>();
  #observer: IntersectionObserver | undefined;
  #idle: number | undefined;

  /** @param scroller what scrolls the turns. @returns a function that ends it. */
  start(scroller: Element): () => void {
    const observer = new IntersectionObserver((entries) => this.#drawNear(entries), {
      root: scroller,
      rootMargin: `${MARGIN}px 0px`,
    });
    for (const element of this.#waiting.keys()) observer.observe(element);
    this.#observer = observer;
    return () => {
      observer.disconnect();
      this.#observer = undefined;
      if (this.#idle !== undefined) cancelIdleCallback(this.#idle);
    };
  }

  /** @returns a function that takes the answer out again. */
  add(element: Element, draw: () => void): () => void {
    this.#waiting.set(element, draw);
    this.#observer?.observe(element);
    this.#idle ??= requestIdleCallback((deadline) => this.#drawIdly(deadline));
    return () => this.#remove(element);
  }

  #drawNear(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#draw(target);
  }

  /** One answer at a time, as the drawing itself follows after this. */
  #drawIdly(deadline: IdleDeadline): void {
    this.#idle = undefined;
    const latest = [...this.#waiting.keys()].at(-1);
    if (latest === undefined) return;
    if (deadline.timeRemaining() >= MIN_IDLE) this.#draw(latest);
    this.#idle = requestIdleCallback((next) => this.#drawIdly(next));
  }

  #draw(element: Element): void {
    const draw = this.#waiting.get(element);
    this.#remove(element);
    draw?.();
  }

  #remove(element: Element): void {
    this.#waiting.delete(element);
    this.#observer?.unobserve(element);
  }
}

export const LateDrawingContext = createContext<LateDrawing | undefined>(undefined);

/** @returns the place of the first turn that is drawn at once; the last two always are. */
export function firstDrawnAtOnce(turns: readonly Turn[]): number {
  let first = turns.length;
  for (let characters = 0; first > 0 && (characters < AT_ONCE || first > turns.length - 2); ) {
    first -= 1;
    const turn = turns[first];
    if (turn !== undefined) characters += answersOf(turn).reduce((sum, { text }) => sum + text.length, 0);
  }
  return first;
}

/** Whether an element's content is drawn by now. Without `late` it is from the first. */
export function useDrawn(element: RefObject<Element | null>, late: boolean): boolean {
  const drawing = useContext(LateDrawingContext);
  const [drawn, setDrawn] = useState(!late || drawing === undefined);
  useLayoutEffect(() => {
    if (drawn || drawing === undefined || element.current === null) return;
    return drawing.add(element.current, () => setDrawn(true));
  }, [drawn, drawing, element]);
  return drawn;
}
