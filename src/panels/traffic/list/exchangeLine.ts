import { formatLatency, formatSeconds } from '../../../display/time.ts';
import type { TrafficRow, ViewContext } from '../../../pages/traffic/protocol.ts';
import { outcomeOf } from '../../../rules/exchange.ts';
import {
  chargeText,
  clockTime,
  costText,
  costTitle,
  endWord,
  isSample,
  keyName,
  RESULT_ICONS,
  resultWord,
  tokensText,
  toolName,
} from '../words.ts';
import { type ColumnRoom, textWidth } from './columnRoom.ts';
import { type TimeScale, waterfallBar } from './scale.ts';

/** State that all lines of the list share. */
export interface LineView {
  readonly rowHeight: number;
  readonly scale: TimeScale;
  readonly viewContext: ViewContext | undefined;
  readonly room: ColumnRoom;
  /** IDs of the active and the open exchange. */
  readonly activeId: string | undefined;
  readonly openId: string | undefined;
}

export function lineId(id: string): string {
  return `exchange-${id}`;
}

/**
 * The element of one exchange, which the keyboard reaches through the list. It is written without a library: while the
 * list scrolls it gets another exchange every few frames, and only differences are applied.
 */
export class ExchangeLine {
  readonly element = document.createElement('div');
  readonly #icon = document.createElement('span');
  readonly #result = cell('result');
  readonly #time = cell('time number');
  readonly #tool = cell('tool');
  readonly #model = cell('model');
  readonly #input = cell('figure number in');
  readonly #output = cell('figure number out');
  readonly #cost = cell('figure number cost');
  readonly #axis = cell('axis');
  readonly #waterfall = new Waterfall(this.#axis);
  #row: TrafficRow | undefined;
  #index: number | undefined;
  #view: LineView | undefined;

  constructor() {
    this.element.setAttribute('role', 'row');
    this.#icon.setAttribute('role', 'img');
    this.#result.append(this.#icon);
    const texts = [this.#time, this.#tool, this.#model, this.#input, this.#output, this.#cost];
    for (const each of texts) each.append('');
    this.element.append(this.#result, ...texts, this.#axis);
  }

  /** @returns whether its texts and bars were updated. */
  show(row: TrafficRow, index: number, view: LineView): boolean {
    const before = this.#view;
    const isElsewhere = view.scale !== before?.scale || view.room !== before.room;
    const isNew = row !== this.#row || isElsewhere || view.viewContext !== before.viewContext;
    if (index !== this.#index) this.element.setAttribute('aria-rowindex', String(index + 2));
    if (row.id !== this.#row?.id) this.element.id = lineId(row.id);
    if (isNew) this.#fill(row, view);
    if (isNew || view.activeId !== before?.activeId || view.openId !== before?.openId) this.#mark(row, view);
    this.#row = row;
    this.#index = index;
    this.#view = view;
    return isNew;
  }

  #mark({ id }: TrafficRow, { activeId, openId }: LineView): void {
    setClass(this.element, `line${id === activeId ? ' active' : ''}${id === openId ? ' open' : ''}`);
    setAttribute(this.element, 'aria-selected', String(id === openId));
  }

  #fill(row: TrafficRow, { scale, viewContext, room }: LineView): void {
    const result = outcomeOf(row);
    const waits = result === 'running' && row.waitsFor !== undefined;
    const word = waits ? endWord(row) : resultWord(result);
    setClass(this.#result, `cell result ${result}`);
    setAttribute(this.#result, 'title', word);
    setClass(this.#icon, `codicon codicon-${waits ? 'clockface' : RESULT_ICONS[result]} icon-14`);
    setAttribute(this.#icon, 'aria-label', word);

    const tool = toolName(row, viewContext);
    const model = row.model ?? row.endpoint ?? '';
    const names = [row.client, keyName(row, viewContext)].filter((name) => name !== undefined);
    setText(this.#time, clockTime(row.at));
    setText(this.#tool, tool);
    setClass(this.#tool, `cell tool${textWidth(tool) > room.tool ? ' clipped' : ''}`);
    setAttribute(this.#tool, 'title', names.join(' · '));
    setText(this.#model, model);
    setClass(this.#model, `cell model${textWidth(model) > room.model ? ' clipped' : ''}`);
    setAttribute(this.#model, 'title', row.model);

    setText(this.#input, tokensText(row, 'inputTokens'));
    setText(this.#output, tokensText(row, 'outputTokens'));
    setText(this.#cost, costText(row));
    const isFailure = result === 'failed' || result === 'refused';
    setClass(this.#cost, `cell figure number cost${isFailure ? ' failure' : ''}${isSample(row) ? ' sample' : ''}`);
    const cost = row.cost === undefined ? undefined : chargeText(row, row.cost);
    setAttribute(this.#cost, 'title', cost === undefined ? undefined : costTitle(cost, isSample(row)));
    this.#waterfall.show(row, scale);
  }
}

function cell(classes: string): HTMLElement {
  const element = document.createElement('span');
  element.setAttribute('role', 'gridcell');
  element.className = `cell ${classes}`;
  return element;
}

/** A shorter time in the gateway would not be visible. As a fraction of the axis. */
const MIN_QUEUE = 0.015;

/** Shows how long an exchange was in the gateway, waited, and received, on the axis of the list. */
class Waterfall {
  readonly #cell: HTMLElement;
  readonly #queue = span('queue');
  readonly #failed = span('attempt');
  readonly #wait = span('wait');
  readonly #receive = span('receive');
  readonly #duration = span('duration number');

  constructor(cell: HTMLElement) {
    this.#cell = cell;
    this.#duration.append('');
    const bars = span('bars');
    bars.append(this.#wait, this.#duration);
    cell.append(bars);
  }

  show(row: TrafficRow, scale: TimeScale): void {
    const { queue, failed, wait, receive, isLongWait, isCut } = waterfallBar(row, scale);
    const result = outcomeOf(row);
    setClass(this.#cell, `cell axis waterfall ${result}${isCut ? ' cut' : ''}`);
    setClass(this.#wait, isLongWait ? 'wait long' : 'wait');
    this.#wait.style.width = percent(wait);
    if (queue >= MIN_QUEUE) {
      this.#queue.style.width = percent(queue);
      this.#wait.before(this.#queue);
    } else this.#queue.remove();
    if (failed > 0) {
      this.#failed.style.width = percent(failed);
      this.#wait.before(this.#failed);
    } else this.#failed.remove();
    if (receive > 0) {
      this.#receive.style.width = percent(receive);
      this.#wait.after(this.#receive);
    } else this.#receive.remove();
    const text = result === 'running' ? formatSeconds(row.durationMs) : formatLatency(row.durationMs);
    setText(this.#duration, text);
  }
}

function span(classes: string): HTMLElement {
  const element = document.createElement('span');
  element.className = classes;
  return element;
}

function percent(part: number): string {
  return `${part * 100}%`;
}

// Setters that change the document only if the value differs, because the browser does not compare values itself.
function setClass(element: HTMLElement, classes: string): void {
  if (element.className !== classes) element.className = classes;
}

function setAttribute(element: HTMLElement, name: string, value: string | undefined): void {
  if (value === undefined) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** @param element an element with a single text node. */
function setText(element: HTMLElement, text: string): void {
  const node = element.firstChild;
  if (node !== null && node.nodeValue !== text) node.nodeValue = text;
}
