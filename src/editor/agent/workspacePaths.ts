import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pathSpellings } from '../../agent/pathSpellings.ts';
import { ToolError } from '../../agent/tools/tool.ts';
import { baseName } from '../../files/paths.ts';
import { placesOf } from '../../files/placesOf.ts';
import { isKeyName } from '../../secrets/keyNames.ts';
import { type CheckedUri, Guard } from '../chat/guard/guard.ts';
import { exists, statOf } from '../documents/ifFound.ts';
import { type RealUri, realUri } from '../files/realUri.ts';

/** A file or folder that a tool acts on. */
export interface WorkspaceTarget {
  readonly uri: vscode.Uri;
  /**
   * The path that the model and the user see: that in the workspace, or else the full one, after links were followed. Its
   * last parts need not exist.
   */
  readonly path: string;
  /** The path before links were followed. */
  readonly askedPath: string;
  /** Why the user must be asked each time. Undefined for an ordinary file of the workspace. */
  readonly reason?: 'outside' | 'ignored' | 'secret';
  /** The place that was checked. */
  readonly checked: CheckedUri;
}

/**
 * Finds what a path of the model means. It does not need to exist.
 * @throws {ToolError} if it is not a path.
 */
export async function targetOf(written: string): Promise<WorkspaceTarget> {
  if (/\p{Cc}/u.test(written.trim())) throw new ToolError('The path contains a line break or a control character.');
  const uri = await uriOf(written.trim());
  const isInside = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  // Looking whether such a file exists would already sign in to the other machine.
  if (!isInside && uri.authority !== '') throw new ToolError(`${written} is on another machine.`);
  const checked = await new Guard().check(uri);
  const real = await realPlaceOf(uri);
  const relative = (place: vscode.Uri) => vscode.workspace.asRelativePath(place);
  const target = { uri, path: relative(real.uri), askedPath: relative(uri), checked };
  if (!real.isInside || !isInside) return { ...target, reason: 'outside' };
  if (isKeyName(uri.path) || isKeyName(real.uri.path)) return { ...target, reason: 'secret' };
  return checked.finding === undefined ? target : { ...target, reason: 'ignored' };
}

/**
 * Called before a file is written: a link could have taken the place of the file, or of its folder, since it was asked for.
 * @throws {ToolError} if the path now leads elsewhere.
 */
export async function checkIsSamePlace({ uri, path }: WorkspaceTarget): Promise<void> {
  const now = vscode.workspace.asRelativePath((await realPlaceOf(uri)).uri);
  if (now !== path) throw new ToolError(`${path} now points to another location. Nothing was changed.`);
}

/** The folder of the workspace that a command runs in. */
export function folderNamed(name: string | undefined): vscode.WorkspaceFolder {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const folder =
    name === undefined || name === '' || name === '.' ? folders[0] : folders.find((one) => one.name === name);
  if (folder === undefined) {
    throw new ToolError(
      `There is no folder ${name ?? ''}. The folders are: ${folders.map((one) => one.name).join(', ')}.`,
    );
  }
  return folder;
}

async function uriOf(written: string): Promise<vscode.Uri> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const [first] = folders;
  if (first === undefined) throw new ToolError('No folder is open.');
  if (written === '' || written === '.') return first.uri;
  const places = placesOf(written, folders).map(({ folder, path }) => vscode.Uri.joinPath(folder.uri, path));
  for (const place of places) if (await exists(place)) return place;
  if (!isAbsolute(written) || !(await exists(vscode.Uri.file(written)))) {
    const meant = await existingSpelling(written, folders);
    if (meant !== undefined) return meant;
  }
  const [mostLikely] = places;
  if (mostLikely !== undefined) return mostLikely;
  if (isAbsolute(written)) return vscode.Uri.file(written);
  const isInHome = /^~[\\/]/.test(written);
  return isInHome
    ? vscode.Uri.joinPath(vscode.Uri.file(homedir()), written.slice(2))
    : vscode.Uri.joinPath(first.uri, written);
}

/** A file, or the folder of a new file, that is in the workspace if the path is spelled in another way. */
async function existingSpelling(
  written: string,
  folders: readonly vscode.WorkspaceFolder[],
): Promise<vscode.Uri | undefined> {
  const spelled = pathSpellings(written).flatMap((path) => placesOf(path, folders));
  const places = spelled.map(({ folder, path }) => vscode.Uri.joinPath(folder.uri, path));
  for (const place of places) if (await exists(place)) return place;
  // A new file is not spelled with the number of a line, and not put into a folder that is new as well.
  const isNew = (place: vscode.Uri) => place.path.endsWith(baseName(written.replace(/["'`>]$/, '')));
  for (const place of places.filter(isNew)) if (await exists(vscode.Uri.joinPath(place, '..'))) return place;
  return undefined;
}

/**
 * The target of a link counts, also for the folder in which the file will be created.
 * @throws {ToolError} for a link to what does not exist.
 */
export async function realPlaceOf(uri: vscode.Uri): Promise<Pick<RealUri, 'uri' | 'isInside'>> {
  const nearest = await nearestExisting(uri);
  const real = await realUri(nearest);
  const rest = uri.path.slice(nearest.path.length);
  return { uri: rest === '' ? real.uri : vscode.Uri.joinPath(real.uri, rest), isInside: real.isInside };
}

/** @throws {ToolError} for a link to what does not exist, which would be created elsewhere. */
async function nearestExisting(uri: vscode.Uri): Promise<vscode.Uri> {
  let place = uri;
  let stat = await statOf(place);
  while (stat === undefined && place.path !== '/') {
    place = vscode.Uri.joinPath(place, '..');
    stat = await statOf(place);
  }
  if (stat?.type === vscode.FileType.SymbolicLink) {
    throw new ToolError(`${place.fsPath} is a broken link.`, l10n.t('{0} is a broken link.', place.fsPath));
  }
  return place;
}
