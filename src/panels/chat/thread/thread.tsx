import { useSignal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useCallback, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Turn } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { late } from '../../shared/late.tsx';
import { useStore } from '../storeContext.ts';
import { Answer } from './answer.tsx';
import { followsAfterScroll, isNearEnd, type ScrollMetrics } from './follow.ts';
import { firstDrawnAtOnce, LateDrawing, LateDrawingContext } from './lateDrawing.ts';
import { nextTurn } from './turnKeys.ts';
import { useKeptPlace } from './useKeptPlace.ts';
import { UserMessage } from './userMessage.tsx';

const Comparison = late(async () => (await import('./comparison.tsx')).Comparison);

interface ThreadProps {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
}

/** The conversation. It stays at its end while an answer grows, as long as the reader is there. */
export function Thread({ conversationId, turns }: ThreadProps) {
  const store = useStore();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const place = useMemo(() => store.memory.placeIn(conversationId), [store, conversationId]);
  const follows = useSignal(place === undefined);
  const seen = useRef<ScrollMetrics>({ scrollTop: 0, clientHeight: 0, scrollHeight: 0 });
  const reading = useRef(false);
  const drawing = useMemo(() => new LateDrawing(), []);
  const drawnFrom = firstDrawnAtOnce(turns);
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

  useLayoutEffect(() => (scroller.current === null ? undefined : drawing.start(scroller.current)), [drawing]);

  const editing = store.editing.value;
  useLayoutEffect(() => {
    if (editing === undefined) return;
    follows.value = false;
    scroller.current?.querySelector('.user textarea')?.scrollIntoView({ block: 'nearest' });
  }, [editing, follows]);

  const sends = store.sends.value;
  const sendsBefore = useRef(sends);
  useLayoutEffect(() => {
    // A thread that comes back shows the reader's place, unless something was sent since.
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
  const read = () => {
    reading.current = true;
  };
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    read();
    moveBetweenTurns(event);
  };

  return (
    <div class="thread-area">
      <div
        class="thread"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label={l10n.t('Chat')}
        onScroll={onScroll}
        onScrollEnd={onScrollEnd}
        onWheel={read}
        onTouchMove={read}
        onPointerDown={read}
        onKeyDown={onKeyDown}
      >
        <div class="turns" ref={content}>
          <LateDrawingContext.Provider value={drawing}>
            {turns.map((turn, index) => (
              <TurnView
                key={turn.id}
                turn={turn}
                last={index === turns.length - 1}
                late={index < drawnFrom && turn.id !== place?.turnId}
              />
            ))}
          </LateDrawingContext.Provider>
        </div>
      </div>
      {!follows.value && (
        <button type="button" class="button jump" onClick={toEnd}>
          <Icon name="arrow-down" />
          {l10n.t('Jump to latest')}
        </button>
      )}
    </div>
  );
}

function metricsOf({ scrollTop, clientHeight, scrollHeight }: HTMLElement): ScrollMetrics {
  return { scrollTop, clientHeight, scrollHeight };
}

interface TurnProps {
  readonly turn: Turn;
  readonly last: boolean;
  /** Only what holds when it first shows counts. */
  readonly late: boolean;
}

/** A turn that has not changed is not drawn again. */
function TurnView({ turn, last, late }: TurnProps) {
  return useMemo(() => viewOf(turn, last, late), [turn, last]);
}

function viewOf(turn: Turn, last: boolean, late: boolean) {
  switch (turn.role) {
    case 'user':
      return <UserMessage turn={turn} last={last} />;
    case 'assistant':
      return <Answer turn={turn} last={last} late={late} />;
    case 'comparison':
      return <Comparison turn={turn} />;
  }
}

/** Up and Down, Home and End move between the turns while one of them has the focus. */
function moveBetweenTurns(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const turns = [...event.currentTarget.querySelectorAll<HTMLElement>('article')];
  const index = event.target instanceof HTMLElement ? turns.indexOf(event.target) : -1;
  const next = turns[nextTurn(event.key, index, turns.length)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
