import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../conversation/record.ts';
import type { Finding, Guard } from './guard.ts';
import { hasKey, listed } from './guard.ts';
import { baseName } from './paths.ts';
import { textAttachment } from './textAttachment.ts';

/**
 * The maximum number of files of a folder that are read, and the maximum sum of their bytes. Other files are only
 * listed.
 */
const MAX_FILES = 100;
const MAX_BYTES = 1024 * 1024;

/** The maximum number of entries of any type that are visited. */
const MAX_ENTRIES = 5000;

interface FolderFile {
  readonly uri: vscode.Uri;
  /** The path within the folder. */
  readonly path: string;
}

/**
 * Attaches the files of a folder and its subfolders as one attachment: first their list, then their contents. Files
 * that may not be meant to be shared are omitted, and named in the note.
 * @throws if there is nothing to attach.
 */
export async function attachFolder(folder: vscode.Uri, guard: Guard): Promise<Attachment> {
  const { files, found } = await filesIn(folder, guard);
  const bodies: string[] = [];
  let [bytes, read] = [0, 0];
  for (const { uri, path } of files) {
    if (read >= MAX_FILES || bytes >= MAX_BYTES) break;
    const text = await textOf(uri, MAX_BYTES - bytes);
    if (text === undefined) continue;
    if (await hasKey(text)) {
      found.push({ name: path, reason: l10n.t('it contains something that looks like a key') });
      continue;
    }
    bytes += Buffer.byteLength(text);
    read += 1;
    bodies.push(`=== ${path}\n${text}`);
  }
  const name = baseName(folder.path);
  if (files.length === 0) throw new Error(l10n.t('{0} contains nothing to attach.', name));
  const list = files.map(({ path }) => path).join('\n');
  return textAttachment({
    kind: 'folder',
    label: `${name}/`,
    path: vscode.workspace.asRelativePath(folder),
    languageId: '',
    text: [list, ...bodies].join('\n\n'),
    note: noteOf(files.length, read, found),
  });
}

function noteOf(files: number, read: number, found: readonly Finding[]): string {
  return [
    read === files
      ? files === 1
        ? l10n.t('1 file')
        : l10n.t('{0} files', files)
      : l10n.t('{0} of {1} files; the others are listed by name only', read, files),
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
async function textOf(uri: vscode.Uri, most: number): Promise<string | undefined> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > most) return undefined;
  const bytes = await vscode.workspace.fs.readFile(uri);
  return bytes.subarray(0, 8000).includes(0) ? undefined : Buffer.from(bytes).toString('utf8');
}
