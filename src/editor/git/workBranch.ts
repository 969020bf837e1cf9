import * as vscode from 'vscode';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import { repositoryName } from '../../rules/repositoryName.ts';
import type { Settings } from '../settings/settings.ts';
import { type GitRepository, openRepository } from './gitApi.ts';

/** What a request is recorded with. */
export type WorkBranch = Required<Pick<LedgerEntry, 'repository'>> & Pick<LedgerEntry, 'branch'>;

/** As short as Git shows it. */
const COMMIT_LENGTH = 7;

/**
 * Returns the repository and branch of the file in the editor, or else of the first folder. Undefined if there is none,
 * if the editor's Git extension has not read it yet, or if the user does not want it to be recorded.
 */
export function workBranch({ recordsBranch }: Pick<Settings, 'recordsBranch'>): WorkBranch | undefined {
  return recordsBranch ? currentBranch() : undefined;
}

/** Like {@link workBranch}, also if branches are not recorded. */
export function currentBranch(): WorkBranch | undefined {
  const file = vscode.window.activeTextEditor?.document.uri;
  const [first] = vscode.workspace.workspaceFolders ?? [];
  const isInFolder = file !== undefined && vscode.workspace.getWorkspaceFolder(file) !== undefined;
  const uri = isInFolder ? file : first?.uri;
  const repository = uri && openRepository(uri);
  return repository && branchOf(repository);
}

/**
 * Returns the repository and branch of this window's folders. Undefined if they are in several repositories, because a
 * terminal may be in any of them.
 */
export function windowBranch(): WorkBranch | undefined {
  const repositories = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => openRepository(uri));
  const roots = new Set(repositories.map((repository) => repository?.rootUri.toString()));
  const [repository] = repositories;
  return repository === undefined || roots.size > 1 ? undefined : branchOf(repository);
}

function branchOf({ rootUri, state }: GitRepository): WorkBranch {
  const origin = state.remotes.find(({ name }) => name === 'origin')?.fetchUrl;
  const folder = rootUri.path.split('/').findLast((part) => part !== '');
  const repository = (origin && repositoryName(origin)) ?? folder ?? rootUri.path;
  const branch = state.HEAD?.name ?? state.HEAD?.commit?.slice(0, COMMIT_LENGTH);
  return { repository, ...(branch !== undefined && { branch }) };
}
