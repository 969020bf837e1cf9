import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ReadingPlace } from '../../../pages/chat/protocol.ts';
import { reveal } from '../../shared/reveal.ts';
import { useStore } from '../storeContext.ts';
import { goToPlace, placeOf, RESTING_MS, SETTLING_FRAMES } from './readingPlace.ts';

/** How long the thread moves because of a key, a finger, or a turn of the wheel, in milliseconds. */
const MOVING_MS = 500;
/** Decides when the thread stays at its end while an answer grows. All lengths are in CSS pixels. */

const NEAR = 48;

/** The scroll position of the thread: it stays at its end while an answer grows if the user has scrolled there. */
export function useThreadScroll(conversationId: string) {
  const store = useStore();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useMemo(() => store.memory.placeIn(conversationId), [store, conversationId]);
  const follows = useSignal(place === undefined);
  const seen = useRef<ScrollMetrics>({ scrollTop: 0, clientHeight: 0, scrollHeight: 0 });
  const readsUntil = useRef(0);
  const moved = useRef(false);
  const keepPlace = useKeptPlace(scroller, conversationId, place, follows);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    follows.value = true;
    element.scrollTop = element.scrollHeight;
    seen.current = metricsOf(element);
  }, [follows]);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => follows.value && toEnd());
    for (const element of [scroller.current, content.current]) if (element !== null) observer.observe(element);
    return () => observer.disconnect();
  }, [follows, toEnd]);

  useScrollTargets(scroller, follows);

  const sends = store.sends.value;
  const sendsBefore = useRef(sends);
  useLayoutEffect(() => {
    // A thread that is shown again is at its former position, unless something was sent in the meantime.
    if (follows.value || sends !== sendsBefore.current) toEnd();
    sendsBefore.current = sends;
  }, [toEnd, follows, sends]);

  const onScroll = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const after = metricsOf(currentTarget);
    const reads = performance.now() < readsUntil.current;
    moved.current ||= reads && after.scrollTop !== seen.current.scrollTop;
    follows.value = followsAfterScroll(follows.value, seen.current, after, reads);
    seen.current = after;
    keepPlace();
  };
  /** Also called after `toEnd`, which a picture that has arrived since has moved away from the end. */
  const onScrollEnd = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    if (!moved.current) return;
    follows.value = isNearEnd(metricsOf(currentTarget));
    release();
    moved.current = false;
  };
  /** Records that the user scrolls, not the layout: while a pointer is down, or for a moment. */
  const read = ({ type }: Event) => {
    readsUntil.current = type === 'pointerdown' ? Number.POSITIVE_INFINITY : performance.now() + MOVING_MS;
  };
  /** What a click changes is not scrolled by the user. The pointer that leaves a scroll bar is released at the end. */
  const release = () => {
    readsUntil.current = 0;
  };
  return { scroller, content, place, follows, toEnd, read, release, onScroll, onScrollEnd };
}

/** Scrolls to the question that is being edited, and to the turn that another part of the panel shows. */
function useScrollTargets(scroller: RefObject<HTMLElement | null>, follows: Signal<boolean>): void {
  const store = useStore();
  const editing = store.editor.questionId.value;
  useLayoutEffect(() => {
    if (editing === undefined) return;
    follows.value = false;
    reveal(scroller.current?.querySelector('.user textarea'));
  }, [editing, follows]);

  const shownTurn = store.shownTurn.value;
  useLayoutEffect(() => {
    const element = shownTurn && scroller.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(shownTurn)}"]`);
    store.shownTurn.value = undefined;
    if (!element) return;
    follows.value = false;
    reveal(element, 'start');
    element.focus({ preventScroll: true });
  }, [store, follows, shownTurn]);
}

function metricsOf({ scrollTop, clientHeight, scrollHeight }: HTMLElement): ScrollMetrics {
  return { scrollTop, clientHeight, scrollHeight };
}

/**
 * Restores the scroll position of a thread that is rendered again, and stores it from then on.
 *
 * @param place the former position; undefined at the end.
 * @param follows whether the thread stays at its end.
 * @returns a function to call when the thread was scrolled.
 */
function useKeptPlace(
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

interface ScrollMetrics {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
}

/** Whether the view is close enough to the end to follow it. */
export function isNearEnd(metrics: ScrollMetrics): boolean {
  return distanceFromEnd(metrics) < NEAR;
}

function distanceFromEnd({ scrollTop, clientHeight, scrollHeight }: ScrollMetrics): number {
  return scrollHeight - clientHeight - scrollTop;
}

/**
 * Whether to keep following after a scroll. Only the user ends it, immediately by moving up, because it would be
 * impossible to leave the end if every token scrolled back to it. Where the movement stops, {@link isNearEnd} decides.
 * A scroll that coincides with a change of size is caused by the layout, unless the user is scrolling.
 *
 * @param reading true while the wheel, the keys, a finger, or the scroll bar are in use.
 */
export function followsAfterScroll(
  follows: boolean,
  before: ScrollMetrics,
  after: ScrollMetrics,
  reading: boolean,
): boolean {
  const resized = before.clientHeight !== after.clientHeight || before.scrollHeight !== after.scrollHeight;
  if (!reading && resized) return follows;
  if (after.scrollTop < before.scrollTop) return distanceFromEnd(after) < 1;
  return follows || isNearEnd(after);
}
