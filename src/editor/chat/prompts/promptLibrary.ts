import * as vscode from 'vscode';
import type { Prompt } from '../../../chat/prompts/prompt.ts';
import type { PromptView } from '../../../pages/chat/protocol.ts';

/** The prompts' folder in each workspace folder. */
export const WORKSPACE_FOLDER = '.model-access/prompts';
/** The folder of prompts for the editor's own chat and other tools. */
const REPOSITORY_FOLDER = '.github/prompts';

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
    const [own, ...ofWorkspace] = await Promise.all([
      readFolder(this.folder, 'profile'),
      ...folders.map(({ uri }) => readFolder(vscode.Uri.joinPath(uri, WORKSPACE_FOLDER), 'workspace')),
      ...folders.map(({ uri }) => readFolder(vscode.Uri.joinPath(uri, REPOSITORY_FOLDER), 'repository')),
    ]);
    return [...ofWorkspace.flat(), ...own];
  }
}

async function readFolder(folder: vscode.Uri, source: PromptFile['source']): Promise<PromptFile[]> {
  const ending = source === 'repository' ? /\.prompt\.md$/i : /\.md$/i;
  const names = (await entriesOf(folder))
    .filter(([name, type]) => (type & vscode.FileType.File) !== 0 && ending.test(name))
    .map(([name]) => name)
    .sort((a, b) => a.localeCompare(b));
  const { readPrompt } = await import('../../../chat/prompts/prompt.ts');
  return Promise.all(
    names.map(async (name) => {
      const uri = vscode.Uri.joinPath(folder, name);
      const text = Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
      return { uri, source, prompt: readPrompt(name, text) };
    }),
  );
}

async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return [];
    throw error;
  }
}
