/** Finds the file that the code of an answer belongs to. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pathInComment, type SuggestedChange, suggestedText } from '../../../chat/apply/suggestion.ts';
import { baseName, folderOf } from '../../../files/paths.ts';
import { placesOf } from '../../../files/placesOf.ts';
import type { WorkspaceFileFinder } from '../../files/workspaceFile.ts';
import { openFiles } from '../context/openFiles.ts';

export interface ApplyTarget {
  /** `new`: the file does not exist yet. */
  readonly kind: 'file' | 'new';
  readonly uri: vscode.Uri;
}

export interface Wanted {
  readonly suggestion: SuggestedChange;
  /** Paths that the answer names, the most likely first. */
  readonly paths: readonly string[];
  /** Paths of the questions' attachments, the latest first. */
  readonly attached: readonly string[];
}

/**
 * Returns the file that the answer names; or else the only one of the attached files and the active editor that
 * contains such code; or else the one that the user picks. Returns undefined if the user canceled.
 */
export async function findTarget(wanted: Wanted, finder: WorkspaceFileFinder): Promise<ApplyTarget | undefined> {
  const { suggestion } = wanted;
  const named = [...wanted.paths, ...(suggestion.kind === 'code' ? pathInComment(suggestion.code) : [])];
  for (const path of named) {
    const uri = await finder.find(path);
    if (uri !== undefined) return { kind: 'file', uri };
  }
  const near = await nearFiles(wanted.attached, finder);
  const fitting = await those(near, (uri) => hasSuchCode(uri, suggestion));
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return { kind: 'file', uri: only };
  return pickTarget(unique([...fitting, ...near, ...openFiles()]), newFileAt(named[0]));
}

async function nearFiles(attached: readonly string[], finder: WorkspaceFileFinder): Promise<vscode.Uri[]> {
  const found = await Promise.all([...new Set(attached)].map((path) => finder.find(path)));
  const active = vscode.window.activeTextEditor?.document.uri;
  const isFile = active !== undefined && vscode.workspace.fs.isWritableFileSystem(active.scheme) === true;
  return unique([...(isFile ? [active] : []), ...found.filter((uri) => uri !== undefined)]);
}

async function hasSuchCode(uri: vscode.Uri, suggestion: SuggestedChange): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    return suggestedText(document.getText(), suggestion, uri.path) !== undefined;
  } catch {
    // An image or another binary file cannot take code.
    return false;
  }
}

async function those(uris: readonly vscode.Uri[], holds: (uri: vscode.Uri) => Promise<boolean>): Promise<vscode.Uri[]> {
  const held = await Promise.all(uris.map(holds));
  return uris.filter((_, index) => held[index]);
}

/**
 * The location of a file that the answer names and that does not exist: in the workspace folder of the active editor,
 * unless the path names another folder.
 */
function newFileAt(path = ''): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const own = active && vscode.workspace.getWorkspaceFolder(active);
  const others = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder !== own);
  const [place] = placesOf(path, own === undefined ? others : [own, ...others]);
  return place && vscode.Uri.joinPath(place.folder.uri, place.path);
}

interface TargetItem extends vscode.QuickPickItem {
  readonly target?: ApplyTarget;
}

async function pickTarget(
  files: readonly vscode.Uri[],
  fresh: vscode.Uri | undefined,
): Promise<ApplyTarget | undefined> {
  const items: TargetItem[] = files.map((uri) => {
    const path = vscode.workspace.asRelativePath(uri);
    return { label: baseName(path), description: folderOf(path), target: { kind: 'file', uri } };
  });
  if (fresh !== undefined) {
    const label = `$(new-file) ${l10n.t('Create {0}', vscode.workspace.asRelativePath(fresh))}`;
    items.unshift({ label, target: { kind: 'new', uri: fresh } });
  }
  const browse: TargetItem = { label: `$(folder-opened) ${l10n.t('Choose a file…')}` };
  const chosen = await vscode.window.showQuickPick([...items, browse], {
    title: l10n.t('Apply to file'),
    placeHolder: l10n.t('File to apply the code to'),
    matchOnDescription: true,
  });
  return chosen === browse ? browseForTarget() : chosen?.target;
}

async function browseForTarget(): Promise<ApplyTarget | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [uri] =
    (await vscode.window.showOpenDialog({
      openLabel: l10n.t('Apply to file'),
      ...(folder !== undefined && { defaultUri: folder }),
    })) ?? [];
  return uri && { kind: 'file', uri };
}

function unique(uris: readonly vscode.Uri[]): vscode.Uri[] {
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}
