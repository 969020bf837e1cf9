import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type CloseReason,
  type FollowerMessage,
  HANDSHAKE_MS,
  LINK_HEADER,
  type OwnerEvent,
  type OwnerMessage,
} from './linkProtocol.ts';
import { createNonce, isOwnerProof, linkKeys, parseNonce, type SharingHandshake } from './proof.ts';
import type { SharedKeys } from './protocol.ts';
import { SealedChannel } from './sealedChannel.ts';

/** What listens on a port: the gateway of this user, another program, or nothing (anymore). */
export type Found =
  | { readonly kind: 'owner'; readonly link: OwnerLink; readonly keys: SharedKeys }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'nobody' };

/** A connection whose other side has proved that it owns the port. */
interface Proven {
  readonly port: number;
  readonly secret: Buffer;
  readonly channel: SealedChannel;
}

export class OwnerLink {
  readonly port: number;
  readonly secret: Buffer;
  /** Why the owner closed the link. Resolves with `undefined` if the connection was lost or the follower left. */
  readonly ended: Promise<CloseReason | undefined>;
  readonly #channel: SealedChannel;
  /** Events that arrived before there was a listener. */
  readonly #early: OwnerEvent[] = [];
  #onEvent: (event: OwnerEvent) => void = (event) => this.#early.push(event);

  private constructor({ port, secret, channel }: Proven, ended: Promise<CloseReason | undefined>) {
    this.port = port;
    this.secret = secret;
    this.#channel = channel;
    this.ended = ended;
  }

  /** Sends `hello` and waits for `welcome`. */
  static join(proven: Proven, head: Buffer): Promise<Found> {
    const { channel } = proven;
    return new Promise((resolve) => {
      const ended = Promise.withResolvers<CloseReason | undefined>();
      const link = new OwnerLink(proven, ended.promise);
      const timer = setTimeout(() => channel.destroy(), HANDSHAKE_MS);
      const receive = (message: OwnerMessage) => {
        if (message.type === 'welcome') {
          clearTimeout(timer);
          const { type: _, ...keys } = message;
          resolve({ kind: 'owner', link, keys });
        } else if (message.type === 'close') ended.resolve(message.reason);
        else link.#onEvent(message);
      };
      const close = () => {
        clearTimeout(timer);
        ended.resolve(undefined);
        resolve({ kind: 'nobody' });
      };
      channel.start(head, (message) => receive(message as OwnerMessage), close);
      link.send({ type: 'hello' });
    });
  }

  /** Registers the listener. Events that arrived earlier are delivered first. */
  listen(onEvent: (event: OwnerEvent) => void): void {
    this.#onEvent = onEvent;
    for (const event of this.#early.splice(0)) onEvent(event);
  }

  send(message: FollowerMessage): void {
    this.#channel.send(message);
  }

  /** Closes the link. The owner continues. */
  leave(): void {
    this.#channel.destroy();
  }
}

/** Finds out what listens on a port of this machine. Sends nothing secret before the other side has authenticated. */
export async function findOwner(port: number, secret: Buffer): Promise<Found> {
  const followerNonce = createNonce();
  const headers = { [LINK_HEADER]: followerNonce.toString('base64url') };
  // CONNECT gives both sides a raw socket. Neither clients of a gateway nor pages in a browser send such a request.
  const asked = request({
    host: '127.0.0.1',
    port,
    method: 'CONNECT',
    path: `127.0.0.1:${port}`,
    headers,
    agent: false,
  });
  const answered = await connected(asked);
  if (typeof answered === 'string') return { kind: answered };
  const { response, socket, head } = answered;
  const handshake = proven(response, secret, { port, followerNonce });
  if (handshake === undefined) {
    socket.destroy();
    return { kind: 'foreign' };
  }
  const keys = linkKeys(secret, handshake);
  socket.setNoDelay(true).on('error', () => socket.destroy());
  const channel = new SealedChannel(
    socket,
    { send: keys.towardOwner, receive: keys.towardFollower },
    { isProven: true },
  );
  return OwnerLink.join({ port, secret, channel }, head);
}

const STOP_ATTEMPTS = 3;
const STOP_MS = 6_000;

/** Makes the owner stop the gateway for all windows. If the owner is closing at that moment, stops its successor. */
export async function stopOwner(link: OwnerLink): Promise<void> {
  let owner = link;
  for (let attempt = 1; attempt <= STOP_ATTEMPTS; attempt += 1) {
    owner.send({ type: 'stop' });
    const reason = await Promise.race([owner.ended, delay(STOP_MS, 'stopped' as const, { ref: false })]);
    if (reason === 'stopped') return;
    const found = await findOwner(owner.port, owner.secret);
    if (found.kind !== 'owner') return;
    owner = found.link;
  }
}

interface Connected {
  readonly response: IncomingMessage;
  readonly socket: Socket;
  readonly head: Buffer;
}

const GONE = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE']);

function connected(asked: ClientRequest): Promise<Connected | 'foreign' | 'nobody'> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      resolve('foreign');
      asked.destroy();
    }, HANDSHAKE_MS);
    asked.on('connect', (response: IncomingMessage, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      resolve({ response, socket, head });
    });
    asked.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      resolve(GONE.has(error.code ?? '') ? 'nobody' : 'foreign');
    });
    asked.end();
  });
}

/** Parses the header with the owner's nonce and proof, separated by a dot. */
function proven(
  { statusCode, headers }: IncomingMessage,
  secret: Buffer,
  known: Omit<SharingHandshake, 'ownerNonce'>,
): SharingHandshake | undefined {
  const answer = headers[LINK_HEADER];
  const [nonce, proof] = typeof answer === 'string' ? answer.split('.') : [];
  const ownerNonce = parseNonce(nonce);
  if (statusCode !== 200 || ownerNonce === undefined || proof === undefined) return undefined;
  const handshake = { ...known, ownerNonce };
  return isOwnerProof(Buffer.from(proof, 'base64url'), secret, handshake) ? handshake : undefined;
}
