import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import { CANCELLED } from '../core/refusal.ts';
import { accepted } from '../http/turns.ts';
import type { RunningExchange } from '../traffic/protocol.ts';
import { RequestHandler } from './requestHandler.ts';
import type { RequestHandlerOptions } from './requestHandlerOptions.ts';
import { ignoreUpgrade, isAnswering, opensResponses } from './upgrades.ts';

export interface GatewayAddress {
  /** Base address for clients, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  readonly port: number;
}

/** Time limits for clients, in milliseconds. */
export interface ConnectionLimits {
  /** For all headers of a request. */
  readonly headersTimeout: number;
  readonly connectionsCheckingInterval: number;
}

export interface GatewayOptions extends RequestHandlerOptions {
  readonly connectionLimits?: ConnectionLimits;
  /** Handles CONNECT requests and takes over their sockets. By default, such connections are closed. */
  readonly onConnect?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const LIMITS = {
  headersTimeout: 15_000,
  connectionsCheckingInterval: 5_000,
  /** Bodies have their own time limit, and exceeding it is answered in the caller's format. */
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
  /** Some agents describe their whole turn in one header. */
  maxHeaderSize: 64 * 1024,
};

/**
 * The number of connections that the operating system holds until they are accepted. It drops further ones, whose
 * clients try again after a second.
 */
const MAX_WAITING_CONNECTIONS = 4096;
/**
 * How long streams may continue after the gateway was asked to close, and how long sending the final errors may take.
 */
const GRACE_MS = 5_000;
const LAST_WORDS_MS = 500;
/** How long it may take to count the usage of answers that were cut off. */
const COUNTING_MS = 5_000;

/** Addresses that mean all interfaces, with the address under which the machine reaches itself. */
const WILDCARDS: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };

/** The compatible server, on this machine's loopback interfaces or on one address. */
export class Gateway extends RequestHandler {
  readonly #options: GatewayOptions;
  readonly #servers: Server[] = [];

  constructor(options: GatewayOptions) {
    super(options);
    this.#options = options;
  }

  /**
   * Listens on 127.0.0.1, and on ::1 if the machine has it and the port is free there. Port 0 selects a free port.
   * @throws the operating system's error with its `code`, such as `EADDRINUSE`.
   */
  async listen(port: number): Promise<GatewayAddress> {
    const taken = await this.#listen('127.0.0.1', port);
    await this.#listen('::1', taken).catch((error: unknown) => this.#options.onError?.(error));
    return { address: `http://127.0.0.1:${taken}/api/v1`, port: taken };
  }

  /**
   * Listens on one address, such as `0.0.0.0`, `::` or `10.0.0.5`. Port 0 selects a free port.
   * @returns an address that this machine can use.
   * @throws the operating system's error with its `code`, such as `EADDRNOTAVAIL`.
   */
  async listenOn(host: string, port: number): Promise<GatewayAddress> {
    const taken = await this.#listen(host, port);
    const name = WILDCARDS[host] ?? (isIPv6(host) ? `[${host}]` : host);
    return { address: `http://${name}:${taken}/api/v1`, port: taken };
  }

  async #listen(host: string, port: number): Promise<number> {
    const limits = { ...LIMITS, ...this.#options.connectionLimits };
    const server = createServer(limits, this.handle).on('checkContinue', this.handle);
    server.on('connection', accepted);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      if (isAnswering(socket)) socket.destroy();
      else if (opensResponses(request)) this.sockets.upgrade(request, socket, head);
      else ignoreUpgrade(server, request, socket, head);
    });
    if (this.#options.onConnect !== undefined) server.on('connect', this.#options.onConnect);
    server.listen({ host, port, backlog: MAX_WAITING_CONNECTIONS });
    await once(server, 'listening');
    server.on('error', (error) => this.#options.onError?.(error));
    this.#servers.push(server);
    return (server.address() as AddressInfo).port;
  }

  get running(): readonly RunningExchange[] {
    return [...this.exchanges].map(({ running }) => running);
  }

  /** Ends a running exchange. Does nothing if it is not running. */
  cancel(exchangeId: string): void {
    for (const exchange of this.exchanges) {
      if (exchange.id === exchangeId) exchange.cutOff(CANCELLED, 'cancelled');
    }
  }

  /**
   * Refuses new requests, and waits up to `graceMs` for the running ones. The port stays open, so that a balancer sees
   * at `/health/ready` that it must send requests elsewhere. Must be followed by {@link close}.
   */
  async drain(graceMs: number): Promise<void> {
    this.stopAdmitting();
    await this.exchanges.ended(graceMs);
  }

  /**
   * Frees the port immediately, waits up to `graceMs` for running requests, then ends them with an error in their
   * format.
   */
  async close(graceMs = GRACE_MS): Promise<void> {
    const servers = this.#servers.splice(0);
    this.stopAdmitting();
    void this.sockets.closeIdle();
    const closed = servers.map((server) => {
      const done = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      return done;
    });
    await this.exchanges.ended(graceMs);
    for (const exchange of this.exchanges) exchange.stop();
    await this.exchanges.ended(LAST_WORDS_MS);
    for (const server of servers) server.closeAllConnections();
    await this.sockets.close();
    await Promise.all(closed);
    // The records of exchanges that were cut off are still to come.
    await this.exchanges.ended(COUNTING_MS);
    await this.dispose();
  }
}
