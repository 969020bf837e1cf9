import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openNamedFile } from '../../documents/newFile.ts';
import { locationsOf } from './locations.ts';

const WORKSPACE_FOLDER = '.github/agents';
const USER_FOLDER = '.copilot/agents';

/** Asks for a folder and a name, and opens the new file, or an existing one with this name. */
export async function newAgent(): Promise<void> {
  const folder = await pickFolder();
  if (folder === undefined) return;
  const question = { title: l10n.t('New agent'), prompt: l10n.t('Name of the agent'), placeHolder: 'reviewer' };
  await openNamedFile({ folder, ending: '.agent.md', text: template, question });
}

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const own = {
    label: `$(account) ${l10n.t('My agents')}`,
    description: `~/${USER_FOLDER}`,
    uri: vscode.Uri.joinPath(vscode.Uri.file(homedir()), USER_FOLDER),
  };
  const folders = (vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : []).map(
    ({ name, uri }) => ({
      label: `$(folder) ${name}`,
      description: WORKSPACE_FOLDER,
      uri: vscode.Uri.joinPath(uri, WORKSPACE_FOLDER),
    }),
  );
  const usual = [...folders, own];
  const added = locationsOf('chat.agentFilesLocations').added.filter(
    ({ uri, written }) => !/[*?{[]/.test(written) && usual.every((one) => one.uri.path !== uri.path),
  );
  const further = added.map(({ uri, written }) => ({ label: `$(folder) ${written}`, description: '', uri }));
  if (folders.length + further.length === 0) return own.uri;
  const placeHolder = l10n.t('Where do you want to save the agent?');
  return (await vscode.window.showQuickPick([...folders, ...further, own], { placeHolder }))?.uri;
}

function template(name: string): string {
  const description = l10n.t('Reviews changes and edits nothing');
  const body = l10n.t('Look for bugs and missing tests in the changes. Name the file and the line, and suggest a fix.');
  return `---\nname: ${name}\ndescription: ${description}\ntools: ['read', 'search']\n---\n${body}\n`;
}
