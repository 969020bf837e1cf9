/** Converts bytes to server-sent events and back. */
import { createParser } from 'eventsource-parser';
import { FormatError } from './apiError.ts';

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: string;
}

/** Of one event, in characters. Its parts are held until it is whole. */
const MAX_EVENT = 1024 * 1024;

/** Turns bytes, split anywhere (inside a line, a character, a CRLF), into events. One decoder serves one stream. */
export class ServerSentEventDecoder {
  readonly #text = new TextDecoder();
  readonly #ready: ServerSentEvent[] = [];
  /** Since the last event or comment that was whole, at least. */
  #length = 0;
  readonly #parser = createParser({
    onEvent: ({ event, data }) => {
      this.#length = 0;
      this.#ready.push(event === undefined ? { data } : { event, data });
    },
    onComment: () => {
      this.#length = 0;
    },
  });

  push(bytes: Uint8Array): ServerSentEvent[] {
    return this.feed(this.decode(bytes));
  }

  /** The first half of {@link push}: the text of these bytes without an incomplete character. */
  decode(bytes: Uint8Array): string {
    return this.#text.decode(bytes, { stream: true });
  }

  /**
   * The second half of {@link push}: the events that this text completes.
   * @throws {FormatError} when an event is longer than a million characters and still not whole.
   */
  feed(text: string): ServerSentEvent[] {
    const before = this.#length;
    // What comes within an event resets it.
    this.#length = Number.NaN;
    this.#parser.feed(text);
    const isWithin = Number.isNaN(this.#length);
    this.#length = isWithin ? before + text.length : text.length - (text.lastIndexOf('\n') + 1);
    if (this.#length > MAX_EVENT) throw new FormatError('An event is too long.', '');
    return this.#ready.splice(0);
  }

  /** The last event of a stream that ended without its final blank line. */
  end(): ServerSentEvent[] {
    this.#parser.feed(this.#text.decode());
    this.#parser.feed('\n\n');
    return this.#ready.splice(0);
  }
}

/** One event as text, ready to be sent. Every line of `data` becomes a line of the event. */
export function formatServerSentEvent({ event, data }: ServerSentEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${isOneLine(data) ? data : data.split(/\r\n|\r|\n/).join('\ndata: ')}\n\n`;
}

function isOneLine(text: string): boolean {
  return !text.includes('\n') && !text.includes('\r');
}
