import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';

/** The used part of the API of the editor's Git extension, version 1. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  /** Returns the changes of the working tree, or the staged ones. */
  diff(cached?: boolean): Promise<string>;
  /** The input box for the commit message. */
  readonly inputBox: { value: string };
  readonly state: {
    /** It has no name if a commit is checked out, and is undefined until it was read. */
    readonly HEAD: { readonly name?: string; readonly commit?: string } | undefined;
    readonly remotes: readonly { readonly name: string; readonly fetchUrl?: string }[];
    readonly workingTreeChanges: readonly GitChange[];
    /** Only with the setting that lists them on their own. */
    readonly untrackedChanges?: readonly GitChange[];
    /** Files with conflicts. */
    readonly mergeChanges: readonly GitChange[];
    readonly onDidChange: vscode.Event<void>;
  };
}

export interface GitChange {
  readonly uri: vscode.Uri;
  readonly status: number;
}

export interface GitApi {
  readonly git: { readonly path: string };
  readonly repositories: readonly GitRepository[];
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly onDidCloseRepository: vscode.Event<GitRepository>;
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
  const { first, repositories, ...git } = await startGit();
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
  return (activeGit()?.repositories.length ?? 0) > 0;
}

/** Returns the repository of a file or folder if the editor has it open. Does not start the Git extension. */
export function openRepository(uri: vscode.Uri): GitRepository | undefined {
  return activeGit()?.getRepository(uri) ?? undefined;
}

/** Returns the API once the editor has started its Git extension. Undefined if that is missing or disabled. */
export async function whenGitStarted(): Promise<GitApi | undefined> {
  await gitExtension()?.activate();
  return activeGit();
}

function gitExtension(): vscode.Extension<GitExtension> | undefined {
  return vscode.extensions.getExtension<GitExtension>('vscode.git');
}

function activeGit(): GitApi | undefined {
  const extension = gitExtension();
  return extension?.isActive === true && extension.exports.enabled ? extension.exports.getAPI(1) : undefined;
}

/**
 * Starts the editor's Git extension if necessary.
 * @throws if Git or a repository is missing.
 */
export async function startGit() {
  const extension = gitExtension();
  if (extension === undefined) throw new Error(l10n.t('The editor’s Git extension is not available.'));
  const git = extension.isActive ? extension.exports : await extension.activate();
  if (!git.enabled) throw new Error(l10n.t('Git is disabled in the settings or was not found.'));
  const api = git.getAPI(1);
  const [first, ...others] = api.repositories;
  if (first === undefined) throw new Error(l10n.t('There is no Git repository in this workspace.'));
  return { first, repositories: [first, ...others], getRepository: (uri: vscode.Uri) => api.getRepository(uri) };
}
