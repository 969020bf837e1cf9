/** Reads what the instructions for Claude Code import. */
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { importsIn, MAX_IMPORT_DEPTH } from '../../../agent/customizations/imports.ts';
import { type InstructionScope, readInstructionFile } from '../../../agent/customizations/instructionFile.ts';
import type { FileProblem } from '../../../chat/prompts/frontMatter.ts';
import { isFile, type PlacedFile, type ReadFile } from './places.ts';

/** Folders of the user's home that a workspace may import from: what is there is meant for models. */
const OWN_FOLDERS = ['.agents', '.claude', '.copilot'];
const MAX_FILES = 100;

export interface Imports {
  /** The files that were not found by their place. */
  readonly files: readonly ReadFile[];
  /** When they apply, by their URIs: like the file that imports them. */
  readonly scopes: ReadonlyMap<string, InstructionScope>;
  /** What is not imported, by the URI of the file that names it. */
  readonly problems: ReadonlyMap<string, readonly FileProblem[]>;
}

/** @param isOff whether the user has switched off the file with this path, which then imports nothing. */
export async function importsOf(
  found: readonly ReadFile[],
  isOff: (path: string) => boolean,
  read: (file: PlacedFile) => Promise<ReadFile>,
): Promise<Imports> {
  const known = new Map(found.map((file) => [file.uri.toString(), file]));
  const files: ReadFile[] = [];
  const scopes = new Map<string, InstructionScope>();
  const problems = new Map<string, readonly FileProblem[]>();

  function report({ uri }: ReadFile, line: number, message: string): void {
    const key = uri.toString();
    problems.set(key, [...(problems.get(key) ?? []), { line, message, severity: 'warning' }]);
  }

  /** Returns undefined for a file that must not be sent because a workspace says so. */
  async function fileAt(uri: vscode.Uri, importer: ReadFile): Promise<ReadFile | undefined> {
    const place = placeOf(uri, importer);
    const file = known.get(uri.toString()) ?? (place && (await read(place)));
    if (file?.isUsers === true && !importer.isUsers && !isOwn(file.realPath)) return undefined;
    if (file !== undefined && !known.has(uri.toString())) files.push(file);
    return file;
  }

  async function follow(importer: ReadFile, scope: InstructionScope, depth: number): Promise<void> {
    if (depth > MAX_IMPORT_DEPTH || isOff(importer.path)) return;
    for (const { path, line } of importsIn(importer.text)) {
      const uri = uriOf(path, importer);
      if (scopes.has(uri.toString()) || files.length >= MAX_FILES) continue;
      if (!(await isFile(uri))) {
        // Other words behind the mark are names of people or packages.
        if (/\.md$/i.test(path)) report(importer, line, l10n.t('“{0}” is not imported: there is no such file.', path));
        continue;
      }
      const file = await fileAt(uri, importer);
      if (file === undefined) {
        report(importer, line, l10n.t('“{0}” is not imported: it is outside the workspace.', path));
        continue;
      }
      scopes.set(uri.toString(), scope);
      await follow(file, scope, depth + 1);
    }
  }

  for (const file of found) {
    if (isImporter(file)) await follow(file, readInstructionFile(file.text, file.inner).scope, 1);
  }
  return { files, scopes, problems };
}

function isImporter({ inner }: PlacedFile): boolean {
  return /(?:^|\/)CLAUDE(?:\.local)?\.md$|(?:^|\/)\.claude\/rules\//.test(inner);
}

function uriOf(written: string, { uri }: PlacedFile): vscode.Uri {
  if (written.startsWith('~/')) return vscode.Uri.joinPath(vscode.Uri.file(homedir()), written.slice(2));
  const [drive = ''] = /^[A-Za-z](?=:\/)/.exec(written) ?? [];
  if (drive !== '') return uri.with({ path: `/${drive.toLowerCase()}${written.slice(1)}` });
  return written.startsWith('/') ? uri.with({ path: written }) : vscode.Uri.joinPath(uri, '..', written);
}

/** Returns undefined for a file outside, which a file of the workspace must not import. */
function placeOf(uri: vscode.Uri, importer: PlacedFile): PlacedFile | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder !== undefined && vscode.workspace.isTrusted) {
    const inner = uri.path.slice(folder.uri.path.length + 1);
    const root = (vscode.workspace.workspaceFolders ?? []).length > 1 ? `${folder.name}/` : '';
    return { uri, path: root + inner, isUsers: false, inner, root };
  }
  if (!importer.isUsers && !isOwn(uri.path)) return undefined;
  const home = `${vscode.Uri.file(homedir()).path}/`;
  const inner = uri.path.startsWith(home) ? uri.path.slice(home.length) : uri.path;
  return { uri, path: inner === uri.path ? inner : `~/${inner}`, isUsers: true, inner };
}

function isOwn(path: string): boolean {
  const home = vscode.Uri.file(homedir()).path;
  return /\.md$/i.test(path) && OWN_FOLDERS.some((folder) => path.startsWith(`${home}/${folder}/`));
}
