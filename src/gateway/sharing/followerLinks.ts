import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  type CloseReason,
  type FollowerRequest,
  HANDSHAKE_MS,
  isFollowerMessage,
  LINK_HEADER,
  type OwnerMessage,
  type TrafficSubscription,
} from './linkProtocol.ts';
import { createNonce, linkKeys, ownerProof, parseNonce } from './proof.ts';
import type { SharedKeys } from './protocol.ts';
import { SealedChannel } from './sealedChannel.ts';

/** How long a follower may take to close its side. The gateway cannot close earlier. */
const FAREWELL_MS = 500;

/** Each open window has one link. More links can only come from abuse. */
const MAX_LINKS = 256;

/**
 * A window authenticates immediately after it connects, so of the unauthenticated connections, the newest is the most
 * likely to be a window.
 */
const MAX_UNPROVEN = 64;

export interface Follower {
  send(message: OwnerMessage): void;
}

export interface FollowerLinksOptions {
  readonly secret: Buffer;
  readonly localKeys: () => SharedKeys;
  /** `from` identifies the requesting follower. */
  readonly onRequest: (request: FollowerRequest, from: object) => void;
  readonly onLook: (look: TrafficSubscription, follower: Follower) => void;
  readonly onLeft: (follower: Follower) => void;
}

export class FollowerLinks {
  readonly #options: FollowerLinksOptions;
  readonly #sockets = new Set<Duplex>();
  readonly #followers = new Set<SealedChannel>();
  /** Connections that have not authenticated yet, oldest first. */
  readonly #unproven = new Set<SealedChannel>();
  #isOver = false;

  constructor(options: FollowerLinksOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#followers.size;
  }

  /**
   * Handles a CONNECT request: sends the owner's proof, and waits for the first message of the other side, which is its
   * proof.
   */
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

  broadcast(message: OwnerMessage, except?: object): void {
    for (const follower of this.#followers) {
      if (follower !== except) follower.send(message);
    }
  }

  /** Must be called when the port is free. */
  sendClose(reason: CloseReason): void {
    this.#isOver = true;
    this.broadcast({ type: 'close', reason });
    for (const follower of this.#followers) follower.end();
    setTimeout(() => {
      for (const socket of this.#sockets) socket.destroy();
    }, FAREWELL_MS).unref();
  }

  /**
   * Closes the connection that has taken longest to authenticate, so that a flood of connections cannot keep a window
   * out.
   */
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
    const receive = (message: unknown) => {
      this.#unproven.delete(channel);
      if (!isFollowerMessage(message)) return;
      switch (message.type) {
        case 'hello':
          clearTimeout(timer);
          this.#followers.add(channel);
          channel.send({ type: 'welcome', ...this.#options.localKeys() } satisfies OwnerMessage);
          return;
        case 'watchTraffic':
        case 'askTraffic':
        case 'reportCalls':
        case 'reportBranch':
          this.#options.onLook(message, channel);
          return;
        default:
          this.#options.onRequest(message, channel);
      }
    };
    channel.start(head, receive, () => {
      clearTimeout(timer);
      this.#sockets.delete(socket);
      this.#unproven.delete(channel);
      this.#followers.delete(channel);
      this.#options.onLeft(channel);
    });
  }
}
