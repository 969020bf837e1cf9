import type { RunningMessage } from './protocol.ts';

/** As often as a list changes before the eyes; nothing is done for exchanges between two looks. */
const LOOK_MS = 200;

/** Tells what runs, again and again while something does. Exchanges cost nothing for being watched. */
export class RunningWatch {
  readonly #list: () => RunningMessage;
  readonly #report: (running: RunningMessage) => void;
  #timer: NodeJS.Timeout | undefined;
  #wasEmpty = false;

  constructor(list: () => RunningMessage, report: (running: RunningMessage) => void) {
    this.#list = list;
    this.#report = report;
  }

  /** Tells at once, even when it was on already: somebody has joined. */
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
