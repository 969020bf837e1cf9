import type { RunningExchange } from './protocol.ts';

/** As often as a list changes before the eyes; nothing is done for exchanges between two looks. */
const LOOK_MS = 200;

/** Tells what runs, again and again while something does. Exchanges cost nothing for being watched. */
export class RunningWatch {
  readonly #list: () => readonly RunningExchange[];
  readonly #tell: (running: readonly RunningExchange[]) => void;
  #timer: NodeJS.Timeout | undefined;
  #wasEmpty = false;

  constructor(list: () => readonly RunningExchange[], tell: (running: readonly RunningExchange[]) => void) {
    this.#list = list;
    this.#tell = tell;
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
    if (running.length === 0 && this.#wasEmpty) return;
    this.#wasEmpty = running.length === 0;
    this.#tell(running);
  }
}
