/** Converts bytes to server-sent events and back. */
import { createParser } from 'eventsource-parser';

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: string;
}

/** Turns bytes, split anywhere (inside a line, a character, a CRLF), into events. One decoder serves one stream. */
export class ServerSentEventDecoder {
  readonly #text = new TextDecoder();
  readonly #ready: ServerSentEvent[] = [];
  readonly #parser = createParser({
    onEvent: ({ event, data }) => this.#ready.push(event === undefined ? { data } : { event, data }),
  });

  push(bytes: Uint8Array): ServerSentEvent[] {
    return this.feed(this.decode(bytes));
  }

  /** The first half of {@link push}: the text of these bytes without an incomplete character. */
  decode(bytes: Uint8Array): string {
    return this.#text.decode(bytes, { stream: true });
  }

  /** The second half of {@link push}: the events that this text completes. */
  feed(text: string): ServerSentEvent[] {
    this.#parser.feed(text);
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
