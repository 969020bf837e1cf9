import { type Signal, signal } from '@preact/signals';

/** How long paths are gathered before the host is asked. In milliseconds. */
const GATHERED_MS = 50;

/** Which of the paths in answers are files of the workspace. Each is asked for once, many at a time. */
export class WorkspaceFiles {
  readonly #ask: (paths: readonly string[]) => void;
  readonly #known = new Map<string, Signal<boolean>>();
  #waiting: string[] = [];

  /** @param ask asks the host, which answers by `receive`. */
  constructor(ask: (paths: readonly string[]) => void) {
    this.#ask = ask;
  }

  /** Whether there is such a file; false until the host has said so. Where it is drawn, it is drawn again then. */
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
