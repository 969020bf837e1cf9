export interface WindowBranch {
  /** As `owner/name` or the name of its folder. */
  readonly repository: string;
  /** A name or a short commit. */
  readonly branch?: string;
}

/** A window's mark, and what it is working on. Undefined if that is not known or not recorded. */
export interface BranchReport {
  readonly mark: string;
  readonly branch?: WindowBranch | undefined;
}

/** Finds the current branch of the window with this mark. */
export type FindBranch = (mark: unknown) => WindowBranch | undefined;

/** The current branches of the windows that share a gateway, by an object that identifies each window. */
export class WindowBranches {
  readonly #reports = new Map<object, BranchReport>();

  set(window: object, report: BranchReport): void {
    this.#reports.set(window, report);
  }

  forget(window: object): void {
    this.#reports.delete(window);
  }

  readonly find: FindBranch = (mark) => {
    for (const report of this.#reports.values()) if (report.mark === mark) return report.branch;
    return undefined;
  };
}
