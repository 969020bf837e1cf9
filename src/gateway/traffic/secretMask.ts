import { KeyMask } from '../core/keyMask.ts';

/** Keys of the service and of this gateway, as the specification writes them. */
const KEY = /\bkey_[\w-]{8,}/g;
const PREFIX = 'key_';

/** Takes keys out of a text without changing its length, so that a text in pieces can be masked as a whole. */
export class SecretMask {
  readonly #secrets: readonly KeyMask[];

  /** @param secrets keys that may look in any way, such as those of other vendors. They are found in each spelling. */
  constructor(secrets: readonly string[] = []) {
    this.#secrets = secrets.flatMap((secret) => KeyMask.of(secret) ?? []);
  }

  apply(text: string): string {
    const masked = text.replaceAll(KEY, (key) => PREFIX + '•'.repeat(key.length - PREFIX.length));
    return this.#secrets.reduce((rest, secret) => secret.text(rest), masked);
  }

  /** Finds keys across the borders of the pieces too. */
  applyToPieces(pieces: readonly string[]): string[] {
    const masked = this.apply(pieces.join(''));
    let start = 0;
    return pieces.map(({ length }) => {
      start += length;
      return masked.slice(start - length, start);
    });
  }
}
