/**
 * Mutual authentication of two gateways of the same user. Both have the same secret and never send it. The owner of the
 * port proves that it knows the secret with an HMAC over fresh nonces of both sides. The follower proves it with its
 * first message, which is sealed with keys derived from the secret and the nonces.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 32;

export interface SharingHandshake {
  /** The port on which the owner listens. A proof for one port is not valid for another. */
  readonly port: number;
  readonly followerNonce: Buffer;
  readonly ownerNonce: Buffer;
}

/** One key for each direction, so that a message cannot be reflected to its sender. */
export interface LinkKeys {
  readonly towardOwner: Buffer;
  readonly towardFollower: Buffer;
}

export function createNonce(): Buffer {
  return randomBytes(NONCE_BYTES);
}

export function ownerProof(secret: Buffer, { port, followerNonce, ownerNonce }: SharingHandshake): Buffer {
  const message = Buffer.concat([Buffer.from(`owner of port ${port}\n`), followerNonce, ownerNonce]);
  return createHmac('sha256', secret).update(message).digest();
}

export function isOwnerProof(proof: Buffer, secret: Buffer, handshake: SharingHandshake): boolean {
  const expected = ownerProof(secret, handshake);
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

const KEY_BYTES = 32;

export function linkKeys(secret: Buffer, { followerNonce, ownerNonce }: SharingHandshake): LinkKeys {
  const salt = Buffer.concat([followerNonce, ownerNonce]);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, salt, purpose, KEY_BYTES));
  return { towardOwner: derive('toward the owner'), towardFollower: derive('toward the follower') };
}

/** Decodes a nonce in base64url. Returns `undefined` if it is invalid. */
export function parseNonce(text: string | undefined): Buffer | undefined {
  const nonce = Buffer.from(text ?? '', 'base64url');
  return nonce.length === NONCE_BYTES ? nonce : undefined;
}
