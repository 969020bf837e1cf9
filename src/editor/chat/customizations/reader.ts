/** Reads the files with instructions, skills, and agents. Loaded when they are first needed. */

import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readAgentFile } from '../../../agent/customizations/agentFile.ts';
import { type CustomizationSet, type FoundFile, hasError } from '../../../agent/customizations/found.ts';
import { importsIn, MAX_IMPORT_DEPTH } from '../../../agent/customizations/imports.ts';
import {
  type InstructionFile,
  type InstructionScope,
  readInstructionFile,
} from '../../../agent/customizations/instructionFile.ts';
import { readSkillFile } from '../../../agent/customizations/skillFile.ts';
import { twinsOf } from '../../../agent/customizations/twins.ts';
import type { FileProblem } from '../../../chat/prompts/frontMatter.ts';
import { errorText } from '../../../display/errors.ts';
import { defined } from '../../../formats/json.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';
import { realUri } from '../../files/realUri.ts';
import { hasKey } from '../guard/guard.ts';
import { findFiles, isFile, type PlacedFile, type ReadFile } from './places.ts';

/** A larger file would cost more with each request than users expect. */
const MAX_LENGTH = 128 * 1024;
/** The editor's settings for its own chat. */
const EDITOR_SETTINGS: Readonly<Record<string, string>> = {
  'AGENTS.md': 'chat.useAgentsMdFile',
  'CLAUDE.md': 'chat.useClaudeMdFile',
};
/** Folders of the user's home that a workspace may import from: what is there is meant for models. */
const OWN_FOLDERS = ['.agents', '.claude', '.copilot'];
const MAX_FILES = 100;

export interface ReadCustomizations extends CustomizationSet {
  /** The files by their shown paths. */
  readonly uris: ReadonlyMap<string, vscode.Uri>;
  /** The folders of skills after links were followed, by the paths of the skills. */
  readonly realFolders: ReadonlyMap<string, string>;
}

/**
 * @param prompts the editor's folder for prompts.
 * @param isOff whether the user has switched off the file with this path.
 */
export async function readCustomizations(
  prompts: vscode.Uri,
  isOff: (path: string) => boolean,
): Promise<ReadCustomizations> {
  const files = await findFiles(prompts);
  const [instructions, skills, agents] = await Promise.all([
    readAll(files.instructions.filter(({ uri }) => isWanted(uri))),
    readAll(files.skills),
    readAll(files.agents),
  ]);
  const imports = await importsOf(instructions, isOff, readOne);
  const all = [...instructions, ...imports.files, ...skills, ...agents];
  return {
    instructions: instructionsIn([...instructions, ...imports.files], imports, isOff),
    skills: namedOnce(
      skills.map((file) => {
        const skill = readSkillFile(file.text, file.inner);
        return { ...foundOf(file, skill, skill.body, isOff), skill, name: skill.name };
      }),
    ),
    agents: namedOnce(
      agents.map((file) => {
        const agent = readAgentFile(file.text, file.inner);
        return { ...foundOf(file, agent, agent.instructions, isOff), agent, name: agent.name };
      }),
    ),
    uris: new Map(all.map(({ path, uri }) => [path, uri])),
    realFolders: new Map(await Promise.all(skills.map(realFolderOf))),
  };
}

function instructionsIn(
  files: readonly ReadFile[],
  imports: Imports,
  isOff: (path: string) => boolean,
): CustomizationSet['instructions'] {
  const read = files.map((file) => ({ ...file, read: withImports(file, imports) }));
  // A file that is switched off, or cannot be used, is not sent in place of another one.
  const compared = read
    .filter(({ path, problems, read: { text } }) => !isOff(path) && problems.length === 0 && text !== '')
    .map(({ uri, path, realPath, read: { text } }) => ({ path: uri.path, shown: path, realPath, text }));
  const twins = twinsOf(compared);
  return read
    .filter(({ problems, read: { text } }) => text !== '' || problems.length > 0)
    .map((file) => {
      const twin = twins.get(file.uri.path)?.shown;
      return {
        ...foundOf(file, file.read, file.read.text, isOff),
        file: file.read,
        ...defined({ root: file.root, twin }),
      };
    });
}

/** A file that is imported applies when the one that imports it does. */
function withImports(file: ReadFile, { files, scopes, problems }: Imports): InstructionFile {
  const read = readInstructionFile(file.text, file.inner);
  const key = file.uri.toString();
  const scope = scopes.get(key);
  const isImported = scope !== undefined && (scope.type === 'always' || files.includes(file));
  return {
    ...read,
    problems: [...read.problems, ...(problems.get(key) ?? [])],
    ...(isImported && { scope }),
  };
}

function foundOf(
  { path, isUsers, problems }: ReadFile,
  read: { readonly problems: readonly FileProblem[] },
  text: string,
  isOff: (path: string) => boolean,
): FoundFile {
  return {
    path,
    isUsers,
    tokens: estimateTokens(text),
    problems: problems.length > 0 ? problems : read.problems,
    isOff: isOff(path),
  };
}

/** Of several files with one name, the first one counts: that of the workspace, and there the one that is listed first. */
function namedOnce<T extends FoundFile & { readonly name: string }>(files: readonly T[]): readonly T[] {
  const first = new Map<string, string>();
  return files.map((file) => {
    const twin = first.get(file.name);
    if (!file.isOff && !hasError(file) && twin === undefined) first.set(file.name, file.path);
    return twin === undefined ? file : { ...file, twin };
  });
}

/** A `SKILL.md` may itself be a link. What is beside the file that it links to is not of the skill. */
async function realFolderOf({ path, uri }: PlacedFile): Promise<readonly [string, string]> {
  return [path, (await realUri(vscode.Uri.joinPath(uri, '..'))).uri.path];
}

async function readAll(files: readonly PlacedFile[]): Promise<readonly ReadFile[]> {
  return Promise.all(files.map(readOne));
}

async function readOne(file: PlacedFile): Promise<ReadFile> {
  try {
    const text = Buffer.from(await vscode.workspace.fs.readFile(file.uri)).toString('utf8');
    const { uri: real, isInside } = await realUri(file.uri);
    const problem = file.isUsers || isInside ? await problemOf(text) : outside(real);
    const problems: FileProblem[] = problem === undefined ? [] : [{ line: 1, message: problem, severity: 'error' }];
    return { ...file, text: problem === undefined ? text : '', realPath: real.path, problems };
  } catch (error) {
    const message = l10n.t('The file could not be read: {0}', errorText(error));
    return { ...file, text: '', realPath: file.uri.path, problems: [{ line: 1, message, severity: 'error' }] };
  }
}

/** A link could make a repository send any file of this machine. */
function outside(real: vscode.Uri): string {
  return l10n.t('The file is not sent to models: it is a link to {0}, outside the workspace.', real.fsPath);
}

async function problemOf(text: string): Promise<string | undefined> {
  if (text.length > MAX_LENGTH)
    return l10n.t('The file is not sent to models: it has more than {0} KB.', MAX_LENGTH / 1024);
  if (text.includes('\0')) return l10n.t('The file is not sent to models: it is not a text file.');
  return (await hasKey(text))
    ? l10n.t('The file is not sent to models: it contains something that looks like a key.')
    : undefined;
}

/** The editor's user can switch off some names for all chats. */
function isWanted({ path }: vscode.Uri): boolean {
  const setting = EDITOR_SETTINGS[path.slice(path.lastIndexOf('/') + 1)];
  return setting === undefined || vscode.workspace.getConfiguration().get(setting, true);
}

interface Imports {
  /** The files that were not found by their place. */
  readonly files: readonly ReadFile[];
  /** When they apply, by their URIs: like the file that imports them. */
  readonly scopes: ReadonlyMap<string, InstructionScope>;
  /** What is not imported, by the URI of the file that names it. */
  readonly problems: ReadonlyMap<string, readonly FileProblem[]>;
}

/** @param isOff whether the user has switched off the file with this path, which then imports nothing. */
async function importsOf(
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
