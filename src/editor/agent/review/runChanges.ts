import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { resultForUser } from '../../../agent/tools/tool.ts';
import { baseName } from '../../../files/paths.ts';
import type { ChangeName, ReviewDecision, ReviewedFile } from '../../../pages/agentReview/protocol.ts';
import { type FileView, placeOf } from '../../chat/review/fileView.ts';
import type { ManualComparison, ReviewedChanges } from '../../chat/review/review.ts';
import type { ChangedFile } from '../changedFile.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { unsavedDocument } from '../openDocument.ts';
import { FileReview } from './fileReview.ts';

/** The changes of a run while the user decides on each. What is accepted is kept in the checkpoint. */
export class RunChanges implements ReviewedChanges {
  readonly #checkpoint: Checkpoint;
  readonly #files = new Map<string, FileReview>();

  constructor(checkpoint: Checkpoint) {
    this.#checkpoint = checkpoint;
  }

  /** Reads the files. Those without changes and decisions are omitted. */
  view(): Promise<readonly ReviewedFile[]> {
    return this.#afterReading(async (read) => {
      const renames = this.#renamesIn(read);
      const merged = new Set(renames.values());
      return read.flatMap(([file, review]): ReviewedFile[] => {
        const { open: _, ...view } = review.view;
        if (merged.has(review) || view.blocks.every(({ type }) => type === 'same')) return [];
        const from = renames.get(review)?.uri;
        const renamed = from && { change: 'renamed' as const, renamedFrom: vscode.workspace.asRelativePath(from) };
        return [{ ...placeOf(file.uri), exists: file.after !== undefined, ...view, ...renamed }];
      });
    });
  }

  /** Shows all lines of a change from now on. */
  showAll({ file, id }: ChangeName): void {
    this.#files.get(file)?.showAll(id);
  }

  /** Compares a file with its text before the run. Undefined if it is not a text. */
  async comparison(file: string): Promise<ManualComparison | undefined> {
    await this.view();
    const review = this.#files.get(file);
    if (review?.base === undefined) return undefined;
    return { text: review.base, title: l10n.t('{0}: before the run ↔ now', baseName(review.uri.path)) };
  }

  /**
   * Accepts or discards changes. A change whose lines were edited since it was shown is left alone.
   * @returns the files with such changes.
   */
  decide(changes: readonly ChangeName[], decision: ReviewDecision): Promise<readonly vscode.Uri[]> {
    return this.#afterReading(async (read) => {
      const conflicts: vscode.Uri[] = [];
      const renames = this.#renamesIn(read);
      for (const [{ uri }, review] of read) {
        const ids = changes.filter(({ file }) => file === uri.toString()).map(({ id }) => id);
        if (ids.length === 0) continue;
        const from = renames.get(review);
        if (!(await review.decide(new Set(ids), decision))) conflicts.push(uri);
        else if (from !== undefined) await from.decide(new Set(from.view.open), decision);
      }
      return conflicts;
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
    return this.#afterReading(async (read) => {
      const review = this.#files.get(file);
      if (review === undefined) return undefined;
      const from = this.#renamesIn(read).get(review);
      if (!(await review.undo(id))) return review.uri;
      return from === undefined || (await from.undoWhole()) ? undefined : from.uri;
    });
  }

  /** The address of a file of the run; undefined for others. */
  uriOf(file: string): vscode.Uri | undefined {
    return this.#files.get(file)?.uri;
  }

  get uris(): readonly vscode.Uri[] {
    return [...this.#files.values()].map(({ uri }) => uri);
  }

  /** The renamed files, and the files that they were before, as long as both are decided in the same way. */
  #renamesIn(read: readonly (readonly [ChangedFile, FileReview])[]): ReadonlyMap<FileReview, FileReview> {
    const pairs = read.flatMap(([{ renamedFrom }, review]) => {
      const from = renamedFrom && this.#files.get(renamedFrom.toString());
      return from === undefined || !isRenamed(from, review) ? [] : [[review, from] as const];
    });
    return new Map(pairs);
  }

  /** Each action reads the files first, so there is one at a time. */
  #afterReading<T>(act: (read: readonly (readonly [ChangedFile, FileReview])[]) => Promise<T>): Promise<T> {
    return this.#checkpoint.writing.run(() => resultForUser(this.#readAll().then(act)));
  }

  async #readAll(): Promise<readonly (readonly [ChangedFile, FileReview])[]> {
    const compared = (await this.#checkpoint.compared()).map(withUnsavedText);
    return compared.map((file) => {
      const key = file.uri.toString();
      const review = this.#files.get(key) ?? new FileReview(file, this.#checkpoint);
      this.#files.set(key, review);
      review.update(file);
      review.origin = compared.find(({ uri }) => uri.toString() === file.renamedFrom?.toString())?.before;
      return [file, review] as const;
    });
  }
}

/** Whether one file is gone and the other new, and the user has not decided differently about them. */
function isRenamed(from: FileReview, to: FileReview): boolean {
  const [deleted, created] = [from.view, to.view];
  const stateOf = ({ blocks }: FileView) => blocks.map((one) => (one.type === 'decided' ? one.decision : one.type));
  const [state, ...others] = stateOf(deleted);
  return (
    deleted.change === 'deleted' &&
    created.change === 'created' &&
    others.length === 0 &&
    JSON.stringify(stateOf(created)) === JSON.stringify([state])
  );
}

/** What the editor shows unsaved counts. */
function withUnsavedText(file: ChangedFile): ChangedFile {
  const unsaved = unsavedDocument(file.uri);
  return unsaved === undefined ? file : { ...file, after: unsaved.getText() };
}
