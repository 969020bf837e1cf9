/** Converts bytes to server-sent events and back. */
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { FormatError } from './apiError.ts';
import { isRecord, parseJson } from './json.ts';

export interface ServerSentEvent {
  readonly event?: string;
  readonly data: string;
}

/**
 * Maximum length of one event, in characters: as long as the longest answers with images. Its parts are held in memory
 * until it is complete.
 */
const MAX_EVENT = 16 * 1024 * 1024;
/** Maximum length of an error that is not in an event, in characters. */
const MAX_BARE = 64 * 1024;

/** Decodes bytes, split anywhere (inside a line, a character, a CRLF), to events. One decoder serves one stream. */
export class ServerSentEventDecoder {
  readonly #text = new TextDecoder();
  readonly #ready: ServerSentEvent[] = [];
  /** A lower bound of the characters since the last complete event or comment. Read only. */
  held = 0;
  /** Whether the next character begins a line. */
  #isAtLine = true;
  /** An object that is not in an event, so far. */
  #bare = '';
  readonly #parser = createParser({
    onEvent: (event) => {
      this.held = 0;
      this.#ready.push(namedEvent(event));
    },
    onComment: () => {
      this.held = 0;
    },
  });

  push(bytes: Uint8Array): ServerSentEvent[] {
    return this.feed(this.decode(bytes));
  }

  /** The first half of {@link push}: decodes bytes to text, without an incomplete character at the end. */
  decode(bytes: Uint8Array): string {
    return this.#text.decode(bytes, { stream: true });
  }

  /**
   * The second half of {@link push}: returns the events that this text completes.
   * @throws {FormatError} if an event is longer than {@link MAX_EVENT} and still incomplete.
   */
  feed(text: string): ServerSentEvent[] {
    const startsBare = this.#bare !== '' || (this.#isAtLine && text.startsWith('{'));
    const at = startsBare ? 0 : text.indexOf(BARE_LINE) + 1;
    if (!startsBare && at === 0) this.#feed(text);
    else {
      this.#feed(text.slice(0, at));
      this.#feedBare(text.slice(at));
    }
    return this.#ready.splice(0);
  }

  #feed(text: string): void {
    const before = this.held;
    if (text !== '') this.#isAtLine = text.endsWith('\n');
    // Each event or comment that the text completes sets this to a number.
    this.held = Number.NaN;
    this.#parser.feed(text);
    const isWithin = Number.isNaN(this.held);
    this.held = isWithin ? before + text.length : text.length - (text.lastIndexOf('\n') + 1);
    if (this.held > MAX_EVENT) throw new FormatError('An event is too long.', '');
  }

  /** Reads an object that is not in an event, as some servers write their errors. It counts as an event. */
  #feedBare(text: string): void {
    this.#bare += text;
    const object = objectAtStart(this.#bare);
    if (object === undefined && this.#bare.length <= MAX_BARE) return;
    const rest = this.#bare.slice(object?.length);
    this.#bare = '';
    if (object !== undefined) this.#ready.push({ data: object });
    this.#feed(rest);
  }

  /** Returns the last event of a stream that ended without its final blank line, unless it ended within its data. */
  end(): ServerSentEvent[] {
    this.#parser.feed(this.#text.decode());
    this.#parser.feed('\n\n');
    return this.#ready.splice(0).filter(hasWholeData);
  }
}

const BARE_LINE = '\n{';

/** Returns the object with which the text begins and that ends with a line, or with the text. */
function objectAtStart(text: string): string | undefined {
  for (const { index } of text.matchAll(/\}(?=\s*(?:[\r\n]|$))/g)) {
    const object = text.slice(0, index + 1);
    if (isRecord(parseJson(object))) return object;
  }
  return undefined;
}

/** Whether the data of a stream's last event is complete, which only JSON shows. */
export function hasWholeData({ data }: ServerSentEvent): boolean {
  if (data === '' || data === '[DONE]') return data !== '';
  return !/^\s*[[{"]/.test(data) || parseJson(data) !== undefined;
}

/** Returns the events in these bytes, of any length, including the last one without its final blank line. */
export function eventsIn(bytes: Uint8Array): ServerSentEvent[] {
  const events: ServerSentEvent[] = [];
  const parser = createParser({ onEvent: (event) => events.push(namedEvent(event)) });
  parser.feed(`${new TextDecoder().decode(bytes)}\n\n`);
  return events;
}

function namedEvent({ event, data }: EventSourceMessage): ServerSentEvent {
  return event === undefined ? { data } : { event, data };
}

/** Formats one event as text that can be sent. Every line of `data` becomes a line of the event. */
export function formatServerSentEvent({ event, data }: ServerSentEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${isOneLine(data) ? data : data.split(/\r\n|\r|\n/).join('\ndata: ')}\n\n`;
}

function isOneLine(text: string): boolean {
  return !text.includes('\n') && !text.includes('\r');
}
