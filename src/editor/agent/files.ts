/** Reads and writes files as the agent's tools do: unsaved text in the editor counts, and written files are saved. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type LineRange, lineRange } from '../../agent/lineRange.ts';
import { ToolError } from '../../agent/tools/tool.ts';
import { readInParts, readUpTo } from '../chat/context/readChecked.ts';
import { hasUnsavedText } from '../documents/hasUnsavedText.ts';
import { ifFound, statOf } from '../documents/ifFound.ts';
import { checkFits, decodedText, encodeLike, keptByDocument } from './fileEncoding.ts';
import { openDocument, openNotebook, unsavedDocument } from './openDocument.ts';
import type { WorkspaceTarget } from './workspacePaths.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/**
 * Reads a file, if it is still the one that was checked.
 * @throws {ToolError} if the file does not exist, is too large, or is not text.
 */
export async function readText({
  uri,
  path,
  checked,
}: Pick<WorkspaceTarget, 'uri' | 'path' | 'checked'>): Promise<string> {
  refuseUnsavedCells(uri);
  const unsaved = unsavedDocument(uri);
  if (unsaved !== undefined) return unsaved.getText();
  const stat = await statOf(uri);
  if (stat === undefined) throw new ToolError(`${path} does not exist.`);
  if ((stat.type & vscode.FileType.Directory) !== 0) throw new ToolError(`${path} is a folder. Use list_files.`);
  const bytes = await readUpTo(checked, MAX_BYTES);
  if (bytes === undefined) throw new ToolError(`${path} is too large to read (${stat.size} bytes).`);
  const text = await decodedText(bytes, uri);
  if (text === undefined) throw new ToolError(`${path} is not a text file.`);
  return text;
}

/**
 * Reads some lines of a file that {@link readText} does not read because of its size.
 * @returns undefined for other files.
 */
export async function readLargeFile(
  { uri, path, checked }: Pick<WorkspaceTarget, 'uri' | 'path' | 'checked'>,
  first: number,
  last: number,
): Promise<LineRange | undefined> {
  const stat = await statOf(uri);
  if (stat === undefined || stat.size <= MAX_BYTES || isUnsaved(uri) || checked.real === undefined) return undefined;
  const range = await readInParts(checked, (parts) => lineRange(parts, first, last));
  if (range === undefined) throw new ToolError(`${path} is not a text file.`);
  return range;
}

/**
 * Writes the whole text and saves it. An open editor gets it as an edit that can be undone.
 * @param seen the text that it replaces; undefined for a new file. What somebody has written since is not overwritten.
 * @throws {ToolError} if the file contains something else by now, or if its encoding lacks a character.
 */
export async function writeText(uri: vscode.Uri, text: string, seen: string | undefined): Promise<void> {
  refuseUnsavedCells(uri);
  const open = await currentDocument(uri);
  if (open !== undefined && hasUnsavedText(open) && open.getText() !== seen) throw changedMeanwhile(uri);
  if (open !== undefined) return replaceIn(open, text);
  const before = await diskBytes(uri);
  if ((before && (await decodedText(before, uri))) !== seen) throw changedMeanwhile(uri);
  const written = await encodeLike(text, before ?? new Uint8Array(), uri);
  const now = await diskBytes(uri);
  if (Buffer.compare(now ?? new Uint8Array(), before ?? new Uint8Array()) !== 0) throw changedMeanwhile(uri);
  await vscode.workspace.fs.writeFile(uri, written);
}

/** Like {@link writeText}, for the bytes of a file that need not be text. They are on disk afterwards as they are here. */
export async function writeBytes(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  refuseUnsavedCells(uri);
  const open = await currentDocument(uri);
  const kept = open && (await keptByDocument(bytes, open));
  if (open !== undefined && kept !== undefined) await replaceIn(open, kept.text);
  // Saving may have formatted the text, or written a byte order mark.
  const written = open && (await diskBytes(uri));
  if (written === undefined || Buffer.compare(written, bytes) !== 0) await vscode.workspace.fs.writeFile(uri, bytes);
}

/**
 * Returns the content of a file with the unsaved text of its editor; undefined if it does not exist.
 * @throws {ToolError} if that text has lost characters of the file.
 */
export async function bytesOf(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  const bytes = await diskBytes(uri);
  if (bytes === undefined || unsavedDocument(uri) === undefined) return bytes;
  const open = await currentDocument(uri);
  return open === undefined ? bytes : encodeLike(open.getText(), bytes, uri);
}

/** Whether the editor has changes of a file that are not saved. */
export function isUnsaved(uri: vscode.Uri): boolean {
  return unsavedDocument(uri) !== undefined || openNotebook(uri)?.isDirty === true;
}

/** Renames a file together with its editor, and what is not saved there. */
export async function renameFile(from: vscode.Uri, to: vscode.Uri): Promise<void> {
  if (!isOpen(from)) return vscode.workspace.fs.rename(from, to, { overwrite: false });
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(from, to, { overwrite: false });
  await apply(edit);
}

/** Deletes a file, unless it is gone, together with its editor, which would save it again otherwise. */
export async function deleteFile(uri: vscode.Uri): Promise<void> {
  if (!isOpen(uri)) return ifFound(vscode.workspace.fs.delete(uri, { useTrash: false }));
  if ((await statOf(uri)) === undefined) return;
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri);
  await apply(edit);
}

function isOpen(uri: vscode.Uri): boolean {
  return openDocument(uri) !== undefined || openNotebook(uri) !== undefined;
}

/** What is on disk is not what the user sees, and writing it would keep the user's cells from being saved. */
function refuseUnsavedCells(uri: vscode.Uri): void {
  if (openNotebook(uri)?.isDirty !== true) return;
  const path = vscode.workspace.asRelativePath(uri);
  throw new ToolError(
    `${path} is open as a notebook with unsaved cells. Ask the user to save it first.`,
    l10n.t('{0} is open as a notebook with unsaved cells. Save it first.', path),
  );
}

async function replaceIn(document: vscode.TextDocument, text: string): Promise<void> {
  await checkFits(text, document);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  await apply(edit);
  if (!(await document.save())) throw notSaved(document.uri);
}

async function apply(edit: vscode.WorkspaceEdit): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new ToolError('The editor rejected the edit.', l10n.t('The editor rejected the edit.'));
}

/**
 * Returns the open document of a file, unless it differs from what is on disk. The editor may read a file that has changed
 * a moment ago again soon, and would not save the earlier text. Or it has replaced characters or line breaks of the file.
 * @throws {ToolError} if unsaved changes hide such a difference.
 */
async function currentDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = openDocument(uri);
  const bytes = await diskBytes(uri);
  if (open === undefined || bytes === undefined) return open;
  const kept = await keptByDocument(bytes, open);
  if (!hasUnsavedText(open)) return kept?.isExact === true && kept.text === open.getText() ? open : undefined;
  if (kept === undefined) throw lossy(uri);
  return open;
}

function diskBytes(uri: vscode.Uri): Promise<Uint8Array | undefined> {
  return ifFound(vscode.workspace.fs.readFile(uri));
}

export function changedMeanwhile(uri: vscode.Uri): ToolError {
  const path = vscode.workspace.asRelativePath(uri);
  return new ToolError(
    `${path} was changed in the meantime. Read it again.`,
    l10n.t('{0} was edited in the meantime, and a change no longer applies. It was left as it is.', path),
  );
}

/** The editor does not overwrite a file that was changed outside of it, and asks the user instead. */
function notSaved(uri: vscode.Uri): ToolError {
  return new ToolError(
    'The editor could not save the file, and keeps the changes unsaved. It may have changed on disk. Ask the user to save or revert it.',
    l10n.t(
      'The editor could not save {0}, and keeps the changes unsaved. It may have changed on disk. Save or revert it.',
      vscode.workspace.asRelativePath(uri),
    ),
  );
}

/** A text with replacement characters would be written over what they stand for. */
function lossy(uri: vscode.Uri): ToolError {
  return new ToolError(
    'The editor has unsaved changes in this file, but has opened it with an encoding that loses some of its characters. Ask the user to revert it, and to reopen it with its encoding.',
    l10n.t(
      'The editor has opened {0} with an encoding that loses some of its characters, and has unsaved changes in it. Revert it, and reopen it with its encoding.',
      vscode.workspace.asRelativePath(uri),
    ),
  );
}
