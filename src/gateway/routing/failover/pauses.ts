import type { Failure } from './failure.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Neither a key nor an account nor a list of models is mended within seconds. */
const AUTH_PAUSE_MS = 60_000;
const CREDIT_PAUSE_MS = 10 * 60_000;
const GONE_PAUSE_MS = 5 * 60_000;
/** A date far away may be a mistake of somebody's clock. */
const MAX_ASKED_PAUSE_MS = 60 * 60_000;
/** Callers choose the names of models. */
const MAX_MODELS = 1_000;

interface Pause {
  readonly until: number;
  readonly lengthMs: number;
}

/**
 * For how long one upstream is not asked while others can be: after a rate limit or a missing model for that model, after
 * a refused key or an exhausted credit for all models.
 */
export class Pauses {
  readonly #now: () => number;
  readonly #ofModels = new Map<string, Pause>();
  #ofAll = 0;

  /** @param now in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isPaused(model: string): boolean {
    const now = this.#now();
    return now < this.#ofAll || now < (this.#ofModels.get(model)?.until ?? 0);
  }

  failed(model: string, { trigger, retryAfterMs }: Failure): void {
    const asked = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, MAX_ASKED_PAUSE_MS);
    if (trigger === 'rate') this.#pause(model, asked ?? this.#nextPause(model));
    else if (trigger === 'gone') this.#pause(model, GONE_PAUSE_MS);
    else if (trigger === 'credit') this.#ofAll = this.#now() + (asked ?? CREDIT_PAUSE_MS);
    else if (trigger === 'auth') this.#ofAll = this.#now() + AUTH_PAUSE_MS;
  }

  succeeded(model: string): void {
    this.#ofModels.delete(model);
    this.#ofAll = 0;
  }

  /** Twice as long each time, until an answer came. */
  #nextPause(model: string): number {
    const before = this.#ofModels.get(model)?.lengthMs;
    return before === undefined ? FIRST_PAUSE_MS : Math.min(before * 2, MAX_PAUSE_MS);
  }

  #pause(model: string, lengthMs: number): void {
    this.#ofModels.delete(model);
    this.#ofModels.set(model, { until: this.#now() + lengthMs, lengthMs });
    const [oldest] = this.#ofModels.keys();
    if (this.#ofModels.size > MAX_MODELS && oldest !== undefined) this.#ofModels.delete(oldest);
  }
}
