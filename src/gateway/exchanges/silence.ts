/**
 * Streams whose upstream is silent: heartbeats, because clients give up on a connection without data, and the end of an
 * answer whose connection stays open.
 */
import type { FormatName } from '../../formats/conversation.ts';
import type { PassedAnswer } from '../usage/passedAnswer.ts';

/** The first heartbeat is sent after one to two intervals of silence, and each further one after one interval. */
const BEAT_MS = 5_000;

/** Receives beats while it is registered with a {@link HeartbeatTimer}. */
export interface HeartbeatListener {
  beat(): void;
}

/** One timer for all streams, because one for each would cost more than the streams themselves. */
class HeartbeatTimer {
  readonly #intervalMs: number;
  readonly #listeners = new Set<HeartbeatListener>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs;
  }

  add(listener: HeartbeatListener): void {
    this.#listeners.add(listener);
    this.#timer ??= setInterval(this.#beat, this.#intervalMs).unref();
  }

  delete(listener: HeartbeatListener): void {
    if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  readonly #beat = (): void => {
    for (const listener of this.#listeners) listener.beat();
  };
}

export const heartbeats = new HeartbeatTimer(BEAT_MS);

/**
 * No blank line follows, because decoders of several SDKs take each blank line for the end of an event, whose data is
 * then no JSON: openai/openai-go#556, openai/openai-python#2722.
 */
const COMMENT = Buffer.from(': ping\n');
const PING = Buffer.from('event: ping\ndata: {"type":"ping"}\n\n');

/**
 * The Messages format has a ping event, which its clients expect after the first event. Other formats use a comment.
 */
export function heartbeatOf(format: FormatName, hasBegun: boolean): Buffer {
  return format === 'messages' && hasBegun ? PING : COMMENT;
}

/** A complete stream ends after one to two intervals of silence, in which its usage may still arrive. */
const SETTLING_MS = 1_000;

const settling = new HeartbeatTimer(SETTLING_MS);

interface SentAnswer {
  readonly bytes: number;
  readonly isCongested: boolean;
}

/** Watches a stream for silence after its last event. Does no work for a stream that is not silent. */
export class QuietStream implements HeartbeatListener {
  readonly #answer: SentAnswer;
  readonly #passed: Pick<PassedAnswer, 'progress'>;
  readonly #onWhole: () => void;
  #bytes = -1;
  #check: NodeJS.Immediate | undefined;

  /** @param onWhole called if the answer is complete, but the upstream leaves the connection open. */
  constructor(answer: SentAnswer, passed: Pick<PassedAnswer, 'progress'>, onWhole: () => void) {
    this.#answer = answer;
    this.#passed = passed;
    this.#onWhole = onWhole;
    settling.add(this);
  }

  beat(): void {
    if (!this.#isSilent()) return;
    // The timers of a process that was busy fire before the bytes that have arrived are read.
    this.#check = setImmediate(() => {
      if (this.#isSilent()) this.#onWhole();
    });
  }

  /** A client that reads slowly keeps the rest of the answer from being read. */
  #isSilent(): boolean {
    const before = this.#bytes;
    this.#bytes = this.#answer.bytes;
    return before === this.#bytes && !this.#answer.isCongested && this.#passed.progress?.hasAllOutput === true;
  }

  close(): void {
    settling.delete(this);
    clearImmediate(this.#check);
  }
}
