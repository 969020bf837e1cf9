import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionManager } from '../connection/connectionManager.ts';

const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;

/** Offers the commands as code actions, at a problem and for a selection. */
export class CodeActionProvider implements vscode.CodeActionProvider, vscode.Disposable {
  readonly #connection: ConnectionManager;
  readonly #registration: vscode.Disposable;

  constructor(connection: ConnectionManager) {
    this.#connection = connection;
    this.#registration = vscode.languages.registerCodeActionsProvider('*', this, {
      providedCodeActionKinds: [QuickFix, RefactorRewrite],
    });
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (this.#connection.open === undefined) return [];
    return [...fixes(uri, diagnostics), ...(range.isEmpty ? [] : rewrites())];
  }

  dispose(): void {
    this.#registration.dispose();
  }
}

/** Returns one action for all problems at the place, since they often have the same cause. */
function fixes(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
  const [first] = diagnostics;
  if (first === undefined) return [];
  const range = diagnostics.reduce((all, diagnostic) => all.union(diagnostic.range), first.range);
  const action = actionFor(l10n.t('Fix with Model Access'), QuickFix, 'modelAccess.fixProblem', [uri, range]);
  action.diagnostics = [...diagnostics];
  return [action];
}

function rewrites(): vscode.CodeAction[] {
  return [
    actionFor(l10n.t('Document with Model Access'), RefactorRewrite, 'modelAccess.documentSelection'),
    actionFor(l10n.t('Write tests with Model Access'), RefactorRewrite, 'modelAccess.writeTests'),
  ];
}

function actionFor(title: string, kind: vscode.CodeActionKind, command: string, args: unknown[] = []) {
  const action = new vscode.CodeAction(title, kind);
  action.command = { command, title, arguments: args };
  return action;
}
