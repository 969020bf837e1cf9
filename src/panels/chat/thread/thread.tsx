import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ChatTurn, RunView } from '../../../pages/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { agentParts } from '../agent/lateParts.ts';
import {
  isStep,
  type RunEnd,
  runChecks,
  runSum,
  type StepGroup,
  type SummaryItem,
  type ThreadItem,
  threadItems,
} from '../agent/runs.ts';
import { MoreButton, type ShownPart, useShownPart } from '../answer/longList.tsx';
import { lateComponent } from '../lateComponent.tsx';
import { firstDrawnAtOnce, LateDrawing, LateDrawingContext } from '../markdown/lateDrawing.ts';
import { useStore } from '../storeContext.ts';
import { answersOf, nextTurn } from '../turns.ts';
import { Answer } from './answer.tsx';
import { goToPlace, placeOf } from './readingPlace.ts';
import { useThreadScroll } from './threadScroll.ts';
import { UserMessage } from './userMessage.tsx';

const Comparison = lateComponent(async () => (await import('./comparison.tsx')).Comparison);

/** The space bar also presses a button, which does not scroll. */
const SCROLLING_KEYS = /^(?:Arrow(?:Up|Down)|Page(?:Up|Down)|Home|End)$/;

interface ThreadProps {
  readonly conversationId: string;
  readonly turns: readonly ChatTurn[];
  /** The run that answers the last question. */
  readonly run: RunView | undefined;
}

/** The conversation. It stays at its end while an answer grows if the user has scrolled there. */
export function Thread({ conversationId, turns, run }: ThreadProps) {
  const { scroller, content, place, follows, toEnd, ...scrolling } = useThreadScroll(conversationId);
  const store = useStore();
  const drawing = useMemo(() => new LateDrawing(), []);
  const drawnFrom = firstDrawnAtOnce(turns);
  const { items, part } = useShownItems(scroller, threadItems(turns), [store.shownTurn.value, place?.turnId]);
  useLayoutEffect(() => (scroller.current === null ? undefined : drawing.start(scroller.current)), [drawing, scroller]);
  const onKeyDown = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    if (SCROLLING_KEYS.test(event.key)) scrolling.read(event);
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
        onScroll={scrolling.onScroll}
        onScrollEnd={scrolling.onScrollEnd}
        onWheel={scrolling.read}
        onTouchMove={scrolling.read}
        onPointerDown={scrolling.read}
        onPointerUp={scrolling.release}
        onPointerLeave={scrolling.release}
        onKeyDown={onKeyDown}
      >
        <div class="turns" ref={content}>
          <MoreButton part={part} earlier />
          <LateDrawingContext.Provider value={drawing}>
            {items.map((item, at) =>
              item.kind === 'steps' ? (
                <Steps key={`steps ${item.steps[0]?.id}`} group={item} run={run} last={at === items.length - 1} />
              ) : item.kind === 'summary' ? (
                <Summary key={item.turn.id} item={item} last={at === items.length - 1} />
              ) : (
                <TurnView
                  key={item.turn.id}
                  turn={item.turn}
                  last={item.index === turns.length - 1}
                  late={item.index < drawnFrom && item.turn.id !== place?.turnId}
                  end={() => endFor(item.turn, turns, run)}
                />
              ),
            )}
            {run !== undefined && <Cards run={run} />}
          </LateDrawingContext.Provider>
        </div>
      </div>
      {!follows.value && !store.editor.isOpen.value && (
        <button type="button" class="button jump" onClick={toEnd}>
          <Icon name="arrow-down" />
          {l10n.t('Jump to latest')}
        </button>
      )}
    </div>
  );
}

interface TurnProps {
  readonly turn: ChatTurn;
  readonly last: boolean;
  /** Only the initial value is used. */
  readonly late: boolean;
  /** Returns the sums and changed files of the run that the turn ends; undefined for other turns. */
  readonly end: () => RunEnd | undefined;
}

/** An unchanged turn is not rendered again. */
function TurnView({ turn, last, late, end }: TurnProps) {
  return useMemo(() => viewOf(turn, last, late, end()), [turn, last]);
}

function viewOf(turn: ChatTurn, last: boolean, late: boolean, end: RunEnd | undefined) {
  switch (turn.role) {
    case 'user':
      return <UserMessage turn={turn} last={last} />;
    case 'assistant':
      return <Answer turn={turn} last={last} late={late} end={end} />;
    case 'comparison':
      return <Comparison turn={turn} />;
  }
}

/** Returns what a run has used and left, for a text of the run after its first step. */
function endFor(turn: ChatTurn, turns: readonly ChatTurn[], last: RunView | undefined): RunEnd | undefined {
  if (turn.role !== 'assistant' || turn.run === undefined) return undefined;
  const { run } = turn;
  if (!turns.some((one) => isStep(one) && one.run === run)) return undefined;
  const replaced = last?.id === run ? last.replaced?.cost : undefined;
  return { sum: runSum(turns, run, replaced), checks: runChecks(turns, run) };
}

interface StepsProps {
  readonly group: StepGroup;
  readonly run: RunView | undefined;
  readonly last: boolean;
}

function Steps({ group, run, last }: StepsProps) {
  const parts = agentParts.current;
  if (parts === undefined) return null;
  return <parts.RunSteps group={group} run={run?.id === group.run ? run : undefined} last={last} />;
}

function Summary(props: { readonly item: SummaryItem; readonly last: boolean }) {
  const parts = agentParts.current;
  return parts === undefined ? null : <parts.SummaryCard {...props} />;
}

function Cards({ run }: { readonly run: RunView }) {
  const parts = agentParts.current;
  return parts === undefined ? null : <parts.RunCards run={run} />;
}

/** With Ctrl+Alt or Cmd+Alt, Up and Down move to the previous and next code block from anywhere in the thread. */
function moveBetweenBlocks(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const blocks = [...event.currentTarget.querySelectorAll<HTMLElement>('figure.code pre')];
  const { target } = event;
  if (!(target instanceof HTMLElement)) return;
  const isOn = (block: HTMLElement, side: number) =>
    block !== target && (target.compareDocumentPosition(block) & side) !== 0;
  const next =
    event.key === 'ArrowUp'
      ? blocks.findLast((block) => isOn(block, Node.DOCUMENT_POSITION_PRECEDING))
      : blocks.find((block) => isOn(block, Node.DOCUMENT_POSITION_FOLLOWING));
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Up, Down, Home, and End move between the turns while one of them has the focus. */
function moveBetweenTurns(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.altKey && (event.ctrlKey || event.metaKey) && /^Arrow(?:Up|Down)$/.test(event.key)) {
    moveBetweenBlocks(event);
    return;
  }
  const turns = [...event.currentTarget.querySelectorAll<HTMLElement>('article')];
  const index = event.target instanceof HTMLElement ? turns.indexOf(event.target) : -1;
  const next = turns[nextTurn(event.key, index, turns.length)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/**
 * Shows the end of a thread, and more if these turns are before it. What the user reads stays in its place when earlier
 * items are added.
 */
function useShownItems(
  scroller: RefObject<HTMLElement | null>,
  items: readonly ThreadItem[],
  turnIds: readonly (string | undefined)[],
): { readonly items: readonly ThreadItem[]; readonly part: ShownPart } {
  const { showMore, ...part } = useShownPart(items.length, countFrom(items, turnIds));
  const restore = useRef<(() => void) | undefined>(undefined);
  useLayoutEffect(() => {
    restore.current?.();
    restore.current = undefined;
  }, [part.count]);
  const showEarlier = () => {
    const element = scroller.current;
    const place = element === null ? undefined : placeOf(element, '');
    if (element !== null && place !== undefined) restore.current = () => goToPlace(element, place);
    showMore();
  };
  return { items: items.slice(part.left), part: { ...part, showMore: showEarlier } };
}

/** The number of items from the first one on that contains one of these turns. */
function countFrom(items: readonly ThreadItem[], turnIds: readonly (string | undefined)[]): number {
  const wanted = new Set(turnIds.filter((id) => id !== undefined));
  if (wanted.size === 0) return 0;
  const first = items.findIndex((item) => idsOf(item).some((id) => wanted.has(id)));
  return first === -1 ? 0 : items.length - first;
}

function idsOf(item: ThreadItem): readonly string[] {
  if (item.kind === 'steps') return item.steps.map(({ id }) => id);
  return [item.turn.id, ...answersOf(item.turn).map(({ id }) => id)];
}
