import { formatLatency, formatSeconds } from '../../../display/time.ts';
import type { TrafficRow } from '../../../editor/traffic/protocol.ts';
import { outcomeOf } from '../../../rules/exchange.ts';
import { setClass, setText } from './changes.ts';
import { type TimeScale, waterfallBar } from './scale.ts';

/** A shorter time in the gateway would not be visible. As a fraction of the axis. */
const MIN_QUEUE = 0.015;

/** Shows how long an exchange was in the gateway, waited, and received, on the axis of the list. */
export class Waterfall {
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
