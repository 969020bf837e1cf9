import { assembleResponse, type ChatEvent, type ChatResponse } from '../../formats/answer.ts';
import { type ApiError, FormatError } from '../../formats/apiError.ts';
import { formatServerSentEvent, type ServerSentEvent, ServerSentEventDecoder } from '../../formats/serverSentEvents.ts';
import type { Usage } from '../../formats/usage.ts';
import type { AnswerContext, EventParser, StreamDecoder, StreamEncoder, WireFormat } from '../../formats/wireFormat.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import { newId } from '../core/callIds.ts';
import type { UsageCount } from '../core/upstream.ts';
import { forCaller } from '../core/upstreamError.ts';
import type { AnswerRestorer } from './answerRestorer.ts';
import { TextRun } from './textRun.ts';

export interface StreamOptions {
  readonly upstream: WireFormat;
  readonly caller: WireFormat;
  readonly context: AnswerContext;
  readonly restorer: AnswerRestorer;
  /** Whether {@link TranslatedStream.response} will be called. */
  readonly keepsEvents: boolean;
  /** Called each time more is known about the answer's usage. */
  readonly onUsage?: (count: UsageCount) => void;
}

/** `finished`: nothing can follow except the usage. `over`: everything that follows is ignored. */
type TranslationPhase = 'open' | 'finished' | 'over';

/** Translates a stream from an upstream's format to the caller's. Accepts bytes split anywhere and returns text. */
export class TranslatedStream {
  /** Whether the whole answer is held. */
  readonly keepsEvents: boolean;
  /** Read only. */
  phase: TranslationPhase = 'open';
  /** Whether nothing can follow except the usage or the upstream's last event. Read only. */
  hasAllOutput = false;
  /**
   * Approximate number of bytes that are held of the answer. Even if its events are not kept, its text is, until the
   * usage is known, and in some formats until the end. Read only.
   */
  size = 0;
  readonly #options: StreamOptions;
  readonly #bytes = new ServerSentEventDecoder();
  readonly #parser: EventParser<unknown>;
  readonly #decoder: StreamDecoder<unknown>;
  readonly #encoder: StreamEncoder;
  readonly #events: ChatEvent[] = [];
  #kept = 0;
  /** The output so far, until the upstream reports its usage. */
  #uncounted: string[] = [];
  #usage: Usage | undefined;
  /** The model's name, as the upstream reports it. */
  #model = '';
  #isEstimated = false;
  /** Whether the answer may have continued after its usage was reported, so that the usage is incomplete. */
  #isOutdated = false;
  /** Whether the usage covers the whole answer, although it has failed. */
  #coversFailure = false;
  /** Set if the last event contained only a piece of text. */
  #run: TextRun | undefined;
  /** Whether no part of an incomplete event is buffered. */
  #isBetweenEvents = true;
  #error: ApiError | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.keepsEvents = options.keepsEvents;
    this.#parser = options.upstream.createEventParser?.() ?? { parse: options.upstream.parseEvent };
    this.#decoder = options.upstream.createStreamDecoder(newId());
    this.#encoder = options.caller.createStreamEncoder(options.context);
  }

  /** Why the answer is incomplete, once the client was notified. */
  get error(): ApiError | undefined {
    return this.#error;
  }

  /** Names of the answer's parts so far that the caller's format cannot represent. */
  get dropped(): readonly string[] {
    return [...(this.#decoder.dropped ?? []), ...(this.#encoder.dropped ?? [])];
  }

  /**
   * Returns the translation of a chunk as one string, which is empty if the chunk completes no event.
   * @throws {FormatError} if the answer is longer than any model's output.
   */
  push(chunk: Buffer): string {
    const source = this.#bytes.decode(chunk);
    let text = '';
    for (let at = 0; at < source.length && this.phase !== 'over'; ) {
      const run = this.#isBetweenEvents ? this.#run : undefined;
      // Most events only continue the same text, from which neither the decoder nor the encoder would learn anything.
      const more = run?.copy(source, at);
      const end = more?.end ?? endOfEvent(source, at);
      text += more?.copied ?? this.#readPiece(source.slice(at, end));
      if (run !== undefined && more !== undefined && more.text !== '') this.#keepText(more.text, run.index);
      at = end;
    }
    this.size = this.#kept + this.#bytes.held;
    if (this.size > MAX_KEPT) throw new FormatError('It is too long.', '');
    return text;
  }

  /** Called when the upstream has closed the stream or its answer is complete. */
  end(): string {
    return this.#read(this.#bytes.end()).text + this.#endOfStream();
  }

  /** Called when the connection to the upstream is lost. An answer that is complete stays so. */
  fail(error: ApiError): string {
    if (this.phase === 'over') return '';
    const { text } = this.#read(this.#bytes.end());
    this.#updateHasAllOutput();
    return text + (this.hasAllOutput ? this.#endOfStream() : this.#breakOff(error));
  }

  #breakOff(error: ApiError): string {
    return this.phase === 'over' ? '' : this.#encode([{ type: 'error', error }]);
  }

  /** Returns the complete answer after it has ended without an error, if its events were kept. */
  response(): ChatResponse | undefined {
    const isWhole = this.#error === undefined && this.phase === 'over' && this.keepsEvents;
    return isWhole ? assembleResponse(this.#events) : undefined;
  }

  /** Processes events in the upstream's order, because the events for the caller can be delayed. */
  #watchUsage(events: readonly ChatEvent[]): void {
    for (const event of events) {
      if (event.type === 'usage') this.#isOutdated = event.isPartial === true;
      else if (event.type.endsWith('Delta') || event.type === 'toolCallStart') this.#isOutdated = true;
    }
  }

  /** @param piece an event, or a part of one. */
  #readPiece(piece: string): string {
    const wasBetween = this.#isBetweenEvents;
    this.#isBetweenEvents = piece.endsWith(BLANK_LINE);
    const events = this.#bytes.feed(piece);
    const [event] = events;
    if (event === undefined) return '';
    const { text, decoded } = this.#read(events);
    const isWhole = wasBetween && this.#isBetweenEvents && events.length === 1;
    this.#run = isWhole && this.phase === 'open' ? this.#runAfter(decoded, event, piece) : undefined;
    this.#updateHasAllOutput();
    return text;
  }

  #updateHasAllOutput(): void {
    this.hasAllOutput = this.phase === 'finished' || (this.phase === 'open' && this.#decoder.hasAllOutput === true);
  }

  #read(events: readonly ServerSentEvent[]): { readonly text: string; readonly decoded: readonly ChatEvent[] } {
    let text = '';
    let decoded: readonly ChatEvent[] = [];
    for (const event of events) {
      if (this.phase === 'over') break;
      const item = this.#parser.parse(event);
      decoded = this.#decoder.push(item);
      this.#watchUsage(decoded);
      text += this.#encode(decoded);
      if (item.type === 'done') text += this.#endOfStream();
      else if (this.phase === 'finished') text += this.#close();
    }
    return { text, decoded };
  }

  /** Returns how to copy the following text if this event only continued a text. */
  #runAfter([decoded, ...others]: readonly ChatEvent[], event: ServerSentEvent, piece: string): TextRun | undefined {
    if (decoded?.type !== 'textDelta' || others.length > 0) return undefined;
    const line = lineBefore(event.data, piece);
    const from = this.#parser.textFrame?.();
    const to = this.#encoder.textFrame?.(decoded.index);
    if (line === undefined || from === undefined || to === undefined) return undefined;
    return new TextRun(decoded.index, { before: line + from.before, after: from.after + BLANK_LINE }, to);
  }

  /** The decoder's last events report that the answer was cut off, if it was. */
  #endOfStream(): string {
    if (this.phase === 'over') return '';
    const last = this.#decoder.end();
    this.#watchUsage(last);
    return this.#encode(last) + this.#close();
  }

  #encode(events: readonly ChatEvent[]): string {
    let text = '';
    for (const event of events) {
      if (event.type === 'start') this.#model = event.model;
      for (const restored of this.#options.restorer.event(event)) {
        this.#note(restored);
        text += this.#encodeOne(restored);
        if (this.#error !== undefined) {
          this.phase = 'over';
          return text;
        }
      }
    }
    return text;
  }

  #encodeOne(event: ChatEvent): string {
    const { upstream, caller } = this.#options;
    const forClient = event.type === 'error' ? { ...event, error: forCaller(event.error, upstream, caller) } : event;
    return asText(this.#encoder.push(forClient));
  }

  #note(event: ChatEvent): void {
    if (event.type !== 'malformed') this.#keep(event);
    switch (event.type) {
      case 'usage':
        this.#usage = event.usage;
        this.#coversFailure = event.isPartial === false;
        this.#emitUsage();
        return;
      case 'finish':
        if (this.phase === 'open') this.phase = 'finished';
        this.#emitUsage();
        return;
      case 'error':
        this.#error = event.error;
        return;
      case 'textDelta':
      case 'refusalDelta':
      case 'reasoningDelta':
        this.#uncounted.push(event.text);
        return;
      case 'toolCallDelta':
        this.#uncounted.push(event.arguments);
        return;
    }
  }

  #keep(event: ChatEvent): void {
    const text = 'text' in event ? event.text : 'arguments' in event ? event.arguments : '';
    this.#kept += SIZE_OF_EVENT + text.length;
    if (this.keepsEvents) this.#events.push(event);
  }

  /** Does the same as reading an event with this text. */
  #keepText(text: string, index: number): void {
    this.#isOutdated = true;
    this.#uncounted.push(text);
    this.#kept += SIZE_OF_EVENT + text.length;
    if (this.keepsEvents) this.#events.push({ type: 'textDelta', index, text });
  }

  #emitUsage(): void {
    const usage = this.#usage;
    if (usage === undefined) return;
    const isPartial = !this.#coversFailure && (this.phase === 'open' || this.#isOutdated);
    this.#options.onUsage?.({ usage, isEstimated: this.#isEstimated, isPartial, model: this.#model });
  }

  /**
   * Sends the remaining events. If the upstream reported no usage, sends an estimate, which is closer to the truth than
   * nothing.
   */
  #close(): string {
    if (this.phase === 'over') return '';
    this.#isEstimated = this.phase === 'finished' && (this.#usage?.outputTokens ?? 0) === 0;
    const estimate = this.#isEstimated ? this.#encode([{ type: 'usage', usage: this.#estimate() }]) : '';
    this.phase = 'over';
    this.#uncounted = [];
    return estimate + asText(this.#encoder.end());
  }

  #estimate(): Usage {
    const inputTokens = this.#usage?.inputTokens || (this.#options.context.inputTokens ?? 0);
    return { ...this.#usage, inputTokens, outputTokens: estimateTokens(this.#uncounted.join('')) };
  }
}

/** Maximum size of the kept events, in characters. Each event needs some memory, even if it has no text. */
const MAX_KEPT = 64 * 1024 * 1024;
const SIZE_OF_EVENT = 100;

const BLANK_LINE = '\n\n';

/** Returns the start of the next event, or the end of the source if it is incomplete or uses other line endings. */
function endOfEvent(source: string, from: number): number {
  const blankLine = source.indexOf(BLANK_LINE, from);
  return blankLine === -1 ? source.length : blankLine + BLANK_LINE.length;
}

/** Returns the text before the data of an event with a single line. */
function lineBefore(data: string, event: string): string | undefined {
  const rest = data + BLANK_LINE;
  const before = event.slice(0, -rest.length);
  return event.endsWith(rest) && !before.includes('\n') ? before : undefined;
}

function asText(events: readonly ServerSentEvent[]): string {
  let text = '';
  for (const event of events) text += formatServerSentEvent(event);
  return text;
}
