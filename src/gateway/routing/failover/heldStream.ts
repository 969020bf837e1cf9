import type { ApiError } from '../../../formats/apiError.ts';
import { type ServerSentEvent, ServerSentEventDecoder } from '../../../formats/serverSentEvents.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { ByteList } from '../../http/byteList.ts';
import { endOfFirstEvent } from '../../http/eventBounds.ts';
import { type EventKind, eventKind } from './eventKind.ts';

const MAX_EVENTS = 64;
/** Beside events, some servers send a comment each second. */
const MAX_BLOCKS = 512;
/** What has arrived of an event is searched with each chunk. */
const MAX_CHUNKS = 2048;
const MAX_BYTES = 256 * 1024;
const SIGNS_OF_LIFE: ReadonlySet<string> = new Set(['ping', 'keepalive']);
/** Separator of events that few servers use. */
const BLANK_LINE_OF_RETURNS = '\r\r';

/** Holds back the beginning of a stream until it is known whether the upstream answers. */
export class HeldStream {
  readonly #format: WireFormat;
  readonly #chunks = new ByteList();
  readonly #events: ServerSentEvent[] = [];
  /** Number of blocks that were read: events, comments, and blocks without data. */
  #blocks = 0;
  #chunkCount = 0;
  #rest: Buffer = Buffer.alloc(0);
  #bytes = 0;

  /** @param format the upstream's format. */
  constructor(format: WireFormat) {
    this.#format = format;
  }

  get chunks(): readonly Buffer[] {
    return this.#chunks.pieces;
  }

  /**
   * @returns the kind of the first event that is not a preamble, or `output` if the stream is too long to be held.
   *   Later events are not read.
   */
  add(chunk: Buffer): Exclude<EventKind, 'preamble'> | undefined {
    this.#chunks.add(chunk);
    this.#chunkCount += 1;
    this.#bytes += chunk.length;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    for (let end = this.#endOfEvent(); end !== -1; end = this.#endOfEvent()) {
      const kind = this.#read(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
      if (kind !== 'preamble') return kind;
      if (this.#isTooLong) return 'output';
    }
    return this.#isTooLong ? 'output' : undefined;
  }

  get #isTooLong(): boolean {
    if (this.#events.length >= MAX_EVENTS || this.#blocks >= MAX_BLOCKS) return true;
    return this.#bytes > MAX_BYTES || this.#chunkCount >= MAX_CHUNKS;
  }

  /**
   * Called when the upstream has closed the stream.
   * @returns the kind of the last event if its blank line is missing.
   */
  end(): EventKind {
    return this.#rest.length === 0 ? 'preamble' : this.#read(Buffer.concat([this.#rest, Buffer.from('\n\n')]));
  }

  /** The error that the events report. */
  get error(): ApiError | undefined {
    const decoder = this.#format.createStreamDecoder();
    const events = this.#events.flatMap((event) => decoder.push(this.#format.parseEvent(event)));
    return events.find((event) => event.type === 'error')?.error;
  }

  /** Whether the answer had started before the last event. */
  get hasBegun(): boolean {
    return this.#events.slice(0, -1).some(({ event = '' }) => !SIGNS_OF_LIFE.has(event));
  }

  #endOfEvent(): number {
    const end = endOfFirstEvent(this.#rest);
    if (end !== -1) return end;
    const returns = this.#rest.indexOf(BLANK_LINE_OF_RETURNS);
    return returns === -1 ? -1 : returns + BLANK_LINE_OF_RETURNS.length;
  }

  /** Comments only keep the connection alive. */
  #read(bytes: Buffer): EventKind {
    this.#blocks += 1;
    const event = usualEvent(bytes) ?? new ServerSentEventDecoder().push(bytes)[0];
    if (event === undefined) return 'preamble';
    this.#events.push(event);
    return eventKind(this.#format.name, event);
  }
}

/** An event as almost all servers write it. Creating a decoder takes longer than reading it. */
const COMMON_EVENT = /^(?:event: ([^\r\n]+)\n)?data: ([^\r\n]*)\n\n$/;

function usualEvent(bytes: Buffer): ServerSentEvent | undefined {
  const [, event, data] = COMMON_EVENT.exec(bytes.toString()) ?? [];
  if (data === undefined) return undefined;
  return event === undefined ? { data } : { event, data };
}
