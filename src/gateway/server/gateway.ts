import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { CANCELLED } from '../core/refusal.ts';
import type { Upstream } from '../core/upstream.ts';
import { runningExchange } from '../exchanges/exchangeSummary.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import type { RunningExchange } from '../traffic/protocol.ts';
import { RequestHandler, type RequestHandlerOptions } from './requestHandler.ts';

export interface GatewayAddress {
  /** Base address for clients, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  readonly port: number;
}

/** How long a client may take, in milliseconds. */
export interface ConnectionLimits {
  /** For all headers of a request. */
  readonly headersTimeout: number;
  /** Between two looks at who takes too long. */
  readonly connectionsCheckingInterval: number;
}

export interface GatewayOptions extends RequestHandlerOptions {
  readonly connectionLimits?: ConnectionLimits;
  /** Takes CONNECT requests, and their sockets with them. Without it such connections are closed. */
  readonly onConnect?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const LIMITS = {
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  /** Bodies have a time limit of their own, which is answered in the caller's format. */
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  /** Some agents describe their whole turn in one header. */
  maxHeaderSize: 64 * 1024,
};

/** How long streams may go on once the gateway was told to close, and how long the last words may take to leave. */
const GRACE_MS = 5_000;
const LAST_WORDS_MS = 500;
/** How long the usage of what was cut off may take to be counted. */
const COUNTING_MS = 5_000;

/** Addresses that stand for all of a machine's, by the one under which the machine reaches itself. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** The compatible server, on this machine's loopback interfaces or on one address. */
export class Gateway {
  readonly #options: GatewayOptions;
  readonly #handler: RequestHandler;
  readonly #servers: Server[] = [];
  #onQuiet: (() => void) | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#handler = new RequestHandler({ ...options, onExchange: (...ended) => this.#finished(...ended) });
  }

  /**
   * Listens on 127.0.0.1, and on ::1 where this machine has it and the port is free there. Port 0 takes a free one.
   * @throws the system's error with its `code`, such as `EADDRINUSE`.
   */
  async listen(port: number): Promise<GatewayAddress> {
    const taken = await this.#listen('127.0.0.1', port);
    await this.#listen('::1', taken).catch((error: unknown) => this.#options.onError?.(error));
    return { address: `http://127.0.0.1:${taken}/api/v1`, port: taken };
  }

  /**
   * Listens on one address, such as `0.0.0.0`, `::` or `10.0.0.5`. Port 0 takes a free one.
   * @returns an address that this machine can use.
   * @throws the system's error with its `code`, such as `EADDRNOTAVAIL`.
   */
  async listenOn(host: string, port: number): Promise<GatewayAddress> {
    const taken = await this.#listen(host, port);
    const name = WILDCARDS[host] ?? (isIPv6(host) ? `[${host}]` : host);
    return { address: `http://${name}:${taken}/api/v1`, port: taken };
  }

  async #listen(host: string, port: number): Promise<number> {
    const limits = { ...LIMITS, ...this.#options.connectionLimits };
    const server = createServer(limits, this.#handler.handle).on('checkContinue', this.#handler.handle);
    if (this.#options.onConnect !== undefined) server.on('connect', this.#options.onConnect);
    server.listen({ host, port });
    await once(server, 'listening');
    server.on('error', (error) => this.#options.onError?.(error));
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  setLocalKeys(keys: readonly IssuedKey[]): void {
    this.#handler.setLocalKeys(keys);
  }

  /** For requests from now on. Resolves when those that began with the one before have ended, so that it can be closed. */
  setUpstream(upstream: Upstream): Promise<void> {
    return this.#handler.setUpstream(upstream);
  }

  /** Those under way, as they are now. */
  get running(): readonly RunningExchange[] {
    return [...this.#handler.exchanges].map((exchange) => runningExchange(exchange.summary(), exchange.waitsFor));
  }

  /** Ends one that is under way; does nothing when it is not. */
  cancel(exchangeId: string): void {
    for (const exchange of this.#handler.exchanges) {
      if (exchange.id === exchangeId) exchange.cutOff(CANCELLED, 'cancelled');
    }
  }

  setEndingLoops(isOn: boolean): void {
    this.#handler.setEndingLoops(isOn);
  }

  endSession(sessionId: string): void {
    this.#handler.endSession(sessionId);
  }

  setDetectingSecrets(isOn: boolean): void {
    this.#handler.setDetectingSecrets(isOn);
  }

  setAllowedOrigins(origins: readonly string[]): void {
    this.#handler.setAllowedOrigins(origins);
  }

  /**
   * Refuses new requests and lets those under way finish for `graceMs`. The port stays open meanwhile, so that a balancer
   * sees at `/health/ready` where to send no more. {@link close} is to follow.
   */
  async drain(graceMs: number): Promise<void> {
    this.#handler.stopAdmitting();
    await this.#quiet(graceMs);
  }

  /** Frees its port at once, lets requests under way finish for `graceMs`, then ends them with an error in their format. */
  async close(graceMs = GRACE_MS): Promise<void> {
    const servers = this.#servers.splice(0);
    this.#handler.stopAdmitting();
    const closed = servers.map((server) => {
      const done = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      return done;
    });
    await this.#quiet(graceMs);
    for (const exchange of this.#handler.exchanges) exchange.stop();
    await this.#quiet(LAST_WORDS_MS);
    for (const server of servers) server.closeAllConnections();
    await Promise.all(closed);
    // What was cut off has its record yet to give.
    await this.#quiet(COUNTING_MS);
    await this.#handler.dispose();
  }

  #finished(record: ExchangeRecord, upstream: Upstream | undefined): void {
    this.#options.onExchange?.(record, upstream);
    if (this.#handler.exchanges.size === 0) this.#onQuiet?.();
  }

  /** Resolves when no exchange is under way, or after `ms`. */
  async #quiet(ms: number): Promise<void> {
    if (this.#handler.exchanges.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#onQuiet = resolve;
    await promise;
    clearTimeout(timer);
  }
}
