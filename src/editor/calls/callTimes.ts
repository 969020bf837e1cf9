import type { ChatEvent } from '../../formats/conversation.ts';

/** When one call began, said something and ended, in milliseconds. The call reports its events here as they come. */
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

  /** From the beginning until now, or until the end. */
  get durationMs(): number {
    return (this.#endedAt ?? performance.now()) - this.#startedAt;
  }

  /** Until the first event of the answer. */
  get firstByteMs(): number | undefined {
    return between(this.#startedAt, this.#firstByteAt);
  }

  /** Until the model's first token of any kind. */
  get firstTokenMs(): number | undefined {
    return between(this.#startedAt, this.#firstTokenAt);
  }

  /** From the first token until now, or until the end. */
  get sinceFirstTokenMs(): number | undefined {
    return between(this.#firstTokenAt, this.#endedAt ?? performance.now());
  }

  /** How long the model reasoned before its first word; undefined without reasoning or before that word. */
  get reasoningMs(): number | undefined {
    return between(this.#firstTokenAt, this.#firstTextAt) || undefined;
  }
}

function between(from: number | undefined, to: number | undefined): number | undefined {
  return from === undefined || to === undefined ? undefined : to - from;
}
