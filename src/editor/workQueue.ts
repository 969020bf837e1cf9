/** Does one work after the other, so that each one begins with what the earlier ones have left. */
export class WorkQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Does the work when all earlier work has ended, with or without an error. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}
