import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { TrafficRow } from '../../../pages/traffic/protocol.ts';
import { useScroll } from '../../shared/hooks.ts';
import { targetOf } from '../../shared/keys.ts';
import { useStore } from '../store.ts';
import { rowWindow, scrollToRow } from '../virtualRows.ts';
import { useColumnRoom } from './columnRoom.ts';
import { type LineView, lineId } from './exchangeLine.ts';
import { ExchangeLines } from './exchangeLines.ts';
import { type TimeScale, timeScale } from './scale.ts';

/** The row height, as in the styles. */
const ROW_HEIGHT = 28;
const NEAR_THE_END = 40;

/** The list of requests. It is one tab stop, and only rows near the view are rendered. */
export function ExchangeGrid() {
  const store = useStore();
  const body = useRef<HTMLDivElement>(null);
  const head = useRef<HTMLDivElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const room = useColumnRoom(head);
  const { top, height, barWidth } = useScroll(body);
  const rows = store.rows.value;
  const activeId = store.activeId.value;
  const openId = store.open.value?.id;
  const viewContext = store.viewContext.value;
  const scale = useTimeScale(rows);
  const inSight = rowWindow(rows.length, ROW_HEIGHT, top, height, 0);
  const { first, end } = inSight;
  const active = useMemo(() => rows.findIndex(({ id }) => id === activeId), [rows, activeId]);
  useEffect(() => {
    if (rows.length - end < NEAR_THE_END) store.readMore();
  }, [rows.length, end, store]);

  const view = useMemo<LineView>(
    () => ({ rowHeight: ROW_HEIGHT, scale, viewContext, room, activeId, openId }),
    [scale, viewContext, room, activeId, openId],
  );
  const lines = useDrawnLines(body, inside, { rows, inSight, view });
  const open = (event: MouseEvent) => {
    const row = lines.current?.rowAt(event.target);
    if (row !== undefined) store.openExchange(row);
  };

  const { show, press } = useRowKeys(body, active, Math.floor(height / ROW_HEIGHT));
  // Preact does not compare an identical element, so the header is not rendered again while the list scrolls.
  const names = useMemo(() => <GridHead scale={scale} element={head} barWidth={barWidth} />, [scale, barWidth]);
  const isActiveInSight = active >= first && active < end;
  return (
    <div
      class="grid"
      role="grid"
      id="exchanges"
      tabIndex={0}
      aria-label={l10n.t('Requests')}
      aria-rowcount={rows.length + 1}
      aria-activedescendant={isActiveInSight && activeId !== undefined ? lineId(activeId) : undefined}
      onKeyDown={press}
      onFocus={() => active === -1 && show(0)}
      onClick={open}
    >
      {names}
      <div class="grid-body" role="rowgroup" ref={body}>
        <div class="grid-room" role="presentation" ref={inside} style={{ height: `${rows.length * ROW_HEIGHT}px` }} />
      </div>
    </div>
  );
}

/**
 * Moves between rows with the keyboard.
 * @param page number of visible rows.
 */
function useRowKeys(body: RefObject<HTMLElement | null>, active: number, page: number) {
  const store = useStore();
  const rows = store.rows.value;
  const show = (index: number) => {
    const row = rows[index];
    const element = body.current;
    if (row === undefined || element === null) return;
    store.activeId.value = row.id;
    scrollToRow(element, index, ROW_HEIGHT);
  };
  const press = (event: KeyboardEvent) => {
    const row = rows[active];
    if (event.key === 'Enter' && row !== undefined) {
      store.openExchange(row);
      return;
    }
    const target = targetOf(event.key, active, rows.length, page);
    if (target === undefined) return;
    event.preventDefault();
    show(target);
  };
  return { show, press };
}

/** Renders the visible lines after each change. */
function useDrawnLines(
  body: RefObject<HTMLElement | null>,
  inside: RefObject<HTMLElement | null>,
  shown: Parameters<ExchangeLines['show']>[0],
): RefObject<ExchangeLines | undefined> {
  const lines = useRef<ExchangeLines>(undefined);
  useLayoutEffect(() => {
    if (inside.current === null || body.current === null) return;
    lines.current ??= new ExchangeLines(inside.current);
    const added = lines.current.show(shown);
    // If the user has scrolled away from the beginning, the same rows stay visible.
    if (added !== 0 && body.current.scrollTop > 0) body.current.scrollTop += added * ROW_HEIGHT;
  });
  useEffect(() => () => lines.current?.stop(), []);
  return lines;
}

/** Returns the axis of the list. An unchanged axis is the same object, so that no row is updated for it. */
function useTimeScale(rows: readonly TrafficRow[]): TimeScale {
  const last = useRef<TimeScale>(undefined);
  return useMemo(() => {
    const next = timeScale(rows);
    const isSame = last.current?.maxMs === next.maxMs && last.current.ticks.length === next.ticks.length;
    last.current = isSame ? last.current : next;
    return last.current ?? next;
  }, [rows]);
}

interface GridHeadProps {
  readonly scale: TimeScale;
  readonly element: RefObject<HTMLDivElement | null>;
  /** Width of the scrollbar beside the rows, which the columns leave free. */
  readonly barWidth: number;
}

/** The column headers, and the axis of the waterfall. */
function GridHead({ scale, element, barWidth }: GridHeadProps) {
  const columns: readonly (readonly [name: string, text: string, title?: string])[] = [
    ['time', l10n.t('Time')],
    ['tool', l10n.t('Tool')],
    ['model', l10n.t('Model')],
    ['figure in', l10n.t('In'), l10n.t('Input tokens')],
    ['figure out', l10n.t('Out'), l10n.t('Output tokens')],
    ['figure cost', l10n.t('Cost')],
  ];
  return (
    <div role="rowgroup" class="grid-head" ref={element} style={{ paddingInlineEnd: `${barWidth}px` }}>
      <div role="row" class="line" aria-rowindex={1}>
        <span role="columnheader" class="cell result">
          <span class="hidden-text">{l10n.t('Result')}</span>
        </span>
        {columns.map(([name, text, title]) => (
          <span key={name} role="columnheader" class={`cell ${name}`} title={title}>
            {text}
          </span>
        ))}
        <span role="columnheader" class="cell axis">
          <span class="hidden-text">{l10n.t('Duration')}</span>
          <span class="bars ticks number" aria-hidden="true">
            {scale.ticks.map((tick) => (
              <span key={tick} class="tick" style={{ left: `${(tick / scale.maxMs) * 100}%` }}>
                {tick === 0 ? '0 s' : secondsOf(tick)}
              </span>
            ))}
          </span>
        </span>
      </div>
    </div>
  );
}

function secondsOf(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
