/** Who works on a file: a run, or a helper of one. */
export interface FileWorker {
  readonly id: string;
  /** For the model and the person. */
  readonly name: string;
  /** The ID of the run that a helper works for. It may change the files of that run. */
  readonly run?: string;
}

/** Files that runs and helpers work on, by their URIs, so that nobody else changes them meanwhile. */
export class FileClaims {
  readonly #workers = new Map<string, readonly FileWorker[]>();

  /** Claims all of these files, or none if others work on one of them. Returns who does. */
  claim(uris: readonly string[], worker: FileWorker): FileWorker | undefined {
    const isOther = ({ id }: FileWorker) => id !== worker.id && id !== worker.run;
    const other = uris.flatMap((uri) => this.#workers.get(uri) ?? []).find(isOther);
    if (other !== undefined) return other;
    for (const uri of uris) {
      const workers = this.#workers.get(uri) ?? [];
      if (!workers.some(({ id }) => id === worker.id)) this.#workers.set(uri, [...workers, worker]);
    }
    return undefined;
  }

  release({ id }: Pick<FileWorker, 'id'>): void {
    for (const [uri, workers] of this.#workers) {
      const left = workers.filter((worker) => worker.id !== id);
      if (left.length === 0) this.#workers.delete(uri);
      else this.#workers.set(uri, left);
    }
  }
}

/** What a worker is told that may not change a file now. */
export function claimedText({ name, run }: FileWorker): string {
  return run === undefined
    ? `The run of the chat “${name}” works on this file. Leave it alone until that run has ended, and say what should be changed there.`
    : `The helper ${name} works on this file. Leave it to that helper, and report what should be changed there.`;
}
