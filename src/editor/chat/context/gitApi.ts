import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** The used part of the API of the editor's Git extension, version 1. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Returns the changes of the working tree, or the staged ones. */
  diff(cached?: boolean): Promise<string>;
  /** The input box for the commit message. */
  readonly inputBox: { value: string };
}

interface GitApi {
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}

interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/**
 * Returns the repository of this root, or of the file in the editor, or else the only one, or else the one that the
 * user picks.
 * @returns undefined if the user picked none.
 * @throws if Git or a repository is missing.
 */
export async function repositoryInUse(
  root = vscode.window.activeTextEditor?.document.uri,
): Promise<GitRepository | undefined> {
  const { repositories, ...git } = await gitApi();
  const [first] = repositories;
  if (first === undefined) throw new Error(l10n.t('There is no Git repository in this workspace.'));
  const ofEditor = root === undefined ? null : git.getRepository(root);
  if (ofEditor !== null || repositories.length === 1) return ofEditor ?? first;
  const items = repositories.map((repository) => ({
    label: vscode.workspace.asRelativePath(repository.rootUri),
    repository,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: l10n.t('Select a repository') }))?.repository;
}

/** Whether the editor currently has a repository open. */
export function hasRepository(): boolean {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension?.isActive !== true || !extension.exports.enabled) return false;
  return extension.exports.getAPI(1).repositories.length > 0;
}

async function gitApi() {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) throw new Error(l10n.t('The editor’s Git extension is not available.'));
  const git = extension.isActive ? extension.exports : await extension.activate();
  if (!git.enabled) throw new Error(l10n.t('Git is disabled in the settings or was not found.'));
  const api = git.getAPI(1);
  return { repositories: api.repositories, getRepository: (uri: vscode.Uri) => api.getRepository(uri) };
}
