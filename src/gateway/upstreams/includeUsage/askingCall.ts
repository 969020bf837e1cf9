import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import type { AnswerSink, Upstream, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { encodingOf, isEventStream } from '../../http/answerHeaders.ts';
import { isPlain } from '../../http/contentEncoding.ts';
import { UsageChunks } from './usageChunks.ts';
import { OPTIONS } from './usageOption.ts';

export interface AskingRequest {
  /** With the option. */
  readonly request: UpstreamRequest;
  /** The same without it; absent when it cannot be sent again. */
  readonly without?: UpstreamRequest;
  /** Whether the caller shall not see what it did not ask for. Known once the request has gone. */
  readonly hidesUsage: () => boolean;
}

/** Statuses with which servers refuse a field that they do not know. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422]);

/** One request with the option, and a second one without it where the upstream refuses it. */
export class AskingCall implements UpstreamCall, AnswerSink {
  readonly #upstream: Upstream;
  readonly #asking: AskingRequest;
  readonly #sink: AnswerSink;
  readonly #onTold: (stand: 'takesIt' | 'refusesIt') => void;
  #call: UpstreamCall | undefined;
  #refusal: { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: Buffer[] } | undefined;
  #chunks: UsageChunks | undefined;
  #isPaused = false;
  #isCancelled = false;

  constructor(
    upstream: Upstream,
    asking: AskingRequest,
    sink: AnswerSink,
    onTold: (stand: 'takesIt' | 'refusesIt') => void,
  ) {
    this.#upstream = upstream;
    this.#asking = asking;
    this.#sink = sink;
    this.#onTold = onTold;
    this.#ask(asking.request, this);
  }

  pause(): void {
    this.#isPaused = true;
    this.#call?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#call?.resume();
  }

  cancel(): void {
    this.#isCancelled = true;
    this.#call?.cancel();
  }

  closingEvent(error: ApiError): string | undefined {
    return this.#call?.closingEvent?.(error);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (REFUSALS.has(status) && this.#asking.without !== undefined) {
      this.#refusal = { status, headers, body: [] };
      return;
    }
    if (status < 300) this.#onTold('takesIt');
    const isReadable = isEventStream(headers) && isPlain(encodingOf(headers));
    if (isReadable && this.#asking.hidesUsage()) this.#chunks = new UsageChunks();
    this.#sink.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#refusal !== undefined) {
      this.#refusal.body.push(Buffer.from(chunk));
      return true;
    }
    return this.#chunks === undefined ? this.#sink.data(chunk) : this.#pass(this.#chunks.push(chunk));
  }

  end(): void {
    if (this.#refusal !== undefined) this.#endRefusal();
    else {
      this.#passRest();
      this.#sink.end();
    }
  }

  fail(error: ApiError): void {
    this.#passRest();
    this.#sink.fail(error);
  }

  #ask(request: UpstreamRequest, sink: AnswerSink): void {
    const call = this.#upstream.send(request, sink);
    // It may have been refused at once, and asked again.
    this.#call ??= call;
    if (this.#isPaused) call.pause();
  }

  #pass(bytes: Buffer): boolean {
    return bytes.length === 0 || this.#sink.data(bytes);
  }

  #passRest(): void {
    if (this.#chunks === undefined) return;
    this.#pass(this.#chunks.end());
    const { told } = this.#chunks;
    if (told !== undefined) this.#sink.used?.({ ...told, isEstimated: false });
  }

  /** Of other faults than the option the caller hears as it is. */
  #endRefusal(): void {
    const { status = 0, headers = {}, body = [] } = this.#refusal ?? {};
    const { without } = this.#asking;
    const told = Buffer.concat(body);
    if (without !== undefined && (told.includes(OPTIONS) || told.includes('include_usage'))) {
      this.#onTold('refusesIt');
      this.#call = undefined;
      if (!this.#isCancelled) this.#ask(without, this.#sink);
      return;
    }
    this.#sink.start(status, headers);
    this.#sink.data(told);
    this.#sink.end();
  }
}
