import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isWebAddress } from '../../../chat/context/address/webAddress.ts';
import { matchPaths } from '../../../chat/context/fileMatch.ts';
import { baseName, folderOf } from '../../../files/paths.ts';
import { defined } from '../../../formats/json.ts';
import type {
  AttachmentKind,
  ContextChoiceView,
  ContextGroup,
  InstructionsView,
} from '../../../pages/chat/protocol.ts';
import { hasRepository } from '../../git/gitApi.ts';
import { attachSelection } from './attachedDocuments.ts';
import { filesCount, MAX_UNASKED_FILES } from './folder.ts';
import { openFiles } from './openFiles.ts';
import { countProblems } from './problems.ts';
import { isImagePath } from './uris.ts';

/** The sources of attachments, besides the workspace's files and folders. */
export const SOURCES = [
  'selection',
  'file',
  'openFiles',
  'fileProblems',
  'problems',
  'changes',
  'stagedChanges',
  'terminal',
  'images',
  'files',
  'folders',
  'address',
] as const;
export type ContextSource = (typeof SOURCES)[number];

export interface SourceChoice extends ContextChoiceView {
  readonly id: ContextSource;
}

/** The prefix of a choice's ID before the path of a workspace file or folder. */
export const PATH_PREFIX = 'path:';

/** The ID of the workspace's instructions, which can be added again after they were removed from the chat. */
export const INSTRUCTIONS_CHOICE = 'instructions';

/** The prefix of a choice's ID before the address of a web page. */
export const ADDRESS_PREFIX = 'address:';

/** The maximum number of files and folders that are offered together: for a query, and without one. */
const MAX_PATHS = 20;
const MAX_UNASKED_PATHS = 6;

/** Returns the sources that currently have content, and those that must be queried to find out. */
export function sourceChoices(): SourceChoice[] {
  return SOURCES.flatMap((id) =>
    CHOICES[id](vscode.window.activeTextEditor).map((choice) => ({ id, group: groupOf(id), ...choice })),
  );
}

function groupOf(source: ContextSource): ContextGroup {
  return source === 'file' || source === 'selection' ? 'file' : 'more';
}

/**
 * Returns the sources and paths that match the text after the `@`: the current file first, then other files, then all
 * other sources.
 * @param withDialogs Whether the file and folder dialogs are offered for any query, because not all files are among the
 * paths.
 */
export function contextChoices(
  query: string,
  paths: readonly string[],
  withDialogs: boolean,
  instructions?: InstructionsView,
): ContextChoiceView[] {
  if (isWebAddress(query)) return [addressChoice(query)];
  const wanted = query.toLowerCase();
  const isWanted = ({ id, label, detail = '' }: SourceChoice) =>
    label.toLowerCase().includes(wanted) ||
    (id === 'selection' && detail.toLowerCase().includes(wanted)) ||
    (withDialogs && isDialog(id));
  const sources = sourceChoices();
  const current = currentFile();
  const file = sources.filter((choice) => choice.group === 'file' && isWanted(choice));
  const removed = instructionsChoice(query, instructions);
  const isCurrentNamed = current?.name.toLowerCase().includes(wanted) === true;
  return [
    ...(current !== undefined && (isCurrentNamed || file.some(({ id }) => id === 'file')) ? [current.choice] : []),
    ...file.filter(({ id }) => id !== 'file'),
    ...pathChoices(query, paths, [isCurrentNamed ? current?.path : undefined, removed[0]?.label]),
    ...removed,
    ...sources.filter((choice) => choice.group === 'more' && isWanted(choice)),
  ];
}

/** The current file under its own name. */
function currentFile() {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri === undefined) return undefined;
  const [path, name] = [vscode.workspace.asRelativePath(uri), baseName(uri.path)];
  // Paths of this machine are not sent to the panel.
  const folder = vscode.workspace.getWorkspaceFolder(uri) === undefined ? '' : folderOf(path);
  const choice: SourceChoice = {
    id: 'file',
    group: 'file',
    kind: 'file',
    label: name,
    ...(folder !== '' && { detail: folder }),
  };
  return { path, name, choice };
}

/**
 * Without a query, the files of the open editors are first, and hidden ones are not offered.
 * @param paths All paths of the workspace, by which the files of folders are counted.
 * @param listed Those that have a choice of another kind.
 */
export function pathChoices(
  query: string,
  paths: readonly string[],
  listed: readonly (string | undefined)[],
): ContextChoiceView[] {
  const offered = paths.filter((path) => !listed.includes(path));
  if (query !== '') return matchPaths(offered, query, MAX_PATHS).map((path) => pathChoice(path, paths));
  const open = new Set(openFiles().map((uri) => vscode.workspace.asRelativePath(uri)));
  const first = offered.filter((path) => open.has(path));
  const others = offered.filter((path) => !open.has(path) && !/(?:^|\/)\./.test(path));
  return [...first, ...others].slice(0, MAX_UNASKED_PATHS).map((path) => pathChoice(path, paths));
}

/** Offers the workspace's instructions if they were removed from the chat. */
function instructionsChoice(query: string, instructions: InstructionsView | undefined): ContextChoiceView[] {
  if (instructions?.isSent !== false || !instructions.label.toLowerCase().includes(query.toLowerCase())) return [];
  const { label } = instructions;
  const detail = l10n.t('Workspace instructions');
  return [{ id: INSTRUCTIONS_CHOICE, kind: 'instructions', group: 'more', label, detail, tokens: instructions.tokens }];
}

function isDialog(source: ContextSource): boolean {
  return source === 'files' || source === 'folders';
}

/** @param paths All paths, to count the files of a folder. */
function pathChoice(path: string, paths: readonly string[]): ContextChoiceView {
  const folder = folderOf(path.replace(/\/$/, ''));
  const id = `${PATH_PREFIX}${path}`;
  if (path.endsWith('/')) {
    const count = filesBelow(path, paths).length;
    const detail = folder === '' ? filesCount(count) : `${folder} · ${filesCount(count)}`;
    const isLarge = count > MAX_UNASKED_FILES;
    return { id, kind: 'folder', group: 'paths', label: `${baseName(path)}/`, detail, ...(isLarge && { isLarge }) };
  }
  const kind = isImagePath(path) ? 'image' : 'file';
  return { id, kind, group: 'paths', label: baseName(path), ...(folder !== '' && { detail: folder }) };
}

export function filesBelow(folder: string, paths: readonly string[]): readonly string[] {
  return paths.filter((path) => path.startsWith(folder) && !path.endsWith('/'));
}

function addressChoice(address: string): ContextChoiceView {
  return {
    id: `${ADDRESS_PREFIX}${address}`,
    kind: 'address',
    group: 'more',
    label: address.replace(/^https?:\/\//i, ''),
    detail: l10n.t('Page text'),
    isFetched: true,
  };
}

type Description = Omit<ContextChoiceView, 'id' | 'group'>;
type Describe = (editor: vscode.TextEditor | undefined) => Description[];

const CHOICES: Readonly<Record<ContextSource, Describe>> = {
  selection: (editor) =>
    editor === undefined || editor.selection.isEmpty
      ? []
      : [choice('selection', l10n.t('Selection'), attachSelection(editor).label)],
  file: (editor) =>
    editor === undefined ? [] : [choice('file', l10n.t('Current file'), baseName(editor.document.uri.path))],
  openFiles: () => {
    const count = openFiles().length;
    return count === 0 ? [] : [choice('file', l10n.t('Open editors'), String(count))];
  },
  fileProblems: (editor) => {
    const uri = editor?.document.uri;
    const count = uri === undefined ? 0 : countProblems(uri);
    return uri === undefined || count === 0
      ? []
      : [choice('problems', l10n.t('Problems in {0}', baseName(uri.path)), String(count))];
  },
  problems: () => {
    const count = countProblems();
    return count === 0 ? [] : [choice('problems', l10n.t('Problems'), String(count))];
  },
  changes: () => (hasRepository() ? [choice('diff', l10n.t('Git changes'), l10n.t('unstaged'))] : []),
  stagedChanges: () => (hasRepository() ? [choice('diff', l10n.t('Staged Git changes'))] : []),
  terminal: () =>
    vscode.window.activeTerminal === undefined
      ? []
      : [choice('terminal', l10n.t('Selection in the terminal'), vscode.window.activeTerminal.name)],
  images: () => [choice('image', l10n.t('Images…'))],
  files: () => [choice('file', l10n.t('Files…'))],
  folders: () => [choice('folder', l10n.t('Folder…'))],
  address: () => [choice('address', l10n.t('Text of web page…'), 'https://')],
};

function choice(kind: AttachmentKind, label: string, detail?: string): Description {
  return { kind, label, ...defined({ detail }) };
}
