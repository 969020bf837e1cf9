/** The conversations of answers that no service stores, so that their connections can continue them. */

/** A connection rarely continues any answer but its last one. */
const MAX_OF_CONNECTION = 4;
const MAX_BYTES = 64 * 1024 * 1024;

/** Keeps them in memory. The oldest are removed first. A client then sends the whole conversation. */
export class Continuations {
  /** The items up to and including an answer, separated by commas, by connection and response. */
  readonly #kept = new Map<string, Buffer>();
  #bytes = 0;

  find(connection: string, responseId: string): Buffer | undefined {
    return this.#kept.get(keyOf(connection, responseId));
  }

  keep(connection: string, responseId: string, items: Buffer): void {
    this.forget(connection, responseId);
    this.#kept.set(keyOf(connection, responseId), items);
    this.#bytes += items.length;
    for (const key of this.#keysOf(connection).slice(0, -MAX_OF_CONNECTION)) this.#delete(key);
    for (const key of this.#kept.keys()) {
      if (this.#bytes <= MAX_BYTES) return;
      this.#delete(key);
    }
  }

  forget(connection: string, responseId: string): void {
    this.#delete(keyOf(connection, responseId));
  }

  forgetAll(connection: string): void {
    for (const key of this.#keysOf(connection)) this.#delete(key);
  }

  #keysOf(connection: string): string[] {
    return [...this.#kept.keys()].filter((key) => key.startsWith(`${connection} `));
  }

  #delete(key: string): void {
    this.#bytes -= this.#kept.get(key)?.length ?? 0;
    this.#kept.delete(key);
  }
}

function keyOf(connection: string, responseId: string): string {
  return `${connection} ${responseId}`;
}
