import { createContext, type RefObject } from 'preact';
import { useContext, useLayoutEffect, useState } from 'preact/hooks';
import type { ChatTurn } from '../../../pages/chat/protocol.ts';
import { answersOf } from '../turns.ts';

/** Answers within this distance from the view are rendered without waiting. In pixels. */
const MARGIN = 1200;

/** An idle period with less time left is not used. In milliseconds. */
const MIN_IDLE = 4;

/** Number of characters at the end of a conversation that are rendered immediately: more than a tall panel shows. */
const FIRST_FRAME_LENGTH = 6000;

/**
 * Answers of a long conversation whose text is not rendered yet. They are rendered when they come near the view, and
 * otherwise while the page is idle, the latest first. In the end all are rendered, for screen readers, selections, and
 * searches.
 */
export class LateDrawing {
  readonly #waiting = new Map<Element, () => void>();
  #observer: IntersectionObserver | undefined;
  #idle: number | undefined;

  /**
   * @param scroller the scroll container of the turns.
   * @returns a function that stops it.
   */
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

  /** @returns a function that removes the answer again. */
  add(element: Element, draw: () => void): () => void {
    this.#waiting.set(element, draw);
    this.#observer?.observe(element);
    this.#idle ??= requestIdleCallback((deadline) => this.#drawIdly(deadline));
    return () => this.#remove(element);
  }

  #drawNear(entries: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of entries) if (isIntersecting) this.#draw(target);
  }

  /** Renders one answer at a time, because rendering itself happens after this function. */
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

/** Returns the index of the first turn that is rendered immediately. The last two always are. */
export function firstDrawnAtOnce(turns: readonly ChatTurn[]): number {
  let first = turns.length;
  for (let characters = 0; first > 0 && (characters < FIRST_FRAME_LENGTH || first > turns.length - 2); ) {
    first -= 1;
    const turn = turns[first];
    if (turn !== undefined) characters += answersOf(turn).reduce((sum, { text }) => sum + text.length, 0);
  }
  return first;
}

/** Whether an element's content is rendered now. Always true without `late`. */
export function useDrawn(element: RefObject<Element | null>, late: boolean): boolean {
  const drawing = useContext(LateDrawingContext);
  const [drawn, setDrawn] = useState(!late || drawing === undefined);
  useLayoutEffect(() => {
    if (drawn || drawing === undefined || element.current === null) return;
    return drawing.add(element.current, () => setDrawn(true));
  }, [drawn, drawing, element]);
  return drawn;
}
