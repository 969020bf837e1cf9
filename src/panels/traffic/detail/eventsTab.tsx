import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import { formatLatency } from '../../../display/time.ts';
import type { BodyPart, ShownEvent } from '../../../pages/traffic/protocol.ts';
import { useScroll } from '../../shared/hooks.ts';
import type { OpenExchange } from '../store.ts';
import { rowWindow, scrollToRow } from '../virtualRows.ts';
import { type EventLine, eventLines, eventText, LONG_GAP_MS } from './eventLines.ts';
import { JsonText } from './jsonTree.tsx';
import { NotCaptured } from './messageTab.tsx';

const LINE_HEIGHT = 22;

/** The events of a stream with their times and the gaps between them. */
export function EventsTab({ open, isRunning }: { readonly open: OpenExchange; readonly isRunning: boolean }) {
  const { answer, upstreamAnswer } = open.bodies;
  const [side, setSide] = useState<BodyPart>('answer');
  const hasBoth = answer?.events !== undefined && upstreamAnswer?.events !== undefined;
  const shown = side === 'upstreamAnswer' && hasBoth ? upstreamAnswer : (answer ?? upstreamAnswer);
  if (open.details !== undefined && !open.details?.bodies.some(({ part }) => part === 'answer')) return <NotCaptured />;
  if (shown === undefined) return null;
  if (shown.events === undefined) return <p class="quiet">{l10n.t('The response was not streamed.')}</p>;
  if (shown.events.length === 0 && isRunning) return <p class="quiet">{l10n.t('No events yet.')}</p>;
  return (
    <>
      {hasBoth && (
        <fieldset class="segments" aria-label={l10n.t('Side')}>
          {(['answer', 'upstreamAnswer'] as const).map((part) => (
            <button key={part} type="button" aria-pressed={side === part} onClick={() => setSide(part)}>
              {part === 'answer' ? l10n.t('Client') : l10n.t('Upstream')}
              {` · ${open.bodies[part]?.format ?? ''}`}
            </button>
          ))}
        </fieldset>
      )}
      <EventList events={shown.events} />
    </>
  );
}

function EventList({ events }: { readonly events: readonly ShownEvent[] }) {
  const list = useRef<HTMLDivElement>(null);
  const { top, height } = useScroll(list);
  const [chosen, setChosen] = useState(0);
  const lines = eventLines(events);
  const { first, end } = rowWindow(lines.length, LINE_HEIGHT, top, height);
  const choose = (nth: number) => {
    const next = Math.min(events.length - 1, Math.max(0, nth));
    setChosen(next);
    const at = lines.findIndex((line) => line.kind === 'event' && line.nth === next);
    if (list.current !== null) scrollToRow(list.current, at, LINE_HEIGHT);
  };
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    choose(chosen + step);
  };
  return (
    <>
      <div
        class="events"
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={l10n.t('Events')}
        aria-activedescendant={`event-${chosen}`}
        onKeyDown={press}
      >
        <div role="presentation" style={{ height: `${lines.length * LINE_HEIGHT}px` }}>
          {lines.slice(first, end).map((line, nth) => (
            <Line
              key={`${line.kind}-${line.nth}`}
              line={line}
              top={(first + nth) * LINE_HEIGHT}
              isChosen={line.kind === 'event' && line.nth === chosen}
              onChoose={() => setChosen(line.nth)}
            />
          ))}
        </div>
      </div>
      <JsonText text={events[chosen]?.data ?? ''} label={l10n.t('Body')} />
    </>
  );
}

interface LineProps {
  readonly line: EventLine;
  readonly top: number;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function Line({ line, top, isChosen, onChoose }: LineProps) {
  const style = { top: `${top}px` };
  if (line.kind === 'gap') {
    return (
      <div role="presentation" class={`event gap ${line.ms >= LONG_GAP_MS ? 'long' : ''}`} style={style}>
        {l10n.t('{0} without events', formatLatency(line.ms))}
      </div>
    );
  }
  const { atMs, name, data } = line.event;
  const text = eventText(data);
  return (
    <div
      role="option"
      id={`event-${line.nth}`}
      class={`event ${isChosen ? 'chosen' : ''}`}
      style={style}
      aria-selected={isChosen}
      onClick={onChoose}
    >
      <span class="at number">{(atMs / 1000).toFixed(3)}</span>
      <span class="since number" title={l10n.t('Since the event before')}>{`+${formatLatency(line.sinceMs)}`}</span>
      <span class="name">{name ?? typeIn(data)}</span>
      {text === undefined ? <span class="data">{data}</span> : <span class="data text">{text}</span>}
    </div>
  );
}

/** Returns the type in the event's data, for events without an `event:` line. */
function typeIn(data: string): string {
  return /^\{"type":"([\w.]+)"/.exec(data)?.[1] ?? '';
}
