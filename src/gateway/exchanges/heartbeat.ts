/** Signs of life on streams whose upstream says nothing: clients give up on a connection that is silent for long. */
import type { FormatName } from '../../formats/conversation.ts';

/** The first heartbeat comes after one to two of these in silence, the next after one each. */
const BEAT_MS = 5_000;

/** Something that beats as long as it is in the {@link HeartbeatTimer}. */
export interface HeartbeatListener {
  beat(): void;
}

/** One timer for all streams: one each would cost more than the streams do. */
export class HeartbeatTimer {
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

const COMMENT = ': ping\n\n';
const PING = 'event: ping\ndata: {"type":"ping"}\n\n';

/** Messages has an event of its own, which its clients expect after the first one; elsewhere it is a comment. */
export function heartbeatOf(format: FormatName, hasBegun: boolean): string {
  return format === 'messages' && hasBegun ? PING : COMMENT;
}

/** Enough of the end of a stream to see whether an event is complete. */
const TAIL_BYTES = 4;

/** The end of what was sent, once `chunk` is. */
export function tailAfter(tail: Uint8Array | string, chunk: Uint8Array | string): Uint8Array | string {
  if (chunk.length >= TAIL_BYTES) return chunk;
  return Buffer.concat([lastBytes(tail), lastBytes(chunk)]);
}

/** Whether what was sent ends where another event may begin: after a blank line, or at the very beginning. */
export function endsAtEvent(tail: Uint8Array | string): boolean {
  return tail.length === 0 || /(?:\n\n|\r\r|\r\n\r\n)$/.test(lastBytes(tail).toString('latin1'));
}

function lastBytes(sent: Uint8Array | string): Buffer {
  return Buffer.from(typeof sent === 'string' ? sent.slice(-TAIL_BYTES) : sent.slice(-TAIL_BYTES));
}
