import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { isRecord } from '../../formats/json.ts';
import type { AnswerSink, Routing, Upstream, UpstreamCall, UpstreamRequest, UsageCount } from '../core/upstream.ts';
import type { BilledFailure, UpstreamAttempt } from '../core/upstreamAttempt.ts';
import { BoundedBytes } from '../http/boundedBytes.ts';
import { decompress } from '../http/contentEncoding.ts';
import { parseJsonBody } from '../http/jsonBody.ts';

/** What upstreams answer that know no such endpoint, and no such item. */
const NO_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 501]);
const NO_ITEM: ReadonlySet<number> = new Set([400, 422]);
const ABOUT_COMPACTION = /compact/i;
const MAX_ERROR_BYTES = 64 * 1024;

/** Passes the answer of an upstream on, unless it shows that the upstream does not compact. */
export class CompactionAttempt implements UpstreamCall, AnswerSink {
  readonly #sink: AnswerSink;
  readonly #request: UpstreamRequest;
  readonly #onRefused: () => UpstreamCall;
  #call: UpstreamCall | undefined;
  /** A refusal that is held until it was read. */
  #refusal: { readonly status: number; readonly headers: OutgoingHttpHeaders } | undefined;
  #isOver = false;
  #bytes: BoundedBytes | undefined;

  /** @param onRefused asks for the conversation to be compacted in another way. */
  constructor(upstream: Upstream, request: UpstreamRequest, sink: AnswerSink, onRefused: () => UpstreamCall) {
    this.#sink = sink;
    this.#request = request;
    this.#onRefused = onRefused;
    const call = upstream.send(request, this);
    this.#call ??= call;
  }

  pause(): void {
    this.#call?.pause();
  }

  resume(): void {
    this.#call?.resume();
  }

  cancel(): void {
    this.#isOver = true;
    this.#call?.cancel();
  }

  closingEvent(error: ApiError): string | undefined {
    return this.#call?.closingEvent?.(error);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    const isEndpoint = this.#request.endpoint === '/responses/compact';
    if (isEndpoint ? NO_ENDPOINT.has(status) : NO_ITEM.has(status)) {
      this.#refusal = { status, headers };
      this.#bytes = new BoundedBytes(MAX_ERROR_BYTES);
      return;
    }
    // Nobody else reads the usage of that endpoint.
    if (isEndpoint && status < 400) this.#bytes = new BoundedBytes();
    this.#sink.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    const isKept = this.#bytes?.add(chunk);
    if (this.#refusal === undefined) return this.#sink.data(chunk);
    if (isKept === false) this.#bytes = undefined;
    return true;
  }

  end(): void {
    const { status, headers } = this.#refusal ?? {};
    const raw = this.#bytes?.concat() ?? Buffer.alloc(0);
    if (status === undefined || headers === undefined) {
      this.#countUsage(raw);
      this.#sink.end();
      return;
    }
    const isEndpoint = NO_ENDPOINT.has(status);
    const text = decompress(raw, String(headers['content-encoding'] ?? ''), MAX_ERROR_BYTES)?.toString() ?? '';
    if (isEndpoint || ABOUT_COMPACTION.test(text)) this.#turnTo(this.#onRefused);
    else {
      this.#sink.start(status, headers);
      this.#sink.data(raw);
      this.#sink.end();
    }
  }

  fail(error: ApiError): void {
    this.#sink.fail(error);
  }

  routed(routing: Routing): void {
    this.#sink.routed?.(routing);
  }

  attempted(attempt: UpstreamAttempt, billed?: BilledFailure): void {
    this.#sink.attempted?.(attempt, billed);
  }

  mayTryAgain(): boolean | Promise<boolean> {
    return this.#sink.mayTryAgain?.() ?? true;
  }

  used(count: UsageCount): void {
    this.#sink.used?.(count);
  }

  dropped(names: readonly string[]): void {
    this.#sink.dropped?.(names);
  }

  tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.#sink.tap?.(request, sink) ?? sink;
  }

  #turnTo(ask: () => UpstreamCall): void {
    if (!this.#isOver) this.#call = ask();
  }

  #countUsage(raw: Buffer): void {
    const body = raw.length === 0 ? undefined : parseJsonBody(raw);
    const usage = isRecord(body) ? body.usage : undefined;
    if (!isRecord(usage)) return;
    const { input_tokens: input, output_tokens: output } = usage;
    if (typeof input !== 'number' || typeof output !== 'number') return;
    this.#sink.used?.({ usage: { inputTokens: input, outputTokens: output }, isEstimated: false });
  }
}
