import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import { wireFormats } from '../../formats/index.ts';
import { PassingSink } from '../core/passingSink.ts';
import type { AnswerSink, UpstreamRequest } from '../core/upstream.ts';
import { readError } from '../core/upstreamError.ts';

const KEY_REFUSED: ReadonlySet<number> = new Set([401, 403]);

/** Whether an answer with this status means that the upstream refuses the gateway's key. */
export function refusesKey(status: number | undefined): boolean {
  return status !== undefined && KEY_REFUSED.has(status);
}

/**
 * Returns the error for the caller. The caller's own key is valid, so the error must not look as if it were refused.
 */
export function keyRefused(error: ApiError, upstream: string): ApiError {
  const message = `The upstream "${upstream}" rejected the gateway's key (${error.status}): ${error.message}`;
  return { kind: 'server', status: 502, code: 'upstream_key_refused', message };
}

/** For requests that go to a single upstream without failover, such as the balance. */
export class RefusedKeySink extends PassingSink {
  readonly #request: UpstreamRequest;
  readonly #upstream: string;
  #refusal: { readonly status: number; readonly headers: OutgoingHttpHeaders } | undefined;
  readonly #body: Buffer[] = [];

  constructor(request: UpstreamRequest, upstream: string, sink: AnswerSink) {
    super(sink);
    this.#request = request;
    this.#upstream = upstream;
  }

  override start(status: number, headers: OutgoingHttpHeaders): void {
    if (refusesKey(status)) this.#refusal = { status, headers };
    else super.start(status, headers);
  }

  override data(chunk: Buffer): boolean {
    if (this.#refusal === undefined) return super.data(chunk);
    this.#body.push(chunk);
    return true;
  }

  override end(): void {
    if (this.#refusal === undefined) {
      super.end();
      return;
    }
    const body = Buffer.concat(this.#body).toString();
    const error = readError({ ...this.#refusal, body }, wireFormats[this.#request.callerFormat]);
    super.fail(keyRefused(error, this.#upstream));
  }
}
