import { randomBytes } from 'node:crypto';

/** Opens a gateway on this machine. `id` names it in records, `secret` is what a client sends. */
export interface LocalKey {
  readonly id: string;
  /** For a person, such as `terminal`. */
  readonly name: string;
  readonly secret: string;
}

/** 256 random bits behind the prefix that the specification gives to every key. */
export function createLocalKeySecret(): string {
  return `key_${randomBytes(32).toString('base64url')}`;
}
