import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openNewFile } from '../../documents/newFile.ts';
import type { ChatSession } from '../chatSession.ts';
import { baseName } from '../context/paths.ts';
import { attachmentsOf } from '../conversation/entry.ts';
import type { WorkspaceFileFinder } from '../reading/workspaceFile.ts';
import { askForPlace } from './place.ts';
import { propose } from './proposal.ts';
import { ReviewEditors } from './reviewEditors.ts';
import { findTarget } from './target.ts';

/** Puts code of an answer into the file that it belongs to, after the person has looked at each change. */
export class ApplyActions implements vscode.Disposable {
  readonly reviews: ReviewEditors;
  readonly #session: ChatSession;
  readonly #finder: WorkspaceFileFinder;

  constructor(session: ChatSession, finder: WorkspaceFileFinder) {
    this.#session = session;
    this.#finder = finder;
    this.reviews = new ReviewEditors((uri, code) => this.#review(uri, code));
  }

  /** @param paths of the file, as the answer names it; the first is the most likely. */
  async apply(code: string, paths: readonly string[]): Promise<void> {
    const entries = this.#session.conversation.value.entries;
    const attached = attachmentsOf(entries).map(({ path }) => path);
    const target = await findTarget({ code, paths, attached: attached.reverse() }, this.#finder);
    if (target?.kind === 'new') await openNewFile(target.uri, code);
    else if (target !== undefined) await this.#review(target.uri, code);
  }

  dispose(): void {
    this.reviews.dispose();
  }

  async #review(uri: vscode.Uri, code: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const text = document.getText();
    const proposed = propose(text, code) ?? (await askForPlace(document, code));
    if (proposed === undefined) return;
    if (proposed === text) {
      void vscode.window.showInformationMessage(l10n.t('{0} has this code already.', baseName(uri.path)));
      return;
    }
    await this.reviews.open({ target: uri, code, original: text, proposed });
  }
}
