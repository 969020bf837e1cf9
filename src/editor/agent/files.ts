/** Reads and writes files as the agent's tools do: unsaved text in the editor counts, and written files are saved. */
import * as vscode from 'vscode';
import { readUpTo } from '../chat/context/readChecked.ts';
import { statOf } from './statOf.ts';
import { ToolError } from './tools/tool.ts';
import type { Target } from './workspacePaths.ts';

const MAX_BYTES = 4 * 1024 * 1024;

/** The editor does not overwrite a file that was changed outside of it, and asks the user instead. */
const UNSAVED =
  'The editor could not save the file, and keeps the changes unsaved. It may have changed on disk. Ask the user to save or revert it.';

/**
 * Reads a file, if it is still the one that was checked.
 * @throws {ToolError} if the file does not exist, is too large, or is not text.
 */
export async function readText({ uri, path, checked }: Pick<Target, 'uri' | 'path' | 'checked'>): Promise<string> {
  const open = openDocument(uri);
  if (open?.isDirty === true) return open.getText();
  const stat = await statOf(uri);
  if (stat === undefined) throw new ToolError(`${path} does not exist.`);
  if ((stat.type & vscode.FileType.Directory) !== 0) throw new ToolError(`${path} is a folder. Use list_files.`);
  const bytes = await readUpTo(checked, MAX_BYTES);
  if (bytes === undefined) throw new ToolError(`${path} is too large to read (${stat.size} bytes).`);
  if (bytes.includes(0)) throw new ToolError(`${path} is not a text file.`);
  return vscode.workspace.decode(bytes, { uri });
}

/** Writes the whole text and saves it. An open editor gets it as an edit that can be undone. */
export async function writeText(uri: vscode.Uri, text: string): Promise<void> {
  const open = await currentDocument(uri);
  if (open !== undefined) return replaceIn(open, text);
  const before = (await statOf(uri)) === undefined ? new Uint8Array() : await vscode.workspace.fs.readFile(uri);
  await vscode.workspace.fs.writeFile(uri, await encodeLike(text, before, uri));
}

/** The byte order marks, and the editor's names of the encodings that begin with them. */
const MARKS = [
  ['utf8bom', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
] as const;

/** Encodes a text like the earlier content of its file, with its byte order mark. */
export async function encodeLike(text: string, before: Uint8Array, uri: vscode.Uri): Promise<Uint8Array> {
  const found = MARKS.find(([, mark]) => startsWith(before, mark));
  if (found === undefined) return vscode.workspace.encode(text, { uri });
  const [encoding, mark] = found;
  const bytes = await vscode.workspace.encode(text, { encoding });
  return startsWith(bytes, mark) ? bytes : Uint8Array.from([...mark, ...bytes]);
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

/** Like {@link writeText}, for the bytes of a file that need not be text. */
export async function writeBytes(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
  const open = await currentDocument(uri);
  if (open === undefined) await vscode.workspace.fs.writeFile(uri, bytes);
  else await replaceIn(open, await vscode.workspace.decode(bytes, { uri }));
}

async function replaceIn(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  if (!(await vscode.workspace.applyEdit(edit))) throw new ToolError('The editor rejected the edit.');
  if (!(await document.save())) throw new ToolError(UNSAVED);
}

/**
 * Returns the open document of a file, unless the file has changed on disk a moment ago: the editor reads it again soon,
 * and would not save the earlier text.
 */
async function currentDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = openDocument(uri);
  if (open === undefined || open.isDirty || (await statOf(uri)) === undefined) return open;
  const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  return text === open.getText() ? open : undefined;
}

function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  const wanted = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === wanted && !document.isClosed);
}
