import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { LaterCall } from '../../core/callHandle.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../../core/upstream.ts';
import { WrappedUpstream } from '../../core/wrappedUpstream.ts';
import type { SocketCallOptions } from './socketCall.ts';
import type { SocketPool } from './socketPool.ts';
import { type TurnBody, turnBody } from './turnBody.ts';

export interface UpstreamSocketsOptions extends Pick<SocketCallOptions, 'origin' | 'masks' | 'firstMs' | 'idleMs'> {
  readonly dispatcher: Dispatcher;
  /** Returns the path of a request, with its query. */
  readonly pathOf: (request: UpstreamRequest) => string;
  /** Returns the headers of a request, with the key. */
  readonly headersOf: (request: UpstreamRequest) => IncomingHttpHeaders;
}

/** After so many in a row, not the requests are the reason. */
const MAX_CUTS = 3;
const HANDSHAKE_MS = 15_000;
/** How long requests go over HTTP after the server has refused a WebSocket. */
const REFUSED_MS = 10 * 60_000;
const NOT_OF_HANDSHAKE: ReadonlySet<string> = new Set(['content-type', 'accept', 'accept-encoding']);

/** Returns the upstream that asks for responses over WebSocket connections, and for everything else over HTTP. */
export function withSockets(overHttp: Upstream, options: UpstreamSocketsOptions): Upstream {
  return new SocketUpstream(overHttp, options);
}

/** Asks over HTTP if the server has no WebSocket. The code for connections is loaded with the first request. */
class SocketUpstream extends WrappedUpstream {
  readonly #options: UpstreamSocketsOptions;
  #pool: SocketPool | undefined;
  #refusedUntil = 0;
  readonly #closed = new ClosedConversations();
  /** Connections in a row that were closed before their first event. */
  #cutsInARow = 0;

  constructor(overHttp: Upstream, options: UpstreamSocketsOptions) {
    super(overHttp);
    this.#options = options;
  }

  /** Whether a request continues a conversation is only known when all of it has arrived. */
  override takesBodyStream(endpoint: Endpoint): boolean {
    return endpoint !== '/responses' && super.takesBodyStream(endpoint);
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const isTurn = request.endpoint === '/responses' && request.method === 'POST' && request.body !== undefined;
    const body = isTurn ? turnBody(request.body ?? NOTHING) : undefined;
    if (body === undefined || performance.now() < this.#refusedUntil) return super.send(request, sink);
    if (this.#closed.has(body)) return super.send(request, sink);
    const fallBack = (reason: 'unopened' | 'closed') => {
      if (reason === 'unopened') return super.send(request, sink);
      this.#noteClosed(body);
      // The request was reported as sent before.
      const { onSending: _, ...sent } = request;
      return super.send(sent, sink);
    };
    let start = () => super.send(request, sink);
    const code = Promise.all([import('./socketCall.ts'), import('./socketPool.ts'), import('./openSocket.ts')]);
    const ready = code.then(([{ SocketCall }, { SocketPool: Pool }, { NoSocket, openSocket }]) => {
      this.#pool ??= new Pool();
      const { pathOf, headersOf, ...known } = this.#options;
      const headers = Object.entries(headersOf(request)).filter(([name]) => !NOT_OF_HANDSHAKE.has(name));
      const handshake = {
        ...known,
        path: pathOf(request),
        headers: Object.fromEntries(headers),
        timeoutMs: HANDSHAKE_MS,
      };
      const open = () =>
        openSocket(handshake).catch((error: unknown) => {
          if (error instanceof NoSocket) this.#refusedUntil = performance.now() + REFUSED_MS;
          throw error;
        });
      const pool = this.#pool;
      const onAnswered = () => {
        this.#cutsInARow = 0;
      };
      start = () => new SocketCall({ ...known, request, body, sink, pool, open, fallBack, onAnswered });
    });
    return new LaterCall(sink, ready, () => start());
  }

  #noteClosed(body: TurnBody): void {
    this.#closed.add(body);
    this.#cutsInARow += 1;
    if (this.#cutsInARow < MAX_CUTS) return;
    this.#cutsInARow = 0;
    this.#refusedUntil = performance.now() + REFUSED_MS;
  }

  override close(): Promise<void> {
    this.#pool?.close();
    return super.close();
  }
}

const NOTHING = Buffer.alloc(0);

interface Beginning {
  readonly length: number;
  readonly hash: string;
}

const MAX_CONVERSATIONS = 64;

/**
 * Conversations whose connection was closed before its first event, for example because their messages are longer than
 * the server accepts. Their next requests, which begin with the same items, go over HTTP.
 */
class ClosedConversations {
  #beginnings: readonly Beginning[] = [];

  add({ input }: TurnBody): void {
    // Every conversation begins with no items.
    if (input.length === 0) return;
    const beginning = { length: input.length, hash: hashOf(input) };
    this.#beginnings = [...this.#beginnings, beginning].slice(-MAX_CONVERSATIONS);
  }

  has({ input }: TurnBody): boolean {
    return this.#beginnings.some(
      ({ length, hash }) => length <= input.length && hashOf(input.subarray(0, length)) === hash,
    );
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha1').update(bytes).digest('base64');
}
