/**
 * Sends one request and waits for the response headers, with a time limit and retries. Every failure is a {@link
 * ServiceError}.
 */
import * as l10n from '@vscode/l10n';
import { strictJson } from '../formats/json.ts';
import type { ApiKey } from './apiKey.ts';
import type { Clock } from './clock.ts';
import { type RetryNotice, type RetryPolicy, withRetries } from './retry.ts';
import { requestIdOf, ServiceError } from './serviceError.ts';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Attempts after the first, overriding the client's number. */
  readonly retries?: number | undefined;
  /** Called before each retry. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Called for each attempt. */
  readonly onRequest?: ((head: RequestHead) => void) | undefined;
  /** Called with the response headers, so that they can be logged with the service's request ID. */
  readonly onResponse?: ((head: ResponseHead) => void) | undefined;
}

/** The request, without the key. */
export interface RequestHead {
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body, in characters. */
  readonly length: number;
}

interface ResponseHead {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly headers: Headers;
}

/** A successful response whose body has not been read. Its reader closes the control. */
export interface OpenAnswer {
  readonly response: Response;
  readonly requestId: string | undefined;
  readonly control: CallControl;
  /** Name and port of the service, for messages. */
  readonly host: string;
}

export interface Call<T> {
  readonly method: 'GET' | 'POST';
  /** Path below the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Milliseconds within which `read` must finish. */
  readonly limitMs: number;
  /** Whether the request only reads, so that sending it twice costs nothing. */
  readonly readsOnly: boolean;
  /**
   * Reads what the call needs from the response. For a stream these are the headers; the rest has limits of its own.
   */
  read(answer: OpenAnswer): Promise<T>;
}

export interface TransportOptions {
  readonly baseAddress: string;
  readonly key: ApiKey;
  readonly fetch: typeof globalThis.fetch;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
}

/** Maximum bytes that are read from the body of a failed response. */
const READ_OF_ERROR = 64 * 1024;

export class Transport {
  readonly #options: TransportOptions;
  readonly #baseAddress: string;
  readonly #host: string;

  constructor(options: TransportOptions) {
    this.#options = options;
    this.#baseAddress = options.baseAddress.replace(/\/+$/, '');
    this.#host = new URL(this.#baseAddress).host;
  }

  /** @throws {ServiceError}, or the signal's reason if it was aborted. */
  send<T>(call: Call<T>, options: CallOptions): Promise<T> {
    const { retry, clock } = this.#options;
    const policy = { ...retry, retries: options.retries ?? retry.retries };
    const { readsOnly } = call;
    const { signal, onRetry } = options;
    return withRetries(() => this.#sendOnce(call, options), { policy, clock, readsOnly, signal, onRetry });
  }

  async #sendOnce<T>(call: Call<T>, options: CallOptions): Promise<T> {
    options.signal?.throwIfAborted();
    const control = new CallControl(this.#options.clock, options.signal);
    try {
      return await control.within(call.limitMs, () => this.#tooLate(call), this.#answerTo(call, control, options));
    } catch (error) {
      control.close();
      throw error;
    }
  }

  async #answerTo<T>(call: Call<T>, control: CallControl, { onRequest, onResponse }: CallOptions): Promise<T> {
    const response = await this.#fetch(call, control, onRequest);
    const requestId = requestIdOf(response.headers);
    onResponse?.({ status: response.status, requestId, headers: response.headers });
    if (!response.ok) throw await this.#failure(response);
    return call.read({ response, requestId, control, host: this.#host });
  }

  async #fetch<T>(
    { method, path, headers, body }: Call<T>,
    { signal }: CallControl,
    onRequest: CallOptions['onRequest'],
  ): Promise<Response> {
    const { fetch, key } = this.#options;
    const text = body === undefined ? undefined : strictJson(body);
    const ownHeaders = { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) };
    onRequest?.({ headers: ownHeaders, length: text?.length ?? 0 });
    try {
      return await fetch(this.#baseAddress + path, {
        method,
        headers: { ...ownHeaders, authorization: key.authorization },
        ...(text !== undefined && { body: text }),
        // A redirect could send the key to another host.
        redirect: 'manual',
        signal,
      });
    } catch (error) {
      // Loaded with the first failure, because it explains many causes.
      const { networkError } = await import('./networkFailure.ts');
      throw networkError(error, this.#host);
    }
  }

  async #failure(response: Response): Promise<ServiceError> {
    // Some runtimes hide the status of a redirect that was not followed.
    const status = response.type === 'opaqueredirect' ? 302 : response.status;
    const text = await readStart(response);
    return ServiceError.fromResponse(status, response.headers, text, this.#options.clock.now());
  }

  #tooLate<T>({ limitMs }: Call<T>): ServiceError {
    const seconds = Math.round(limitMs / 1000);
    const message = l10n.t('{0} did not respond within {1} seconds.', this.#host, seconds);
    return new ServiceError({ kind: 'timeout', message });
  }
}

/** Reads the beginning of a failed response's body. If the body is interrupted, returns what was received. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const text = new TextDecoder();
  let read = '';
  let bytes = 0;
  while (reader !== undefined && bytes < READ_OF_ERROR) {
    const chunk = await reader.read().catch(() => undefined);
    if (chunk?.value === undefined) break;
    bytes += chunk.value.byteLength;
    read += text.decode(chunk.value, { stream: true });
  }
  return read;
}

/**
 * Ends one request for any reason: the user's signal, a time limit, or a reader that needs no more data. Closes the
 * connection if the answer is in progress, and does nothing if the answer has ended.
 */
class CallControl {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  /** Whether the request was ended from outside, not by its reader. */
  #ended = false;

  constructor(clock: Clock, userSignal: AbortSignal | undefined) {
    this.#clock = clock;
    if (userSignal?.aborted) this.#end(userSignal.reason);
    userSignal?.addEventListener('abort', () => this.#end(userSignal.reason), { signal: this.signal });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for work that observes the signal. If it takes longer than `ms`, ends the request with the error.
   * @throws the reason why the request was ended, instead of the error that follows from it.
   */
  async within<T>(ms: number, tooLate: () => Error, work: Promise<T>): Promise<T> {
    const cancelTimer = this.#clock.after(ms, () => this.#end(tooLate()));
    try {
      return await work;
    } catch (error) {
      if (this.#ended) throw this.signal.reason;
      throw error;
    } finally {
      cancelTimer();
    }
  }

  close(): void {
    this.#controller.abort();
  }

  #end(reason: unknown): void {
    if (this.signal.aborted) return;
    this.#ended = true;
    this.#controller.abort(reason);
  }
}
