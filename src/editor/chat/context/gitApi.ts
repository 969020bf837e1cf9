import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** What is used here of the API of the editor's Git extension, version 1. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** The changes of the working tree, or those that are staged. */
  diff(cached?: boolean): Promise<string>;
  /** The box for the commit message. */
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
 * The repository of this root, or of the file in the editor, else the only one, else the one that the person picks.
 * @returns undefined when none was picked.
 * @throws when there is no Git or no repository.
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

/** Whether the editor knows a repository at the moment. */
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
