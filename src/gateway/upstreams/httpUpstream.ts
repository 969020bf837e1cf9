import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { ApiError } from '../../formats/apiError.ts';
import { DEFAULT_VERSION } from '../../formats/messages/index.ts';
import { isLoopback } from '../../service/baseAddress.ts';
import { KeyMask, type MaskedStream } from '../core/keyMask.ts';
import type { AnswerSink, SizedBody, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { createDecompressor, isPlain, readsEncoding } from '../http/contentEncoding.ts';
import { answerHeaders } from '../http/headers.ts';
import { PacedPieces } from '../http/turns.ts';
import { CompressedAnswer } from './compressedAnswer.ts';
import { createDispatcher } from './dispatcher.ts';
import { BufferedError, MAX_INTERIM, redirectError, TOO_MANY_INTERIM, unknownEncodingError } from './errorAnswer.ts';
import type { HttpUpstreamSettings } from './httpUpstreamSettings.ts';
import { networkError } from './networkError.ts';
import { withSockets } from './webSocket/upstreamSockets.ts';

const DEFAULT_HEADERS_SECONDS = 600;
const DEFAULT_IDLE_SECONDS = 300;

/**
 * Asks for uncompressed answers, because a compressed one could not be read while it passes: its usage, the ends of its
 * events, whether it was cut off, and whether it contains the key. Answers of models are short, and clients accept them
 * uncompressed, too.
 */
const READABLE = { 'accept-encoding': 'identity' } as const;

/**
 * An HTTP server at a base address. Requests and answers pass unchanged; only the credentials are replaced.
 * @throws {TypeError} if the base address is not an HTTP or HTTPS address.
 */
export function createHttpUpstream(settings: HttpUpstreamSettings): Upstream {
  const { id, baseAddress, apiKey, credentials, network, limits = {}, maxTokensPerSecond } = settings;
  const { headersSeconds = DEFAULT_HEADERS_SECONDS, idleSeconds = DEFAULT_IDLE_SECONDS } = limits;
  const { origin, pathname, protocol, searchParams, hostname } = new URL(baseAddress);
  if (protocol !== 'https:' && protocol !== 'http:') throw new TypeError(`Not an http or https address: ${origin}`);
  const basePath = pathname.replace(/\/+$/, '');
  const dispatcher = createDispatcher(origin, network);
  const mask = KeyMask.of(apiKey);
  const masks = [mask, ...(settings.maskedTexts ?? []).map((text) => KeyMask.of(text))].filter((each) => !!each);
  const { headers } = settings;
  const withQuery = fixedQuery([...searchParams, ...Object.entries(settings.query ?? {})]);
  const overHttp: Upstream = {
    id,
    ...(mask !== undefined && { mask }),
    reportsUsage: 'onRequest',
    ...(maxTokensPerSecond !== undefined && { maxTokensPerSecond }),
    secretPolicy: settings.secretPolicy,
    isOnThisMachine: isLoopback(hostname),
    takesBodyStream: () => true,
    send(request, sink) {
      const call = new HttpCall(sink, origin, masks, request.onSending);
      dispatcher.dispatch(
        {
          origin,
          path: `${basePath}${request.endpoint}${request.subpath}${withQuery === undefined ? request.query : withQuery(request.query)}`,
          method: request.method,
          headers: {
            ...request.headers,
            ...READABLE,
            ...versionHeaders(request),
            ...headers,
            ...(credentials.byEndpoint?.[request.endpoint] ?? credentials.usual),
            ...(request.bodyStream && lengthHeader(request.bodyStream)),
          },
          body: request.body ?? request.bodyStream ?? null,
          headersTimeout: headersSeconds * 1000,
          bodyTimeout: (request.idleSeconds ?? idleSeconds) * 1000,
        },
        call,
      );
      return call;
    },
    close: () => dispatcher.close(),
  };
  if (settings.webSocket !== true) return overHttp;
  return withSockets(overHttp, {
    dispatcher,
    origin,
    masks,
    firstMs: headersSeconds * 1000,
    idleMs: idleSeconds * 1000,
    pathOf: ({ endpoint, query }) => `${basePath}${endpoint}${withQuery === undefined ? query : withQuery(query)}`,
    headersOf: (request) => ({
      ...request.headers,
      ...headers,
      ...(credentials.byEndpoint?.[request.endpoint] ?? credentials.usual),
    }),
  });
}

/** Returns a function that adds the parameters to a query with its `?`. Undefined if there are none. */
function fixedQuery(parameters: readonly (readonly [string, string])[]): ((query: string) => string) | undefined {
  if (parameters.length === 0) return undefined;
  const fixed = new URLSearchParams(parameters.map(([name, value]) => [name, value]));
  return (query) => {
    const own = [...new URLSearchParams(query)].filter(([name]) => !fixed.has(name));
    return `?${new URLSearchParams([...fixed, ...own])}`;
  };
}

/** Sends the version in two headers: the service's own, and the vendor's, for which it stands. */
function versionHeaders({ endpoint, headers }: UpstreamRequest): IncomingHttpHeaders | undefined {
  const own = headers['anthropic-version'] ?? headers['vendorb-version'];
  const version = own ?? (endpoint.startsWith('/messages') ? DEFAULT_VERSION : undefined);
  return version === undefined ? undefined : { 'anthropic-version': version, 'vendorb-version': version };
}

/**
 * The length of a stream must be given explicitly. Otherwise, the body would be sent with chunked encoding, which some
 * servers refuse.
 */
function lengthHeader({ length }: SizedBody): IncomingHttpHeaders {
  return { 'content-length': String(length) };
}

const CLIENT_LEFT = new Error('The client disconnected.');
const REDIRECTED = new Error('The service redirects.');
const NOT_PASSED = new Error('The answer cannot be forwarded.');
const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 305, 307, 308]);

class HttpCall implements Dispatcher.DispatchHandler, UpstreamCall {
  readonly #sink: AnswerSink;
  readonly #origin: string;
  readonly #masks: readonly KeyMask[];
  readonly #onSending: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #errorAnswer: BufferedError | undefined;
  /** In the order in which the bytes pass them. */
  #masked: readonly MaskedStream[] = [];
  #compressed: CompressedAnswer | undefined;
  readonly #pieces: PacedPieces;
  #interim = 0;
  #hasEnded = false;
  #paused = false;
  /** Whether received bytes wait for their turn. */
  #isHeld = false;
  /** Whether received bytes are still being searched. */
  #isSearching = false;
  /** Whether everything that follows is ignored. */
  #over = false;

  constructor(sink: AnswerSink, origin: string, masks: readonly KeyMask[], onSending: (() => void) | undefined) {
    this.#sink = sink;
    this.#origin = origin;
    this.#masks = masks;
    this.#onSending = onSending;
    this.#pieces = new PacedPieces(sink, (isHeld) => {
      this.#isHeld = isHeld;
      if (!this.#over) this.#control();
    });
  }

  pause(): void {
    this.#paused = true;
    this.#pieces.pause();
    this.#controller?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#pieces.resume();
    this.#control();
  }

  cancel(): void {
    if (this.#over) return;
    this.#over = true;
    this.#compressed?.cancel();
    this.#pieces.drop();
    if (!this.#hasEnded) this.#controller?.abort(CLIENT_LEFT);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(CLIENT_LEFT);
    else this.#onSending?.();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#over) return;
    if (status < 200) {
      // An interim response, such as 103 Early Hints.
      this.#interim += 1;
      if (this.#interim > MAX_INTERIM) this.#refuse(TOO_MANY_INTERIM);
    } else if (REDIRECTS.has(status)) {
      this.#over = true;
      controller.abort(REDIRECTED);
      this.#sink.fail(redirectError(this.#origin, status, headers.location));
    } else if (status >= 400) {
      this.#errorAnswer = new BufferedError(status, answerHeaders(headers));
    } else {
      this.#startAnswer(status, answerHeaders(headers));
    }
  }

  #startAnswer(status: number, headers: OutgoingHttpHeaders): void {
    const { 'content-encoding': encoding } = headers;
    if (encoding !== undefined && !readsEncoding(String(encoding))) {
      this.#refuse(unknownEncodingError(String(encoding)));
      return;
    }
    const [mask] = this.#masks;
    if (encoding !== undefined && mask !== undefined) this.#compressed = this.#searchCompressed(String(encoding), mask);
    if (this.#compressed !== undefined) this.#pieces.to = this.#compressed;
    let clean = headers;
    for (const each of this.#masks) {
      clean = each.headers(clean);
      if (this.#compressed === undefined) this.#mask(each);
    }
    this.#sink.start(status, clean);
  }

  /** The bytes pass this mask before those that were added earlier. */
  #mask(mask: KeyMask): void {
    const masked = mask.stream(this.#pieces.to);
    this.#masked = [masked, ...this.#masked];
    this.#pieces.to = masked;
  }

  /** Some servers send compressed answers although the request does not accept them. */
  #searchCompressed(encoding: string, mask: KeyMask): CompressedAnswer | undefined {
    const decompressor = isPlain(encoding) ? undefined : createDecompressor(encoding);
    if (decompressor === undefined) return undefined;
    return new CompressedAnswer(decompressor, mask, {
      data: (bytes) => this.#sink.data(bytes),
      wait: (isWaiting) => {
        this.#isSearching = isWaiting;
        this.#control();
      },
      refuse: (error) => this.#refuse(error),
    });
  }

  #control(): void {
    if (this.#paused || this.#isHeld || this.#isSearching) this.#controller?.pause();
    else this.#controller?.resume();
  }

  #refuse(error: ApiError): void {
    this.#over = true;
    if (!this.#hasEnded) this.#controller?.abort(NOT_PASSED);
    this.#sink.fail(error);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    if (this.#errorAnswer === undefined) this.#pieces.push(chunk);
    else if (!this.#errorAnswer.add(chunk)) {
      this.#over = true;
      this.#controller?.abort(NOT_PASSED);
      this.#sendErrorAnswer(this.#errorAnswer);
    }
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#hasEnded = true;
    if (this.#errorAnswer === undefined) {
      this.#passRest();
    } else {
      this.#sendErrorAnswer(this.#errorAnswer);
      this.#over = true;
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (this.#over) return;
    this.#hasEnded = true;
    this.#passRest(networkError(error, this.#origin));
  }

  /** Passes on what was held back, then the end. */
  #passRest(error?: ApiError): void {
    const finish = (): void => {
      if (this.#over) return;
      this.#over = true;
      if (error === undefined) this.#sink.end();
      else this.#sink.fail(error);
    };
    this.#pieces.end(() => {
      // The bytes just passed on must be sent before the connection is closed.
      this.#compressed?.end(() => setImmediate(finish));
      if (this.#compressed !== undefined) return;
      for (const masked of this.#masked) if (!this.#over) masked.end();
      finish();
    });
  }

  #sendErrorAnswer(errorAnswer: BufferedError): void {
    const { status, headers, body } = errorAnswer.finish(this.#masks);
    this.#sink.start(status, headers);
    this.#sink.data(body);
    this.#sink.end();
  }
}
