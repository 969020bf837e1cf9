import type * as vscode from 'vscode';
import type { ChatSession } from '../chatSession.ts';
import type { WorkspaceFileFinder } from '../reading/workspaceFile.ts';
import type { ApplyActions } from './applyActions.ts';

/** What puts code of answers into files, loaded when it is first asked for. */
export class ApplyAccess implements vscode.Disposable {
  readonly #session: ChatSession;
  readonly #finder: WorkspaceFileFinder;
  #actions: ApplyActions | undefined;

  constructor(session: ChatSession, finder: WorkspaceFileFinder) {
    this.#session = session;
    this.#finder = finder;
  }

  async actions(): Promise<ApplyActions> {
    const { ApplyActions } = await import('./applyActions.ts');
    this.#actions ??= new ApplyActions(this.#session, this.#finder);
    return this.#actions;
  }

  dispose(): void {
    this.#actions?.dispose();
  }
}
