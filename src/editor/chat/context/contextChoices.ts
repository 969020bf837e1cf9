import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/defined.ts';
import type { AttachmentKind, ContextChoiceView, InstructionsView } from '../protocol.ts';
import { isWebAddress } from './address/webAddress.ts';
import { attachSelection } from './documents.ts';
import { matchPaths } from './fileMatch.ts';
import { hasRepository } from './gitApi.ts';
import { openFiles } from './openFiles.ts';
import { baseName, folderOf } from './paths.ts';
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
export type Source = (typeof SOURCES)[number];

export interface SourceChoice extends ContextChoiceView {
  readonly id: Source;
}

/** The prefix of a choice's ID before the path of a workspace file or folder. */
export const PATH_PREFIX = 'path:';

/** The ID of the workspace's instructions, which can be added again after they were removed from the chat. */
export const INSTRUCTIONS_CHOICE = 'instructions';

/** The prefix of a choice's ID before the address of a web page. */
export const ADDRESS_PREFIX = 'address:';

/** The maximum number of files and folders that are offered at once. */
const MAX_PATHS = 50;

/** Returns the sources that currently have content, and those that must be queried to find out. */
export function sourceChoices(): SourceChoice[] {
  return SOURCES.flatMap((id) => CHOICES[id](vscode.window.activeTextEditor).map((choice) => ({ id, ...choice })));
}

/**
 * Returns the sources and paths that match the text after the `@`.
 * @param withDialogs Whether the file and folder dialogs are offered for any query, because not all files are among the
 * paths.
 */
export function contextChoices(
  query: string,
  paths: readonly string[],
  withDialogs = false,
  instructions?: InstructionsView,
): ContextChoiceView[] {
  if (isWebAddress(query)) return [addressChoice(query)];
  const wanted = query.toLowerCase();
  const isWanted = ({ id, label }: SourceChoice) =>
    label.toLowerCase().includes(wanted) || (withDialogs && isDialog(id));
  const found = matchPaths(paths, query, MAX_PATHS).map(pathChoice);
  const sources = [...sourceChoices().filter(isWanted), ...instructionsChoice(query, instructions)];
  // The query most likely names a known file, or else an unknown one.
  return withDialogs && wanted !== '' ? [...found, ...sources] : [...sources, ...found];
}

/** Offers the workspace's instructions if they were removed from the chat. */
function instructionsChoice(query: string, instructions: InstructionsView | undefined): ContextChoiceView[] {
  if (instructions?.isSent !== false || !instructions.label.toLowerCase().includes(query.toLowerCase())) return [];
  const { label } = instructions;
  return [{ id: INSTRUCTIONS_CHOICE, kind: 'instructions', label, detail: l10n.t('Instructions of this workspace') }];
}

function isDialog(source: Source): boolean {
  return source === 'files' || source === 'folders';
}

function pathChoice(path: string): ContextChoiceView {
  const detail = folderOf(path.replace(/\/$/, ''));
  const isFolder = path.endsWith('/');
  const fileKind = isImagePath(path) ? 'image' : 'file';
  const label = isFolder ? `${baseName(path)}/` : baseName(path);
  return { id: `${PATH_PREFIX}${path}`, kind: isFolder ? 'folder' : fileKind, label, ...(detail !== '' && { detail }) };
}

function addressChoice(address: string): ContextChoiceView {
  return {
    id: `${ADDRESS_PREFIX}${address}`,
    kind: 'address',
    label: address.replace(/^https?:\/\//i, ''),
    detail: l10n.t('Text of the page'),
  };
}

type Describe = (editor: vscode.TextEditor | undefined) => Omit<ContextChoiceView, 'id'>[];

const CHOICES: Readonly<Record<Source, Describe>> = {
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
      : [choice('problems', l10n.t('Problems of {0}', baseName(uri.path)), String(count))];
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
  address: () => [choice('address', l10n.t('Text of a web page…'), 'https://')],
};

function choice(kind: AttachmentKind, label: string, detail?: string): Omit<ContextChoiceView, 'id'> {
  return { kind, label, ...defined({ detail }) };
}
