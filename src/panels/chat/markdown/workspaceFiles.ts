import { type Signal, signal } from '@preact/signals';

/** How long paths are collected before the host is asked, in milliseconds. */
const GATHERED_MS = 50;

/** Knows which of the paths in answers are files in the workspace. Each path is sent to the host once, in batches. */
export class LinkedFiles {
  readonly #ask: (paths: readonly string[]) => void;
  readonly #known = new Map<string, Signal<boolean>>();
  #waiting: string[] = [];

  /** @param ask sends paths to the host, which answers with `receive`. */
  constructor(ask: (paths: readonly string[]) => void) {
    this.#ask = ask;
  }

  /** Whether the file exists; false until the host has answered. Then components that read this are rendered again. */
  has(path: string): boolean {
    const known = this.#known.get(path);
    if (known !== undefined) return known.value;
    const found = signal(false);
    this.#known.set(path, found);
    if (this.#waiting.length === 0) setTimeout(() => this.#flush(), GATHERED_MS);
    this.#waiting.push(path);
    return found.value;
  }

  receive(found: readonly string[]): void {
    for (const path of found) {
      const known = this.#known.get(path);
      if (known !== undefined) known.value = true;
    }
  }

  #flush(): void {
    const paths = this.#waiting;
    this.#waiting = [];
    this.#ask(paths);
  }
}
