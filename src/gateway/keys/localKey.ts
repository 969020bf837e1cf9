import { randomBytes } from 'node:crypto';

/** Grants access to the gateway on this machine. `id` identifies the key in records; clients send `secret`. */
export interface LocalKey {
  readonly id: string;
  /** Display name, such as `terminal`. */
  readonly name: string;
  readonly secret: string;
}

/** 256 random bits after the prefix that the specification requires for every key. */
export function createLocalKeySecret(): string {
  return `key_${randomBytes(32).toString('base64url')}`;
}
