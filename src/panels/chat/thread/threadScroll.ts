import { type Signal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useStore } from '../storeContext.ts';
import { followsAfterScroll, isNearEnd, type ScrollMetrics } from './follow.ts';
import { useKeptPlace } from './useKeptPlace.ts';

/** The scroll position of the thread: it stays at its end while an answer grows if the user has scrolled there. */
export function useThreadScroll(conversationId: string) {
  const store = useStore();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useMemo(() => store.memory.placeIn(conversationId), [store, conversationId]);
  const follows = useSignal(place === undefined);
  const seen = useRef<ScrollMetrics>({ scrollTop: 0, clientHeight: 0, scrollHeight: 0 });
  const reading = useRef(false);
  const keepPlace = useKeptPlace(scroller, conversationId, place, follows);

  const toEnd = useCallback(() => {
    const element = scroller.current;
    if (element === null) return;
    follows.value = true;
    element.scrollTop = element.scrollHeight;
    seen.current = metricsOf(element);
  }, [follows]);

  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => {
      if (follows.value) toEnd();
    });
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
    follows.value = followsAfterScroll(follows.value, seen.current, after, reading.current);
    seen.current = after;
    keepPlace();
  };
  const onScrollEnd = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    if (reading.current) follows.value = isNearEnd(metricsOf(currentTarget));
    reading.current = false;
  };
  /** Records that the user scrolls, not the layout. */
  const read = () => {
    reading.current = true;
  };
  return { scroller, content, place, follows, toEnd, read, onScroll, onScrollEnd };
}

/** Scrolls to the question that is being edited, and to the turn that another part of the panel shows. */
function useScrollTargets(scroller: RefObject<HTMLElement | null>, follows: Signal<boolean>): void {
  const store = useStore();
  const editing = store.editor.questionId.value;
  useLayoutEffect(() => {
    if (editing === undefined) return;
    follows.value = false;
    scroller.current?.querySelector('.user textarea')?.scrollIntoView({ block: 'nearest' });
  }, [editing, follows]);

  const shownTurn = store.shownTurn.value;
  useLayoutEffect(() => {
    const element = shownTurn && scroller.current?.querySelector<HTMLElement>(`[data-turn="${CSS.escape(shownTurn)}"]`);
    store.shownTurn.value = undefined;
    if (!element) return;
    follows.value = false;
    element.scrollIntoView({ block: 'start' });
    element.focus({ preventScroll: true });
  }, [store, follows, shownTurn]);
}

function metricsOf({ scrollTop, clientHeight, scrollHeight }: HTMLElement): ScrollMetrics {
  return { scrollTop, clientHeight, scrollHeight };
}
