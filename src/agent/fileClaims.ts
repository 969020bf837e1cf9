/** Who works on a file. */
export interface FileWorker {
  readonly id: string;
  /** For the model and the person. */
  readonly name: string;
}

/** Files that somebody works on, by their URIs, so that nobody else changes them meanwhile. */
export class FileClaims {
  readonly #workers = new Map<string, FileWorker>();

  /** Claims all of these files, or none if others work on one of them. Returns who does. */
  claim(uris: readonly string[], worker: FileWorker): FileWorker | undefined {
    const other = uris.map((uri) => this.#workers.get(uri)).find((one) => one !== undefined && one.id !== worker.id);
    if (other !== undefined) return other;
    for (const uri of uris) this.#workers.set(uri, worker);
    return undefined;
  }

  release({ id }: Pick<FileWorker, 'id'>): void {
    for (const [uri, worker] of this.#workers) if (worker.id === id) this.#workers.delete(uri);
  }
}
