import type { RunningMessage } from './protocol.ts';

/** How often a list on screen is updated. Between two updates, exchanges cause no work. */
const LOOK_MS = 200;

/** Reports what is running, repeatedly while something is. Works by polling, so that exchanges are not slowed down. */
export class RunningWatch {
  readonly #list: () => RunningMessage;
  readonly #report: (running: RunningMessage) => void;
  #timer: NodeJS.Timeout | undefined;
  #wasEmpty = false;

  constructor(list: () => RunningMessage, report: (running: RunningMessage) => void) {
    this.#list = list;
    this.#report = report;
  }

  /** Reports immediately, even if the watch was already on, because there is a new subscriber. */
  start(): void {
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref();
    this.#wasEmpty = false;
    this.#look();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    const running = this.#list();
    const isEmpty = running.exchanges.length === 0 && running.calls.length === 0;
    if (isEmpty && this.#wasEmpty) return;
    this.#wasEmpty = isEmpty;
    this.#report(running);
  }
}
