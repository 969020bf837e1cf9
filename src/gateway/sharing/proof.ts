/**
 * How two gateways of one user know each other. Both hold the same secret; neither sends it. The owner of the port
 * proves that it holds it by a digest over fresh random values of both sides, the follower by being able to write the
 * first message, which is sealed with keys that follow from the secret and these values.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 32;
const KEY_BYTES = 32;

/** What both sides have seen of each other, and where. */
export interface Handshake {
  /** On which the owner listens: what it proves for one port proves nothing for another. */
  readonly port: number;
  readonly followerNonce: Buffer;
  readonly ownerNonce: Buffer;
}

/** One key for each direction, so that nothing can be sent back to where it came from. */
export interface LinkKeys {
  readonly towardOwner: Buffer;
  readonly towardFollower: Buffer;
}

export function createNonce(): Buffer {
  return randomBytes(NONCE_BYTES);
}

export function ownerProof(secret: Buffer, { port, followerNonce, ownerNonce }: Handshake): Buffer {
  const said = Buffer.concat([Buffer.from(`owner of port ${port}\n`), followerNonce, ownerNonce]);
  return createHmac('sha256', secret).update(said).digest();
}

export function isOwnerProof(proof: Buffer, secret: Buffer, handshake: Handshake): boolean {
  const expected = ownerProof(secret, handshake);
  return proof.length === expected.length && timingSafeEqual(proof, expected);
}

export function linkKeys(secret: Buffer, { followerNonce, ownerNonce }: Handshake): LinkKeys {
  const salt = Buffer.concat([followerNonce, ownerNonce]);
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, salt, purpose, KEY_BYTES));
  return { towardOwner: derive('toward the owner'), towardFollower: derive('toward the follower') };
}

/** The random value written as base64url, or `undefined` when it is none. */
export function parseNonce(text: string | undefined): Buffer | undefined {
  const nonce = Buffer.from(text ?? '', 'base64url');
  return nonce.length === NONCE_BYTES ? nonce : undefined;
}
