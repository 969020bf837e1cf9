import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Prefix of items that a gateway has sealed. Items of services never begin with it. */
const PREFIX = 'model-access-1.';
const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export function isSealed(content: string): boolean {
  return content.startsWith(PREFIX);
}

/** @param key 32 bytes, derived from the local key that owns the conversation. */
export function seal(text: string, key: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(PREFIX));
  const sealed = Buffer.concat([cipher.update(deflateRawSync(text)), cipher.final()]);
  return PREFIX + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/**
 * @param maxBytes limit for the text.
 * @returns undefined if the content was changed, was sealed with another key, or is too long.
 */
export function unseal(content: string, key: Uint8Array, maxBytes: number): string | undefined {
  const bytes = Buffer.from(content.slice(PREFIX.length), 'base64url');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(PREFIX));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const sealed = bytes.subarray(NONCE_BYTES + TAG_BYTES);
    const compressed = Buffer.concat([decipher.update(sealed), decipher.final()]);
    return inflateRawSync(compressed, { maxOutputLength: maxBytes }).toString();
  } catch {
    return undefined;
  }
}
