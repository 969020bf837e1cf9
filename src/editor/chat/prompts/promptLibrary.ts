import * as vscode from 'vscode';
import type { Prompt } from '../../../chat/prompts/prompt.ts';
import type { PromptView } from '../../../pages/chat/protocol.ts';
import { ifFound } from '../../documents/ifFound.ts';

/** The prompts' folder in each workspace folder. */
export const WORKSPACE_FOLDER = '.model-access/prompts';
/** The folder of prompts for the editor's own chat and other tools. */
const REPOSITORY_FOLDER = '.github/prompts';
const SHARED = /\.prompt\.md$/i;

export interface PromptFile {
  readonly uri: vscode.Uri;
  readonly source: Exclude<PromptView['source'], 'builtIn' | 'skill'>;
  readonly prompt: Prompt;
}

/** The user's prompts: Markdown files in folders of the workspace and of the profile. They are read on each request. */
export class PromptLibrary {
  /** The folder in the profile. */
  readonly folder: vscode.Uri;

  constructor(globalStorage: vscode.Uri) {
    this.folder = vscode.Uri.joinPath(globalStorage, 'prompts');
  }

  /**
   * Reads the prompts, sorted by name, those of the workspace first. An untrusted workspace offers none, because others
   * control its prompts.
   */
  async read(): Promise<PromptFile[]> {
    const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
    const [{ locationsOf }, { filesAt }] = await Promise.all([
      import('../customizations/locations.ts'),
      import('../customizations/places.ts'),
    ]);
    const { added, off } = locationsOf('chat.promptFilesLocations');
    const usual = off.has(REPOSITORY_FOLDER) ? [] : folders;
    const [own, ofWorkspace, usualShared, ...addedShared] = await Promise.all([
      filesIn(this.folder),
      filesInEach(folders, WORKSPACE_FOLDER),
      filesInEach(usual, REPOSITORY_FOLDER),
      ...added.map(async (location) => (await filesAt(location, SHARED)).map(({ uri }) => uri)),
    ]);
    const shared = [...usualShared.filter(({ path }) => SHARED.test(path)), ...addedShared.flat()];
    // A folder of the settings is often the usual one.
    const unique = [...new Map(shared.map((uri) => [uri.toString(), uri])).values()];
    return Promise.all([
      ...ofWorkspace.map((uri) => readFile(uri, 'workspace')),
      ...unique.map((uri) => readFile(uri, 'repository')),
      ...own.map((uri) => readFile(uri, 'profile')),
    ]);
  }
}

async function filesInEach(folders: readonly vscode.WorkspaceFolder[], path: string): Promise<vscode.Uri[]> {
  return (await Promise.all(folders.map(({ uri }) => filesIn(vscode.Uri.joinPath(uri, path))))).flat();
}

async function filesIn(folder: vscode.Uri): Promise<vscode.Uri[]> {
  return (await entriesOf(folder))
    .filter(([name, type]) => (type & vscode.FileType.File) !== 0 && /\.md$/i.test(name))
    .map(([name]) => name)
    .sort((a, b) => a.localeCompare(b))
    .map((name) => vscode.Uri.joinPath(folder, name));
}

async function readFile(uri: vscode.Uri, source: PromptFile['source']): Promise<PromptFile> {
  const { readPrompt } = await import('../../../chat/prompts/prompt.ts');
  const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
  return { uri, source, prompt: readPrompt(uri.path.split('/').at(-1) ?? '', text) };
}

async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  return (await ifFound(vscode.workspace.fs.readDirectory(folder))) ?? [];
}
