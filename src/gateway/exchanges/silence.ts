/**
 * Streams whose upstream is silent: heartbeats, because clients give up on a connection without data, and the end of an
 * answer whose connection stays open.
 */
import type { FormatName } from '../../formats/conversation.ts';

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

const COMMENT = Buffer.from(': ping\n\n');
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

/** The last event of each format, for streams that omit it. */
export const LAST_EVENTS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'data: [DONE]\n\n',
  messages: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  responses: '',
};

interface QuietOptions {
  /** Returns the number of bytes received so far. */
  readonly bytes: () => number;
  /** Whether the answer is complete, apart from its last event. Only called during silence. */
  readonly isWhole: () => boolean;
  /** Called if the answer is complete, but the upstream leaves the connection open. */
  readonly onWhole: () => void;
}

/** Watches a stream for silence after its last event. Does no work for a stream that is not silent. */
export class QuietStream implements HeartbeatListener {
  readonly #options: QuietOptions;
  #bytes = -1;

  constructor(options: QuietOptions) {
    this.#options = options;
    settling.add(this);
  }

  beat(): void {
    const { bytes, isWhole, onWhole } = this.#options;
    const before = this.#bytes;
    this.#bytes = bytes();
    if (before === this.#bytes && isWhole()) onWhole();
  }

  close(): void {
    settling.delete(this);
  }
}
