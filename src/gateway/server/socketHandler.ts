import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Access } from '../access/access.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import { type Refusal, STOPPING, TOO_MANY } from '../core/refusal.ts';
import type { SocketLimits } from '../websocket/connection.ts';
import type { Connections } from '../websocket/connections.ts';
import { type TurnHead, turnHead } from '../websocket/turnHeaders.ts';

export interface SocketHandlerOptions {
  readonly access: Access;
  readonly limits: Partial<SocketLimits> | undefined;
  readonly isAdmitting: () => boolean;
  readonly onRefused: (request: IncomingMessage, socket: Duplex, refusal: Refusal) => void;
  readonly onTurn: (head: TurnHead, body: Buffer, response: ClientResponse) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Admits WebSocket connections with an allowed source and key. Their code is loaded with the first one. */
export class SocketHandler {
  readonly #options: SocketHandlerOptions;
  #connections: Promise<Connections> | undefined;

  constructor(options: SocketHandlerOptions) {
    this.#options = options;
  }

  /** Answers a request to open a WebSocket for responses. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const { access, onRefused, onError } = this.#options;
    socket.on('error', () => socket.destroy());
    const refusal = access.checkSource(request, false);
    if (refusal !== undefined) onRefused(request, socket, refusal);
    else {
      this.#open(request, socket, head).catch((error: unknown) => {
        onError(error);
        socket.destroy();
      });
    }
  };

  async #open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { access, limits, isAdmitting, onRefused, onTurn, onError } = this.#options;
    const admission = await access.checkKey(request.headers);
    if (!admission.ok || !isAdmitting()) {
      onRefused(request, socket, admission.ok ? STOPPING : admission.refusal);
      return;
    }
    this.#connections ??= import('../websocket/connections.ts').then(({ Connections }) => new Connections(limits));
    const connections = await this.#connections;
    if (socket.destroyed) return;
    if (connections.hasRoom) {
      const turn = turnHead(request);
      connections.accept(request, socket, head, (body, response) => {
        onTurn(turn, body, response).catch((error: unknown) => {
          onError(error);
          response.destroy();
        });
      });
    } else onRefused(request, socket, TOO_MANY);
  }

  /** Closes connections: now if they are idle, otherwise after their answers. */
  async closeIdle(): Promise<void> {
    (await this.#connections)?.goAway();
  }

  async close(): Promise<void> {
    (await this.#connections)?.terminate();
  }
}
