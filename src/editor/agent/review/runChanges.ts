import * as vscode from 'vscode';
import { baseName, folderOf } from '../../chat/context/paths.ts';
import type { ChangedFile, Checkpoint } from '../checkpoints.ts';
import { FileReview } from './fileReview.ts';
import type { ChangeName, ReviewDecision, ReviewedFile } from './protocol.ts';

/** The changes of a run while the user decides on each. What is accepted is kept in the checkpoint. */
export class RunChanges {
  readonly #checkpoint: Checkpoint;
  readonly #files = new Map<string, FileReview>();
  /** The last action. Each one reads the files first, so there is one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(checkpoint: Checkpoint) {
    this.#checkpoint = checkpoint;
  }

  /** Reads the files. Those without changes and decisions are omitted. */
  view(): Promise<readonly ReviewedFile[]> {
    return this.#afterReading(async (read) =>
      read.flatMap(([file, review]) => {
        const { open: _, ...view } = review.view;
        return view.blocks.some(({ type }) => type !== 'same') ? [{ ...placeOf(file), ...view }] : [];
      }),
    );
  }

  /**
   * Accepts or discards changes. A change whose lines were edited since it was shown is left alone.
   * @returns the files with such changes.
   */
  decide(changes: readonly ChangeName[], decision: ReviewDecision): Promise<readonly vscode.Uri[]> {
    return this.#afterReading(async (read) => {
      const misfits: vscode.Uri[] = [];
      for (const [{ uri }, review] of read) {
        const ids = changes.filter(({ file }) => file === uri.toString()).map(({ id }) => id);
        if (ids.length > 0 && !(await review.decide(new Set(ids), decision))) misfits.push(uri);
      }
      return misfits;
    });
  }

  /** Accepts or discards what is open now. */
  decideAll(decision: ReviewDecision): Promise<void> {
    return this.#afterReading(async (read) => {
      for (const [, review] of read) await review.decide(new Set(review.view.open), decision);
    });
  }

  /**
   * Takes a decision back.
   * @returns the file, if it no longer is as the decision left it.
   */
  undo({ file, id }: ChangeName): Promise<vscode.Uri | undefined> {
    return this.#afterReading(async () => {
      const review = this.#files.get(file);
      return review === undefined || (await review.undo(id)) ? undefined : review.uri;
    });
  }

  /** The address of a file of the run; undefined for others. */
  uriOf(file: string): vscode.Uri | undefined {
    return this.#files.get(file)?.uri;
  }

  get uris(): readonly vscode.Uri[] {
    return [...this.#files.values()].map(({ uri }) => uri);
  }

  #afterReading<T>(act: (read: readonly (readonly [ChangedFile, FileReview])[]) => Promise<T>): Promise<T> {
    const acting = this.#last.then(async () => act(await this.#readAll()));
    this.#last = acting.catch(() => undefined);
    return acting;
  }

  async #readAll(): Promise<readonly (readonly [ChangedFile, FileReview])[]> {
    const read = await this.#checkpoint.compared();
    return read.map(withUnsavedText).map((file) => {
      const key = file.uri.toString();
      const review = this.#files.get(key) ?? new FileReview(file, this.#checkpoint);
      this.#files.set(key, review);
      review.update(file);
      return [file, review] as const;
    });
  }
}

/** What the editor shows unsaved counts. */
function withUnsavedText(file: ChangedFile): ChangedFile {
  const address = file.uri.toString();
  const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
  return open?.isDirty === true ? { ...file, after: open.getText() } : file;
}

function placeOf({ uri, after }: ChangedFile): Pick<ReviewedFile, 'file' | 'name' | 'folder' | 'exists'> {
  const path = vscode.workspace.asRelativePath(uri);
  return { file: uri.toString(), name: baseName(path), folder: folderOf(path), exists: after !== undefined };
}
