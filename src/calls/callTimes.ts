import type { ChatEvent } from '../formats/answer.ts';

/**
 * The times at which one call started, produced its first output, and ended, in milliseconds. The call reports its
 * events here as they arrive.
 */
export class CallTimes {
  readonly #startedAt = performance.now();
  #firstByteAt: number | undefined;
  #firstTokenAt: number | undefined;
  #firstTextAt: number | undefined;
  #endedAt: number | undefined;

  see({ type }: ChatEvent): void {
    const now = performance.now();
    this.#firstByteAt ??= now;
    const isText = type === 'textDelta' || type === 'refusalDelta';
    if (isText) this.#firstTextAt ??= now;
    if (isText || type === 'reasoningDelta' || type === 'toolCallDelta') this.#firstTokenAt ??= now;
  }

  end(): void {
    this.#endedAt ??= performance.now();
  }

  get isOver(): boolean {
    return this.#endedAt !== undefined;
  }

  /** The time from the start until now, or until the end. */
  get durationMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt;
  }

  /** The time until the answer's first event. */
  get firstByteMs(): number | undefined {
    return between(this.#startedAt, this.#firstByteAt);
  }

  /** The time until the model's first token of any kind. */
  get firstTokenMs(): number | undefined {
    return between(this.#startedAt, this.#firstTokenAt);
  }

  /** The time from the first token until now, or until the end. */
  get sinceFirstTokenMs(): number | undefined {
    return between(this.#firstTokenAt, this.#endedAt ?? performance.now());
  }

  /** The time that the model reasoned before its first text token; undefined without reasoning or before that token. */
  get reasoningMs(): number | undefined {
    return between(this.#firstTokenAt, this.#firstTextAt) || undefined;
  }
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}
