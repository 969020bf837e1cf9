import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { BilledFailure } from '../../../ledger/upstreamAttempt.ts';
import type { AnswerSink, UsageCount } from '../../core/upstream.ts';
import { MAX_WHOLE_BYTES } from '../../http/byteList.ts';
import type { ByteSink } from '../../http/byteSink.ts';
import { isPlain } from '../../http/contentEncoding.ts';
import { encodingOf, isEventStream } from '../../http/headers.ts';
import { wholeAsStream } from '../../translation/wholeAnswer.ts';
import { AnswerReader } from '../../usage/answerReader.ts';
import type { Trigger } from '../routes/routeEntry.ts';
import {
  billedFailure,
  type Failure,
  failureOfAnswer,
  failureOfCall,
  failureOfDecline,
  failureOfEvent,
  failureWithoutAnswer,
  timedOut,
  unbilled,
} from './failure.ts';
import { beginsJson, beginsStream, GZIP_BEGINNING, HeldBody, HeldStream } from './heldAnswer.ts';

/**
 * Clients give up when nothing arrives for minutes. After this time, the held beginning of the answer and heartbeats
 * are sent.
 */
const MAX_HOLD_MS = 30_000;

export interface AttemptOptions {
  /** Receives the answer once the attempt is committed. */
  readonly sink: AnswerSink;
  /** The upstream's format. */
  readonly format: WireFormat;
  /** False for answers that can only be passed on unread. */
  readonly isReadable: boolean;
  /** The triggers that the route treats as failures. */
  readonly triggers: ReadonlySet<Trigger>;
  /** From the start of the attempt to the first output; 0 means no limit. */
  readonly firstTokenSeconds: number;
  /** The limit for the first output applies to streams only, because other answers arrive as a whole. */
  readonly asksForStream: () => boolean;
  /** Called when the upstream answers, before the sink is started. May return headers to add to the answer. */
  readonly onCommitted: (status: number) => OutgoingHttpHeaders | undefined;
  /** Called when a committed answer has ended or was cut off. */
  readonly onEnded?: (() => void) | undefined;
  /** Called once if the upstream does not answer. Whatever it sends later is ignored. */
  readonly onFailed: (failure: Failure) => void;
}

/**
 * One request to one upstream. Holds the answer back until its first output, so that an upstream that fails earlier can
 * be replaced without the client noticing. After that, all bytes pass through as they arrive.
 */
export class Attempt implements AnswerSink {
  /** The sink, while the attempt is committed. */
  direct: ByteSink | undefined;
  /** Whether the attempt has failed or was canceled. Read only. */
  isOver = false;
  readonly #options: AttemptOptions;
  readonly #sink: AnswerSink;
  readonly #firstToken: NodeJS.Timeout | undefined;
  #phase: 'held' | 'committed' | 'failed' = 'held';
  #status = 0;
  #headers: OutgoingHttpHeaders = {};
  #stream: HeldStream | undefined;
  #body: HeldBody | undefined;
  #isMistyped = false;
  #count: UsageCount | undefined;
  #hold: NodeJS.Timeout | undefined;

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#sink = options.sink;
    const { firstTokenSeconds } = options;
    if (firstTokenSeconds > 0) {
      // Checked only when the timer fires, because it requires a search of the whole request.
      const giveUp = () => {
        if (options.asksForStream()) {
          const message = `The upstream sent no output within ${firstTokenSeconds} seconds.`;
          this.#fail(failureOfCall(timedOut(message), this.#begun()));
        }
      };
      this.#firstToken = setTimeout(giveUp, firstTokenSeconds * 1000);
    }
  }

  /** Ignores everything that still arrives. */
  cancel(): void {
    this.#phase = 'failed';
    this.isOver = true;
    this.direct = undefined;
    this.#stopClocks();
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#phase === 'failed') return;
    this.#status = status;
    this.#headers = headers;
    const { format, isReadable } = this.#options;
    if (status >= 400) this.#body = new HeldBody(format, Number.POSITIVE_INFINITY);
    else if (!isReadable || (headers['content-encoding'] !== undefined && !isPlain(encodingOf(headers))))
      this.#commit();
    else if (isPage(headers)) this.#fail(failureWithoutAnswer('The upstream answered with a web page.'));
    else if (isEventStream(headers)) this.#holdStream();
    else this.#body = new HeldBody(format);
  }

  data(chunk: Buffer): boolean {
    if (this.#phase === 'committed') return this.#sink.data(chunk);
    if (this.#phase === 'failed') return true;
    return this.#stream === undefined ? this.#keep(chunk) : this.#inspect(this.#stream, chunk);
  }

  dropped(names: readonly string[]): void {
    if (this.#phase !== 'failed') this.#sink.dropped?.(names);
  }

  used(count: UsageCount): void {
    this.#count = count;
    if (this.#phase === 'committed') this.#sink.used?.(count);
  }

  end(): void {
    if (this.#phase === 'held') {
      if (this.#stream !== undefined) this.#endStream(this.#stream);
      else if (this.#body !== undefined) this.#endBody(this.#body);
    }
    if (this.#phase !== 'committed') return;
    this.#options.onEnded?.();
    this.#sink.end();
  }

  fail(error: ApiError): void {
    if (this.#phase !== 'committed') {
      this.#fail(failureOfCall(this.#status < 400 ? error : unbilled(error), this.#begun()));
      return;
    }
    this.#options.onEnded?.();
    this.#sink.fail(error);
  }

  #holdStream(): HeldStream {
    const { format, firstTokenSeconds } = this.#options;
    const stream = new HeldStream(format);
    this.#stream = stream;
    if (firstTokenSeconds === 0) this.#hold = setTimeout(() => this.#commit(), MAX_HOLD_MS);
    return stream;
  }

  #inspect(stream: HeldStream, chunk: Buffer): boolean {
    if (stream.isEmpty) {
      if (chunk[0] === GZIP_BEGINNING) {
        stream.add(chunk);
        return this.#commitPacked();
      }
      if (beginsJson(chunk)) {
        this.#mistype();
        return this.#keep(chunk);
      }
    }
    const kind = stream.add(chunk);
    if (kind === undefined) return true;
    if (kind === 'output') return this.#commit();
    return this.#decide(kind, () => this.#failByEvent(stream));
  }

  /** Some servers announce a stream, and send one piece of JSON: an error or the whole answer. */
  #mistype(): void {
    this.#stopClocks();
    this.#stream = undefined;
    this.#isMistyped = true;
    this.#body = new HeldBody(this.#options.format, MAX_WHOLE_BYTES);
  }

  /** Passes an answer on that was announced as a stream: as one, if the request asks for it. */
  #commitMistyped(body: HeldBody): void {
    const { format, asksForStream } = this.#options;
    if (!asksForStream()) {
      this.#headers = { ...this.#headers, 'content-type': 'application/json' };
      this.#commit();
      return;
    }
    const events = wholeAsStream(format, body.held.concat());
    if (events === undefined) {
      this.#fail(failureWithoutAnswer("The upstream's response is not a valid answer.", this.#billed()));
      return;
    }
    const { 'content-length': _, ...headers } = this.#headers;
    this.#headers = headers;
    body.held.clear();
    body.held.add(Buffer.from(events));
    this.#commit();
  }

  #endStream(stream: HeldStream): void {
    const kind = stream.end();
    if (kind === 'output') this.#commit();
    else if (kind !== 'preamble') this.#decide(kind, () => this.#failByEvent(stream));
    else this.#fail(failureWithoutAnswer('The upstream ended its answer without any output.', this.#billed()));
  }

  /** An error before any other event costs as much as an error response, unless it reports usage. */
  #failByEvent(stream: HeldStream): void {
    const billed = this.#billed();
    this.#fail(
      stream.error === undefined
        ? failureWithoutAnswer('The upstream reported an error without a reason.', billed)
        : failureOfEvent(stream.error, this.#options.format, stream.hasBegun || billed.usage ? billed : undefined),
    );
  }

  #keep(chunk: Buffer): boolean {
    if (this.#status < 400 && this.#body?.held.length === 0 && beginsStream(chunk)) {
      this.#body = undefined;
      return this.#inspect(this.#holdStream(), chunk);
    }
    if (this.#body?.add(chunk) !== false) return true;
    return this.#body.held.pieces[0]?.[0] === GZIP_BEGINNING ? this.#commitPacked() : this.#commit();
  }

  /** Some servers compress an answer without naming it. One that is not held is read as it passes, or by the caller. */
  #commitPacked(): boolean {
    this.#headers = { ...this.#headers, 'content-encoding': 'gzip' };
    return this.#commit();
  }

  #endBody(body: HeldBody): void {
    const { format, triggers } = this.#options;
    if (this.#status >= 400) {
      this.#fail(failureOfAnswer({ status: this.#status, headers: this.#headers, body: body.held.concat() }, format));
      return;
    }
    // A call less for nearly all answers.
    if (body.held.pieces[0]?.[0] === GZIP_BEGINNING) body.decompress(MAX_WHOLE_BYTES);
    const kind = body.kind(triggers.has('refusal') || triggers.has('filter'));
    if (kind !== 'output') this.#decide(kind, () => this.#fail(body.failure(this.#billed())));
    else if (this.#isMistyped) this.#commitMistyped(body);
    else this.#commit();
  }

  /** @returns whether the client reads fast enough. */
  #decide(kind: 'error' | 'refusal' | 'filter', fail: () => void): boolean {
    const { triggers } = this.#options;
    if (kind === 'error') fail();
    // The formats do not distinguish reliably who declined, so a route that moves on from refusals does from both.
    else if (triggers.has('refusal')) this.#fail(failureOfDecline('refusal', this.#billed()));
    else if (triggers.has(kind)) this.#fail(failureOfDecline(kind, this.#billed()));
    else return this.#commit();
    return true;
  }

  /** @returns whether the client reads fast enough. */
  #commit(): boolean {
    this.#stopClocks();
    this.#phase = 'committed';
    const held = this.#stream?.chunks ?? this.#body?.held.pieces ?? [];
    this.#stream = undefined;
    this.#body = undefined;
    const added = this.#options.onCommitted(this.#status);
    this.#sink.start(this.#status, added === undefined ? this.#headers : { ...this.#headers, ...added });
    let canContinue = true;
    for (const chunk of held) canContinue = (this.#sink.direct ?? this.#sink).data(chunk);
    if (this.#count !== undefined) this.#sink.used?.(this.#count);
    if (this.#phase === 'committed') this.direct = this.#sink;
    return canContinue;
  }

  /** Usage of an answer that is not an error response. */
  #begun(): BilledFailure | undefined {
    return this.#status === 0 || this.#status >= 400 ? undefined : this.#billed();
  }

  /** Usage reported by the held part of the answer. */
  #billed(): BilledFailure {
    if (this.#count?.isEstimated === false) return billedFailure(this.#count.usage, this.#count.isPartial !== true);
    const reader = new AnswerReader(this.#options.format.name, isEventStream(this.#headers));
    for (const chunk of this.#stream?.chunks ?? this.#body?.held.pieces ?? []) reader.push(chunk);
    const { usage, isFinal } = reader.end();
    return billedFailure(usage, isFinal);
  }

  #fail(failure: Failure): void {
    if (this.#phase === 'failed') return;
    this.cancel();
    this.#options.onFailed(failure);
  }

  #stopClocks(): void {
    if (this.#firstToken !== undefined) clearTimeout(this.#firstToken);
    if (this.#hold !== undefined) clearTimeout(this.#hold);
  }
}

function isPage(headers: OutgoingHttpHeaders): boolean {
  return /^\s*(?:text\/html|application\/xhtml)/i.test(String(headers['content-type'] ?? ''));
}
