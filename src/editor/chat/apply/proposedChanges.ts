import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { TextPair } from '../../../chat/review/textReview.ts';
import { baseName } from '../../../files/paths.ts';
import type { ChangeName, ReviewDecision, ReviewedFile } from '../../../pages/agentReview/protocol.ts';
import { WorkQueue } from '../../workQueue.ts';
import { placeOf } from '../review/fileView.ts';
import type { ManualComparison, ReviewedChanges } from '../review/review.ts';
import { FileProposal } from './fileProposal.ts';

/** The changes that answers propose, by file, while the user decides on each. */
export class ProposedChanges implements ReviewedChanges {
  readonly #files = new Map<string, FileProposal>();
  /** Each action reads the files first, so there is one at a time. */
  readonly #queue = new WorkQueue();

  get files(): readonly FileProposal[] {
    return [...this.#files.values()];
  }

  get openCount(): number {
    return this.files.reduce((sum, file) => sum + file.openCount, 0);
  }

  /**
   * Adds changes of a file to those that are open. If they contradict them, they replace them.
   * @param pair the file's text as it is, and as it is proposed.
   */
  add(document: vscode.TextDocument, pair: TextPair): Promise<void> {
    return this.#afterReading(async () => {
      const key = document.uri.toString();
      if (this.#files.get(key)?.add(pair) !== true) this.#files.set(key, new FileProposal(document, pair));
    });
  }

  /** Follows the rename of a file, or of a folder with files. */
  rename(from: vscode.Uri, to: vscode.Uri): void {
    for (const [key, file] of this.#files) {
      const { uri } = file;
      if (key !== from.toString() && !uri.path.startsWith(`${from.path}/`)) continue;
      file.uri = to.with({ path: to.path + uri.path.slice(from.path.length) });
      this.#files.delete(key);
      this.#files.set(file.uri.toString(), file);
    }
  }

  view(): Promise<readonly ReviewedFile[]> {
    return this.#afterReading(async (files) =>
      files.map((file) => {
        const { open: _, ...view } = file.view;
        return { ...placeOf(file.uri), exists: file.exists, ...view };
      }),
    );
  }

  decide(changes: readonly ChangeName[], decision: ReviewDecision): Promise<readonly vscode.Uri[]> {
    return this.#afterReading(async (files) => {
      const conflicts: vscode.Uri[] = [];
      for (const file of files) {
        const ids = new Set(changes.filter((one) => one.file === file.uri.toString()).map(({ id }) => id));
        if (ids.size > 0 && !(await file.decide(ids, decision))) conflicts.push(file.uri);
      }
      return conflicts;
    });
  }

  decideAll(decision: ReviewDecision): Promise<void> {
    return this.#afterReading(async (files) => {
      for (const file of files) await file.decide(new Set(file.view.open), decision);
    });
  }

  /**
   * Takes all accepted changes back, with one edit for each file.
   * @returns a file in which lines of a change were edited since, if there is one.
   */
  undoAccepted(): Promise<FileProposal | undefined> {
    return this.#afterReading(async (files) => {
      let conflict: FileProposal | undefined;
      for (const file of files) if (!(await file.undo(file.accepted))) conflict ??= file;
      return conflict;
    });
  }

  undo({ file, id }: ChangeName): Promise<vscode.Uri | undefined> {
    return this.#afterReading(async () => {
      const proposal = this.#files.get(file);
      return proposal === undefined || (await proposal.undo([id])) ? undefined : proposal.uri;
    });
  }

  showAll({ file, id }: ChangeName): void {
    this.#files.get(file)?.showAll(id);
  }

  async comparison(file: string): Promise<ManualComparison | undefined> {
    const proposal = this.#files.get(file);
    if (proposal === undefined) return undefined;
    return { text: proposal.proposed, title: l10n.t('{0}: proposed ↔ now', baseName(proposal.uri.path)) };
  }

  uriOf(file: string): vscode.Uri | undefined {
    return this.#files.get(file)?.uri;
  }

  get uris(): readonly vscode.Uri[] {
    return this.files.map(({ uri }) => uri);
  }

  #afterReading<T>(act: (files: readonly FileProposal[]) => Promise<T>): Promise<T> {
    return this.#queue.run(async () => {
      for (const file of this.files) await file.update();
      return act(this.files);
    });
  }
}
