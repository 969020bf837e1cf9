import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { textAttachment } from '../../../chat/context/textAttachment.ts';
import type { Attachment } from '../../../chat/conversation/record.ts';
import { baseName } from '../../../files/paths.ts';
import { type CheckedUri, type Finding, type Guard, hasKey, listed } from '../guard/guard.ts';
import { readUpTo } from './readChecked.ts';

/**
 * The maximum number of files of a folder that are read, and the maximum sum of their bytes. Other files are only
 * listed.
 */
const MAX_FILES = 100;
const MAX_BYTES = 1024 * 1024;

/** A folder with more files is not attached whole without a question. */
export const MAX_UNASKED_FILES = 20;

/** The maximum number of entries of any type that are visited. */
const MAX_ENTRIES = 5000;

interface FolderFile {
  readonly uri: vscode.Uri;
  /** The path within the folder. */
  readonly path: string;
}

/**
 * Attaches the files of a folder and its subfolders as one attachment: first their list, then their contents. Files
 * that may not be meant to be shared are omitted, and named in the note. Of many files, the user chooses some.
 * @returns undefined if the user chose none.
 * @throws if there is nothing to attach.
 */
export async function attachFolder(checked: CheckedUri, guard: Guard): Promise<Attachment | undefined> {
  const { uri: folder } = checked;
  const { files: all, found } = await filesIn(folder, guard);
  const files = all.length > MAX_UNASKED_FILES ? await chooseFiles(folder, all) : all;
  if (files === undefined) return undefined;
  const bodies: string[] = [];
  let [bytes, read] = [0, 0];
  for (const file of files) {
    if (read >= MAX_FILES || bytes >= MAX_BYTES) break;
    const { path } = file;
    const text = await textOf(checked, file, MAX_BYTES - bytes);
    if (text === undefined) continue;
    if (await hasKey(text)) {
      found.push({ name: path, reason: l10n.t('it contains something that looks like a key') });
      continue;
    }
    bytes += Buffer.byteLength(text);
    read += 1;
    bodies.push(`${headOf(path)}${text}`);
  }
  const name = baseName(folder.path);
  if (files.length === 0) throw new Error(l10n.t('{0} contains nothing to attach.', name));
  return textAttachment({
    kind: 'folder',
    label: `${name}/`,
    path: vscode.workspace.asRelativePath(folder),
    languageId: '',
    text: [listOf(files.map(({ path }) => path)), ...bodies].join('\n\n'),
    note: noteOf(files.length, read, found),
  });
}

function listOf(paths: readonly string[]): string {
  return paths.join('\n');
}

function headOf(path: string): string {
  return `=== ${path}\n`;
}

/** What the attachment of a folder has around the contents of these files. */
export function folderFrame(paths: readonly string[]): string {
  return [listOf(paths), ...paths.map(headOf)].join('\n\n');
}

/** Returns undefined if the user canceled or chose no file. */
async function chooseFiles(folder: vscode.Uri, files: readonly FolderFile[]): Promise<FolderFile[] | undefined> {
  const sizes = await Promise.all(files.map(({ uri }) => vscode.workspace.fs.stat(uri)));
  const items = files.map((file, place) => ({
    label: file.path,
    description: `${Math.ceil((sizes[place]?.size ?? 0) / 1024)} KB`,
    file,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Attach files from {0}', `${baseName(folder.path)}/`),
    placeHolder: l10n.t('{0} files. Which ones do you want to attach?', files.length),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return chosen === undefined || chosen.length === 0 ? undefined : chosen.map(({ file }) => file);
}

export function filesCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', count);
}

function noteOf(files: number, read: number, found: readonly Finding[]): string {
  return [
    read === files ? filesCount(files) : l10n.t('{0} of {1} files; the others are listed by name only', read, files),
    ...(found.length === 0 ? [] : [`${l10n.t('Not attached:')}\n${listed(found)}`]),
  ].join('\n');
}

/** Returns the files in the order of their paths. Excluded folders are not visited. */
async function filesIn(folder: vscode.Uri, guard: Guard): Promise<{ files: FolderFile[]; found: Finding[] }> {
  const [files, found]: [FolderFile[], Finding[]] = [[], []];
  const waiting: FolderFile[] = [{ uri: folder, path: '' }];
  for (let next = waiting.shift(); next !== undefined && files.length < MAX_ENTRIES; next = waiting.shift()) {
    for (const [name, type] of await vscode.workspace.fs.readDirectory(next.uri)) {
      const entry = {
        uri: vscode.Uri.joinPath(next.uri, name),
        path: next.path === '' ? name : `${next.path}/${name}`,
      };
      const isFolder = (type & vscode.FileType.Directory) !== 0;
      // A link may lead out of the folder, or back into it.
      if (name === '.git' || (type & vscode.FileType.SymbolicLink) !== 0) continue;
      const finding = await guard.findingByPath(entry.uri, isFolder);
      if (finding !== undefined) found.push({ ...finding, name: entry.path });
      else if (isFolder) waiting.push(entry);
      else files.push(entry);
    }
  }
  return { files: files.sort((a, b) => (a.path < b.path ? -1 : 1)), found };
}

/** Returns undefined for a file that is not text, or is longer than `most` bytes. */
async function textOf(folder: CheckedUri, { uri, path }: FolderFile, maxBytes: number): Promise<string | undefined> {
  const real = folder.real === undefined ? undefined : join(folder.real, path);
  const bytes = await readUpTo({ uri, real }, maxBytes);
  return bytes === undefined || bytes.subarray(0, 8000).includes(0) ? undefined : Buffer.from(bytes).toString('utf8');
}
