import { BoundedMap } from '../../../rules/boundedMap.ts';
import type { HealthProblem, PauseReason } from '../../core/healthProblem.ts';
import type { Failure } from './failure.ts';

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** Keys, accounts, and lists of models are not corrected within seconds. */
const AUTH_PAUSE_MS = 60_000;
const CREDIT_PAUSE_MS = 10 * 60_000;
const GONE_PAUSE_MS = 5 * 60_000;
/** A longer delay may be due to a wrong clock. */
const MAX_ASKED_PAUSE_MS = 60 * 60_000;
/** Limits the memory, because callers choose the names of models. */
const MAX_MODELS = 1_000;

interface Pause {
  readonly reason: PauseReason;
  readonly begunAt: number;
  readonly until: number;
  readonly lengthMs: number;
}

/**
 * How long an upstream is not asked while others are available: after a rate limit or an unknown model for that model,
 * after a refused key or an exhausted credit for all models. Since requests run in parallel, an answer or failure only
 * affects pauses that started before its request was sent.
 */
export class Pauses {
  readonly #now: () => number;
  readonly #ofModels = new BoundedMap<string, Pause>(MAX_MODELS);
  #ofAll: Pause | undefined;

  /** @param now returns milliseconds. */
  constructor(now: () => number = performance.now.bind(performance)) {
    this.#now = now;
  }

  /** Whether there are none, not even ended ones. */
  get isEmpty(): boolean {
    return this.#ofAll === undefined && this.#ofModels.size === 0;
  }

  isPaused(model: string): boolean {
    const now = this.#now();
    return now < (this.#ofAll?.until ?? 0) || now < (this.#ofModels.get(model)?.until ?? 0);
  }

  get problems(): readonly Omit<HealthProblem, 'upstream'>[] {
    const all: readonly (readonly [string | undefined, Pause | undefined])[] = [
      [undefined, this.#ofAll],
      ...this.#ofModels,
    ];
    const now = this.#now();
    const epoch = Date.now() - now;
    return all.flatMap(([model, pause]) => {
      if (pause === undefined || pause.until <= now) return [];
      const { reason, begunAt, until } = pause;
      return [{ ...(model !== undefined && { model }), reason, since: epoch + begunAt, until: epoch + until }];
    });
  }

  /** @param sentAt when the request was sent, on the same clock. */
  failed(model: string, { trigger, retryAfterMs }: Failure, sentAt = this.#now()): void {
    const asked = retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, MAX_ASKED_PAUSE_MS);
    if (trigger === 'rate') this.#limited(model, asked, sentAt);
    else if (trigger === 'gone') this.#pause(model, trigger, GONE_PAUSE_MS);
    else if (trigger === 'credit') this.#ofAll = this.#pauseOf(trigger, asked ?? CREDIT_PAUSE_MS);
    else if (trigger === 'auth') this.#ofAll = this.#pauseOf(trigger, AUTH_PAUSE_MS);
  }

  /** @param sentAt when the request was sent, on the same clock. */
  succeeded(model: string, sentAt = this.#now()): void {
    if (hasBegun(this.#ofModels.get(model), sentAt)) this.#ofModels.delete(model);
    if (hasBegun(this.#ofAll, sentAt)) this.#ofAll = undefined;
  }

  /** Parallel requests that are refused count as one refusal. */
  #limited(model: string, asked: number | undefined, sentAt: number): void {
    const before = this.#ofModels.get(model);
    const isNew = before === undefined || hasBegun(before, sentAt);
    // An upstream that asks for no pause and refuses again does not know how long it takes.
    const isAsked = asked !== undefined && (asked > 0 || before === undefined);
    const lengthMs = isAsked ? asked : isNew ? nextLength(before) : 0;
    const isShorter = !isNew && this.#now() + lengthMs <= before.until;
    if (!isShorter) this.#pause(model, 'rate', lengthMs);
  }

  #pause(model: string, reason: PauseReason, lengthMs: number): void {
    this.#ofModels.set(model, this.#pauseOf(reason, lengthMs));
  }

  #pauseOf(reason: PauseReason, lengthMs: number): Pause {
    const begunAt = this.#now();
    return { reason, begunAt, until: begunAt + lengthMs, lengthMs };
  }
}

function hasBegun(pause: Pause | undefined, at: number): boolean {
  return pause !== undefined && pause.begunAt <= at;
}

/** Doubles with each failure until there is an answer. */
function nextLength(before: Pause | undefined): number {
  if (before === undefined) return FIRST_PAUSE_MS;
  return Math.min(Math.max(before.lengthMs * 2, FIRST_PAUSE_MS), MAX_PAUSE_MS);
}
