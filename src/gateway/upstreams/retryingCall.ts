import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { CallHandle } from '../core/callHandle.ts';
import type { AnswerSink, Upstream, UpstreamRequest } from '../core/upstream.ts';

/** Whether an upstream accepts a field. */
export type FieldSupport = 'accepted' | 'refused';

/** A request with a field that the upstream may refuse. */
export interface Attempted {
  readonly request: UpstreamRequest;
  /** Returns the same request without the field. Undefined if it cannot be sent again. */
  readonly without?: (() => UpstreamRequest) | undefined;
  /** Names by which a refusal of the field is recognized. */
  readonly names: readonly string[];
  readonly onLearned: (support: FieldSupport) => void;
}

/** Statuses with which servers refuse unknown fields. */
const REFUSALS: ReadonlySet<number> = new Set([400, 422]);

/** Sends a request, and if the upstream refuses the field, sends it again without it. */
export class RetryingCall extends CallHandle implements AnswerSink {
  readonly #upstream: Upstream;
  readonly #attempted: Attempted;
  readonly #first: AnswerSink;
  readonly #second: AnswerSink;
  #refusal: { readonly status: number; readonly headers: OutgoingHttpHeaders; readonly body: Buffer[] } | undefined;

  /** @param second sink for the answer to the second request. Default: the first sink. */
  constructor(upstream: Upstream, attempted: Attempted, first: AnswerSink, second = first) {
    super();
    this.#upstream = upstream;
    this.#attempted = attempted;
    this.#first = first;
    this.#second = second;
    this.#ask(attempted.request, this);
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (REFUSALS.has(status) && this.#attempted.without !== undefined) {
      this.#refusal = { status, headers, body: [] };
      return;
    }
    if (status < 300) this.#attempted.onLearned('accepted');
    this.#first.start(status, headers);
  }

  data(chunk: Uint8Array | string): boolean {
    if (this.#refusal === undefined) return this.#first.data(chunk);
    this.#refusal.body.push(Buffer.from(chunk));
    return true;
  }

  end(): void {
    if (this.#refusal === undefined) this.#first.end();
    else this.#endRefusal();
  }

  fail(error: ApiError): void {
    this.#first.fail(error);
  }

  used(count: Parameters<NonNullable<AnswerSink['used']>>[0]): void {
    this.#first.used?.(count);
  }

  #ask(request: UpstreamRequest, sink: AnswerSink): void {
    const call = this.#upstream.send(request, sink);
    // `send` may have answered with a refusal synchronously, and the second request was already sent.
    this.call ??= call;
  }

  /** Passes other errors on unchanged. */
  #endRefusal(): void {
    const { status = 0, headers = {}, body = [] } = this.#refusal ?? {};
    const { without, names, onLearned } = this.#attempted;
    const refusal = Buffer.concat(body);
    if (without !== undefined && names.some((name) => refusal.includes(name))) {
      this.call = undefined;
      if (!this.isCanceled)
        this.#ask(
          without(),
          onSuccess(this.#second, () => onLearned('refused')),
        );
      return;
    }
    this.#first.start(status, headers);
    this.#first.data(refusal);
    this.#first.end();
  }
}

/**
 * Calls the function if the second request is answered. If it is refused as well, it was for another reason: a caller can
 * have the name quoted in any refusal, and must not change for others what is sent.
 */
function onSuccess(sink: AnswerSink, call: () => void): AnswerSink {
  return {
    start: (status, headers) => {
      if (status < 300) call();
      sink.start(status, headers);
    },
    data: (chunk) => sink.data(chunk),
    end: () => sink.end(),
    fail: (error) => sink.fail(error),
    used: (count) => sink.used?.(count),
  };
}
