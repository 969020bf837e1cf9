import type { WebSocket } from 'ws';
import { type KeptConversation, newItems, type TurnBody } from './turnBody.ts';

export interface IdleSocket {
  readonly socket: WebSocket;
  readonly openedAt: number;
  /** What the upstream knows on this connection. */
  readonly kept: KeptConversation;
}

const MAX_IDLE = 16;
/** Services close a connection after 60 minutes, also in the middle of a long answer. */
const MAX_AGE_MS = 50 * 60_000;
const IDLE_MS = 5 * 60_000;

/**
 * Keeps connections for requests that continue their conversations. Others get a connection of their own, because a
 * connection has the headers of its client and session.
 */
export class SocketPool {
  readonly #idle = new Map<WebSocket, IdleSocket & { readonly timer: NodeJS.Timeout }>();

  /** Returns a connection that knows the beginning of the conversation. */
  take(body: TurnBody): IdleSocket | undefined {
    const found = [...this.#idle.values()].findLast(({ kept }) => newItems(body, kept) !== undefined);
    if (found !== undefined) this.#remove(found.socket);
    return found;
  }

  put(idle: IdleSocket): void {
    const { socket, openedAt } = idle;
    if (socket.readyState !== socket.OPEN || performance.now() - openedAt > MAX_AGE_MS) {
      socket.terminate();
      return;
    }
    const forget = (): void => {
      this.#remove(socket);
      socket.close();
    };
    this.#idle.set(socket, { ...idle, timer: setTimeout(forget, IDLE_MS).unref() });
    socket.on('close', this.#onClose);
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > MAX_IDLE && oldest !== undefined) {
      this.#remove(oldest);
      oldest.close();
    }
  }

  close(): void {
    for (const { socket } of this.#idle.values()) {
      this.#remove(socket);
      socket.terminate();
    }
  }

  readonly #onClose = (): void => {
    for (const { socket } of this.#idle.values()) if (socket.readyState !== socket.OPEN) this.#remove(socket);
  };

  #remove(socket: WebSocket): void {
    clearTimeout(this.#idle.get(socket)?.timer);
    this.#idle.delete(socket);
    socket.off('close', this.#onClose);
  }
}
