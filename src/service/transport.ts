/** One request and the head of its answer: headers, time limit, retries, and every failure as a {@link ServiceError}. */
import * as l10n from '@vscode/l10n';
import type { ApiKey } from './apiKey.ts';
import { CallControl } from './callControl.ts';
import type { Clock } from './clock.ts';
import { type RetryNotice, type RetryPolicy, withRetries } from './retry.ts';
import { requestIdOf, ServiceError } from './serviceError.ts';

/** What every method of the client takes. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Tries after the first, in place of the client's own number. */
  readonly retries?: number | undefined;
  /** Told of each wait before a further try. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Told of each try. */
  readonly onRequest?: ((head: RequestHead) => void) | undefined;
  /** Told of the head of the answer, so that it can be logged with the id that the service gave it. */
  readonly onResponse?: ((head: ResponseHead) => void) | undefined;
}

/** What is sent, without the key. */
export interface RequestHead {
  readonly headers: Readonly<Record<string, string>>;
  /** Of the body, in characters. */
  readonly length: number;
}

interface ResponseHead {
  readonly status: number;
  readonly requestId: string | undefined;
  readonly headers: Headers;
}

/** A success whose body is still to be read. Whoever reads it closes the control. */
export interface OpenAnswer {
  readonly response: Response;
  readonly requestId: string | undefined;
  readonly control: CallControl;
  /** Name and port of the service, for messages. */
  readonly host: string;
}

export interface Call<T> {
  readonly method: 'GET' | 'POST';
  /** Below the base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Milliseconds until `read` must be done. */
  readonly limitMs: number;
  /** Whether it only reads, so that sending it twice costs nothing. */
  readonly readsOnly: boolean;
  /** Takes what it needs of the answer. For a stream that is the head; the rest then has its own limits. */
  read(answer: OpenAnswer): Promise<T>;
}

export interface TransportOptions {
  readonly baseAddress: string;
  readonly key: ApiKey;
  readonly fetch: typeof globalThis.fetch;
  readonly retry: RetryPolicy;
  readonly clock: Clock;
}

/** Of a failed answer's body so much is read, in bytes. */
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

  /** @throws {ServiceError}, or the signal's reason once it is aborted. */
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
    const text = body === undefined ? undefined : JSON.stringify(body);
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
      throw ServiceError.fromNetwork(error, this.#host);
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

/** The beginning of a failed answer's body. A body that breaks off still tells what it had told. */
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
