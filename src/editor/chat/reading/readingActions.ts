import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HostMessage, PanelMessage } from '../protocol.ts';
import { readDiagramCode } from './diagramCode.ts';

/** Links of an answer open outside the editor, and only these kinds. */
const OPENED_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

export type ReadingMessage = Extract<
  PanelMessage,
  { type: 'copy' | 'insertAtCursor' | 'newFile' | 'openLink' | 'loadDiagrams' }
>;

/** What can be done with what an answer holds: its code, its links, its diagrams. */
export class ReadingActions {
  readonly #extensionUri: vscode.Uri;
  readonly #post: (message: HostMessage) => void;

  constructor(extensionUri: vscode.Uri, post: (message: HostMessage) => void) {
    this.#extensionUri = extensionUri;
    this.#post = post;
  }

  receive(message: ReadingMessage): unknown {
    switch (message.type) {
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'insertAtCursor':
        return insertAtCursor(message.text);
      case 'newFile':
        return openNewFile(message.text, message.language);
      case 'openLink':
        return openLink(message.href);
      case 'loadDiagrams':
        return this.#loadDiagrams();
    }
  }

  async #loadDiagrams(): Promise<void> {
    this.#post({ type: 'diagrams', code: await readDiagramCode(this.#extensionUri) });
  }
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) {
    void vscode.window.showInformationMessage(l10n.t('Open a file first: the code goes to its cursor.'));
    return;
  }
  const done = await editor.edit((edit) => edit.replace(editor.selection, text));
  if (!done) throw new Error(l10n.t('The editor did not take the text: the file may be read-only.'));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** Names of languages in answers that the editor knows under another name. */
const EDITOR_LANGUAGES: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c++': 'cpp',
  cs: 'csharp',
  js: 'javascript',
  jsx: 'javascriptreact',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
};

async function openNewFile(content: string, name: string): Promise<void> {
  const language = EDITOR_LANGUAGES[name] ?? name;
  const isKnown = (await vscode.languages.getLanguages()).includes(language);
  const document = await vscode.workspace.openTextDocument({ content, ...(isKnown && { language }) });
  await vscode.window.showTextDocument(document);
}

async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (!OPENED_SCHEMES.has(uri.scheme)) throw new Error(l10n.t('Links of this kind are not opened: {0}', uri.scheme));
  await vscode.env.openExternal(uri);
}
