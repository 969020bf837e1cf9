import { createHash, randomBytes } from 'node:crypto';

/** Generates unique IDs. With a seed, generates the same IDs in the same order. */
export class IdSource {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string = randomBytes(16).toString('hex')) {
    this.#seed = seed;
  }

  /** @returns the prefix and 24 hexadecimal digits. */
  next(prefix: string): string {
    this.#count += 1;
    return prefix + digest(`${this.#seed}:${this.#count}`).slice(0, 24);
  }
}

/** SHA-256 in hexadecimal. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns one of the choices, always the same one for the same text. */
export function pick<T>(choices: readonly [T, ...T[]], text: string): T {
  const position = Number.parseInt(digest(text).slice(0, 8), 16) % choices.length;
  return choices[position] ?? choices[0];
}
