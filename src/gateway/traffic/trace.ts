import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { redact } from '../../service/redact.ts';
import { shownHeaders } from '../../service/shownHeaders.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, Routing, UpstreamRequest } from '../core/upstream.ts';
import { encodingOf, requestHeaders } from '../http/headers.ts';
import { BODY_PARTS, type BodyPart, type BodySummary, type RecentAttempt, type TrafficDetails } from './protocol.ts';
import { RecordedBody } from './recordedBody.ts';

/**
 * What is remembered of one exchange. Receives its main events: a few calls for each exchange, and none for the chunks of
 * its answer.
 */
export class Trace {
  readonly #id: string;
  readonly #format: FormatName;
  readonly #startedAt = performance.now();
  /** The client's headers including its key, kept only until the exchange has ended. */
  #rawHeaders: readonly string[] | undefined;
  #requestHeaders: IncomingHttpHeaders | undefined;
  #answerHeaders: OutgoingHttpHeaders | undefined;
  #problem: string | undefined;
  #record: ExchangeRecord | undefined;
  #attempts: RecentAttempt[] = [];
  #captured: CapturedExchange | undefined;
  endedAt = 0;

  constructor(id: string, format: FormatName, rawHeaders: readonly string[]) {
    this.#id = id;
    this.#format = format;
    this.#rawHeaders = rawHeaders;
  }

  get captured(): CapturedExchange | undefined {
    return this.#captured;
  }

  capture(mayKeep: (bytes: number) => boolean): void {
    this.#captured = new CapturedExchange({ now: () => performance.now() - this.#startedAt, mayKeep });
  }

  deleteBodies(): void {
    this.#captured?.delete();
    this.#captured = undefined;
  }

  /**
   * Called when an upstream is asked.
   * @returns the sink for the answer: the given one, or another one in front of it.
   */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#requestHeaders = request.headers;
    return this.#captured?.asked(request, sink) ?? sink;
  }

  /** Called when one of several upstreams was selected. */
  routed({ upstream }: Routing): void {
    if (this.#attempts.at(-1)?.upstream === upstream) return;
    this.#attempts.push({ upstream, atMs: performance.now() - this.#startedAt });
  }

  answered(headers: OutgoingHttpHeaders): void {
    this.#answerHeaders = headers;
  }

  /** Called when the gateway itself answers with an error, or when the answer was cut off. */
  failed({ message }: ApiError): void {
    this.#problem = redact(message);
  }

  end(record: ExchangeRecord): void {
    this.#requestHeaders ??= requestHeaders(this.#rawHeaders ?? [], undefined);
    this.#rawHeaders = undefined;
    this.#record = record;
    this.endedAt = performance.now();
  }

  details(): TrafficDetails {
    return {
      id: this.#id,
      callerFormat: this.#format,
      ...(this.#record !== undefined && { record: this.#record }),
      ...(this.#requestHeaders !== undefined && { requestHeaders: shownHeaders(this.#requestHeaders) }),
      ...(this.#answerHeaders !== undefined && { answerHeaders: shownHeaders(this.#answerHeaders) }),
      attempts: this.#attempts,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      bodies: this.#captured?.summaries ?? [],
    };
  }
}

interface CaptureOptions {
  /** Milliseconds since the start of the exchange. */
  readonly now: () => number;
  /** Called before bytes are kept in memory. */
  readonly mayKeep: (bytes: number) => boolean;
}

/** The bodies of one exchange: those of the caller, and if the request was translated, those of the upstream. */
class CapturedExchange {
  readonly #options: CaptureOptions;
  readonly #bodies = new Map<BodyPart, RecordedBody>();
  #isDeleted = false;

  constructor(options: CaptureOptions) {
    this.#options = options;
  }

  get keptBytes(): number {
    return [...this.#bodies.values()].reduce((sum, { keptBytes }) => sum + keptBytes, 0);
  }

  /** The existing bodies, in chronological order. */
  get summaries(): BodySummary[] {
    return BODY_PARTS.flatMap((part) => {
      const body = this.#bodies.get(part);
      return body === undefined ? [] : [{ part, bytes: body.bytes, keptBytes: body.keptBytes }];
    });
  }

  body(part: BodyPart): RecordedBody | undefined {
    return this.#bodies.get(part);
  }

  /**
   * Called when the caller's request is sent to an upstream.
   * @returns the sink for the answer.
   */
  asked(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#keepRequest('request', request);
    const { now } = this.#options;
    const tap = (translated: UpstreamRequest, answer: AnswerSink) => this.#translated(translated, answer);
    return new RecordingSink(sink, { body: this.#begin('answer'), now, tap });
  }

  /** Deletes what was captured, and keeps nothing of what follows. */
  delete(): void {
    this.#isDeleted = true;
    this.#bodies.clear();
  }

  /** If several upstreams are asked one after the other, keeps the bodies of the last one. */
  #translated(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    this.#keepRequest('upstreamRequest', request);
    return new RecordingSink(sink, { body: this.#begin('upstreamAnswer'), now: this.#options.now });
  }

  #keepRequest(part: BodyPart, { body, headers }: UpstreamRequest): void {
    if (body === undefined) return;
    const recorded = this.#begin(part);
    recorded.encoding = encodingOf(headers);
    recorded.add(body, this.#options.now());
  }

  #begin(part: BodyPart): RecordedBody {
    const body = new RecordedBody((bytes) => !this.#isDeleted && this.#options.mayKeep(bytes));
    if (!this.#isDeleted) this.#bodies.set(part, body);
    return body;
  }
}

interface Recording {
  readonly body: RecordedBody;
  /** Milliseconds since the start of the exchange. */
  readonly now: () => number;
  readonly tap?: NonNullable<AnswerSink['tap']>;
}

class RecordingSink extends PassingSink {
  readonly #recording: Recording;

  constructor(sink: AnswerSink, recording: Recording) {
    super(sink);
    this.#recording = recording;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    this.#recording.body.encoding = encodingOf(headers);
    super.start(status, headers);
  }

  override data(chunk: Buffer): boolean {
    this.#recording.body.add(chunk, this.#recording.now());
    return super.data(chunk);
  }

  override tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.#recording.tap?.(request, sink) ?? sink;
  }
}
