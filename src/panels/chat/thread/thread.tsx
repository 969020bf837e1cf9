import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo } from 'preact/hooks';
import type { Turn } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { late } from '../../shared/late.tsx';
import { useStore } from '../storeContext.ts';
import { Answer } from './answer.tsx';
import { firstDrawnAtOnce, LateDrawing, LateDrawingContext } from './lateDrawing.ts';
import { useThreadScroll } from './threadScroll.ts';
import { nextTurn } from './turnKeys.ts';
import { UserMessage } from './userMessage.tsx';

const Comparison = late(async () => (await import('./comparison.tsx')).Comparison);

interface ThreadProps {
  readonly conversationId: string;
  readonly turns: readonly Turn[];
}

/** The conversation. It stays at its end while an answer grows if the user has scrolled there. */
export function Thread({ conversationId, turns }: ThreadProps) {
  const { scroller, content, place, follows, toEnd, read, onScroll, onScrollEnd } = useThreadScroll(conversationId);
  const store = useStore();
  const drawing = useMemo(() => new LateDrawing(), []);
  const drawnFrom = firstDrawnAtOnce(turns);
  useLayoutEffect(() => (scroller.current === null ? undefined : drawing.start(scroller.current)), [drawing, scroller]);
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
      {!follows.value && !store.isEditing.value && (
        <button type="button" class="button jump" onClick={toEnd}>
          <Icon name="arrow-down" />
          {l10n.t('Jump to latest')}
        </button>
      )}
    </div>
  );
}

interface TurnProps {
  readonly turn: Turn;
  readonly last: boolean;
  /** Only the initial value is used. */
  readonly late: boolean;
}

/** An unchanged turn is not rendered again. */
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

/** Up, Down, Home, and End move between the turns while one of them has the focus. */
function moveBetweenTurns(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const turns = [...event.currentTarget.querySelectorAll<HTMLElement>('article')];
  const index = event.target instanceof HTMLElement ? turns.indexOf(event.target) : -1;
  const next = turns[nextTurn(event.key, index, turns.length)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
