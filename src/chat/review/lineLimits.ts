/** The most lines of a change that are shown at first, and when all are shown, for which an editor is better. */
const MAX_LINES = 400;
const MAX_LINES_SHOWN_ALL = 5000;

/** The most lines that are shown of the changes of a file. */
export class LineLimits {
  readonly #shownAll = new Set<string>();

  of(id: string): number {
    return this.#shownAll.has(id) ? MAX_LINES_SHOWN_ALL : MAX_LINES;
  }

  /** Shows all lines of a change from now on. */
  showAll(id: string): void {
    this.#shownAll.add(id);
  }
}
