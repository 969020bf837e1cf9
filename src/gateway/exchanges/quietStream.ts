import type { FormatName } from '../../formats/conversation.ts';
import { type HeartbeatListener, HeartbeatTimer } from './heartbeat.ts';

/** A stream that has said everything ends after one to two of these in silence, in which its usage may still come. */
const SETTLING_MS = 1_000;

const timer = new HeartbeatTimer(SETTLING_MS);

/** The last event of a format, for streams that leave it out. */
export const LAST_EVENTS: Readonly<Record<FormatName, string>> = {
  'chat-completions': 'data: [DONE]\n\n',
  messages: 'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  responses: '',
};

interface QuietOptions {
  /** How much has come so far. */
  readonly bytes: () => number;
  /** Whether the answer is whole, apart from its last event. Only asked in silence. */
  readonly isWhole: () => boolean;
  /** Called when it is, and the upstream leaves the connection open nevertheless. */
  readonly onWhole: () => void;
}

/** Watches a stream for the silence after its last word. Costs nothing while there is no silence. */
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
