import { KeyMask } from '../core/keyMask.ts';

/**
 * Keys of the service and of this gateway, in the format of the specification. Without a maximum length, a text of
 * megabytes would overflow the stack of the regular expression.
 */
const KEY = /\bkey_[\w-]{8,4096}/g;
const PREFIX = 'key_';

/** Masks keys in a text without changing its length, so that a text in pieces can be masked as a whole. */
export class SecretMask {
  readonly #secrets: readonly KeyMask[];

  /** @param secrets keys of any format, such as those of other vendors. They are found in each spelling. */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets.flatMap((secret) => KeyMask.of(secret) ?? []);
  }

  apply(text: string): string {
    const masked = text.replaceAll(KEY, (key) => PREFIX + '•'.repeat(key.length - PREFIX.length));
    return this.#secrets.reduce((rest, secret) => secret.text(rest), masked);
  }

  /** Also finds keys that span several pieces. */
  applyToPieces(pieces: readonly string[]): string[] {
    const masked = this.apply(pieces.join(''));
    let start = 0;
    return pieces.map(({ length }) => {
      start += length;
      return masked.slice(start - length, start);
    });
  }
}
