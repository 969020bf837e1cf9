import type { FormatName } from '../../formats/conversation.ts';
import { type HeartbeatListener, HeartbeatTimer } from './heartbeat.ts';

/** A complete stream ends after one to two intervals of silence, in which its usage may still arrive. */
const SETTLING_MS = 1_000;

const timer = new HeartbeatTimer(SETTLING_MS);

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
    timer.add(this);
  }

  beat(): void {
    const { bytes, isWhole, onWhole } = this.#options;
    const before = this.#bytes;
    this.#bytes = bytes();
    if (before === this.#bytes && isWhole()) onWhole();
  }

  close(): void {
    timer.delete(this);
  }
}
