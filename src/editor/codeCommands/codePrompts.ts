import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  builtInPrompt,
  CODE_PROMPTS,
  type CodePromptName,
  describePrompt,
} from '../../chat/prompts/codePromptTexts.ts';
import { fillIn } from '../../chat/prompts/prompt.ts';
import type { PromptFile, PromptLibrary } from '../chat/prompts/promptLibrary.ts';

/**
 * Returns the prompt of a command: the one in the library, or else the built-in one.
 * @param label The name of the attached code.
 * @param code The location of the code: with several workspace folders, the prompt of its own folder takes precedence.
 */
export async function codePrompt(
  library: PromptLibrary,
  name: CodePromptName,
  label: string,
  code: vscode.Uri,
): Promise<string> {
  const own = nearest(
    (await library.read()).filter(({ prompt, source }) => prompt.name === name && source !== 'repository'),
    code,
  );
  const quoted = `\`${label}\``;
  return fillIn(own?.prompt.body ?? builtInPrompt(name), { selection: quoted, file: quoted });
}

function nearest(files: readonly PromptFile[], code: vscode.Uri): PromptFile | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(code);
  const isBeside = ({ uri }: PromptFile) => vscode.workspace.getWorkspaceFolder(uri) === folder;
  return files.find((file) => folder !== undefined && isBeside(file)) ?? files[0];
}

/**
 * Lets the user choose a command, and opens its prompt as a file of the library, which starts as a copy of the built-in
 * one.
 */
export async function editCodePrompt(library: PromptLibrary): Promise<void> {
  const files = await library.read();
  const items = CODE_PROMPTS.map((name) => {
    const own = files.find(({ prompt, source }) => prompt.name === name && source !== 'repository');
    const description = own === undefined ? l10n.t('built-in') : l10n.t('modified');
    return { label: describePrompt(name), description, detail: `${name}.md`, name, own };
  });
  const choice = await vscode.window.showQuickPick(items, {
    placeHolder: l10n.t('Which command’s prompt do you want to edit?'),
  });
  if (choice === undefined) return;
  await vscode.window.showTextDocument(choice.own?.uri ?? (await copyBuiltIn(library, choice.name)));
}

async function copyBuiltIn(library: PromptLibrary, name: CodePromptName): Promise<vscode.Uri> {
  const uri = vscode.Uri.joinPath(library.folder, `${name}.md`);
  const text = `---\ndescription: ${describePrompt(name)}\n---\n${builtInPrompt(name)}\n`;
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text, 'utf8'));
  return uri;
}
