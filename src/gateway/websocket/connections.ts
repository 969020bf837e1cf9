import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type AnswerSocketTurn, DEFAULT_SOCKET_LIMITS, SocketConnection, type SocketLimits } from './connection.ts';
import { Continuations } from './continuations.ts';

export class Connections {
  readonly #limits: SocketLimits;
  readonly #continuations = new Continuations();
  readonly #connections = new Set<SocketConnection>();
  readonly #server: WebSocketServer;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: Partial<SocketLimits> = {}) {
    this.#limits = { ...DEFAULT_SOCKET_LIMITS, ...limits };
    // Compressed messages would let a small message fill the memory.
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#limits.maxBytes,
    });
  }

  get hasRoom(): boolean {
    return this.#connections.size < this.#limits.maxConnections;
  }

  /** Completes the handshake, or answers with 400 if it is invalid. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, answer: AnswerSocketTurn): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      const connection = new SocketConnection(client, this.#limits, this.#continuations, answer);
      this.#connections.add(connection);
      this.#timer ??= setInterval(this.#check, this.#limits.checkMs).unref();
      socket.prependListener('data', (piece: Buffer) => connection.arrived(piece.length));
      client.on('close', () => this.#remove(connection));
    });
  }

  /** Closes idle connections, and others after their answer. */
  goAway(): void {
    for (const connection of this.#connections) connection.goAway();
  }

  terminate(): void {
    for (const connection of this.#connections) connection.terminate();
  }

  #remove(connection: SocketConnection): void {
    this.#connections.delete(connection);
    if (this.#connections.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  readonly #check = (): void => {
    const now = performance.now();
    for (const connection of this.#connections) connection.check(now);
  };
}
