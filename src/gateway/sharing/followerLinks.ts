import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type CloseReason,
  type FollowerMessage,
  type FollowerRequest,
  HANDSHAKE_MS,
  LINK_HEADER,
  type OwnerMessage,
  type TrafficSubscription,
} from './linkProtocol.ts';
import { createNonce, linkKeys, ownerProof, parseNonce } from './proof.ts';
import type { ListenCommand } from './protocol.ts';
import { SealedChannel } from './sealedChannel.ts';

/** How long a follower may take to close its side; the gateway cannot end before. */
const FAREWELL_MS = 500;

/** Every open window is one; who opens more only wants to waste them. */
const MAX_LINKS = 256;

/** A window proves itself a moment after it has connected: of those that have not yet, the newest is the likeliest one. */
const MAX_UNPROVEN = 64;

/** Stands for one window that follows. */
export interface Follower {
  send(message: OwnerMessage): void;
}

export interface FollowerLinksOptions {
  readonly secret: Buffer;
  readonly localKeys: () => ListenCommand['localKeys'];
  /** `from` stands for the follower that asks. */
  readonly onRequest: (request: FollowerRequest, from: object) => void;
  readonly onLook: (look: TrafficSubscription, follower: Follower) => void;
  readonly onLeft: (follower: Follower) => void;
}

/** The owner's connections to the windows that follow it. */
export class FollowerLinks {
  readonly #options: FollowerLinksOptions;
  readonly #sockets = new Set<Duplex>();
  readonly #followers = new Set<SealedChannel>();
  /** Those whose first words are still to come, the oldest first. */
  readonly #unproven = new Set<SealedChannel>();
  #isOver = false;

  constructor(options: FollowerLinksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#followers.size;
  }

  /** Takes a CONNECT request: proves who answers here, and waits for the other side to do so by its first message. */
  readonly accept = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy());
    const asked = request.headers[LINK_HEADER];
    const followerNonce = parseNonce(typeof asked === 'string' ? asked : undefined);
    if (followerNonce === undefined || this.#isOver || this.#followers.size >= MAX_LINKS) {
      socket.end('HTTP/1.1 405 Method Not Allowed\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    const { secret } = this.#options;
    const handshake = { port: (socket as Socket).localPort ?? 0, followerNonce, ownerNonce: createNonce() };
    const words = [handshake.ownerNonce, ownerProof(secret, handshake)].map((bytes) => bytes.toString('base64url'));
    socket.write(`HTTP/1.1 200 OK\r\n${LINK_HEADER}: ${words.join('.')}\r\n\r\n`);
    const keys = linkKeys(secret, handshake);
    const sealedBy = { send: keys.towardFollower, receive: keys.towardOwner };
    this.#makeRoom();
    this.#read(socket, head, new SealedChannel(socket, sealedBy, { isProven: false }));
  };

  /** To all, or all but one. */
  broadcast(message: OwnerMessage, except?: object): void {
    for (const follower of this.#followers) {
      if (follower !== except) follower.send(message);
    }
  }

  /** To be called when the port is free. */
  sendClose(reason: CloseReason): void {
    this.#isOver = true;
    this.broadcast({ type: 'close', reason });
    for (const follower of this.#followers) follower.end();
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, FAREWELL_MS).unref();
  }

  /** At the cost of who takes longest to prove itself: nobody can keep a window out by connecting more often. */
  #makeRoom(): void {
    const [oldest] = this.#unproven;
    if (oldest === undefined || this.#unproven.size < MAX_UNPROVEN) return;
    this.#unproven.delete(oldest);
    oldest.destroy();
  }

  #read(socket: Duplex, head: Buffer, channel: SealedChannel): void {
    this.#sockets.add(socket);
    this.#unproven.add(channel);
    const timer = setTimeout(() => channel.destroy(), HANDSHAKE_MS);
    const receive = (message: FollowerMessage) => {
      this.#unproven.delete(channel);
      switch (message.type) {
        case 'hello':
          clearTimeout(timer);
          this.#followers.add(channel);
          channel.send({ type: 'welcome', localKeys: this.#options.localKeys() } satisfies OwnerMessage);
          return;
        case 'watchTraffic':
        case 'askTraffic':
        case 'reportCalls':
          this.#options.onLook(message, channel);
          return;
        default:
          this.#options.onRequest(message, channel);
      }
    };
    channel.start(
      head,
      (message) => receive(message as FollowerMessage),
      () => {
        clearTimeout(timer);
        this.#sockets.delete(socket);
        this.#unproven.delete(channel);
        this.#followers.delete(channel);
        this.#options.onLeft(channel);
      },
    );
  }
}
