import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ChatHostMessage } from '../../../pages/chat/protocol.ts';
import type { WorkspaceFileFinder } from '../../files/workspaceFile.ts';
import type { Lazy } from '../../lazy.ts';
import type { ApplyActions } from '../apply/applyActions.ts';
import type { Chat } from '../chat.ts';
import { type KnownApprovals, TerminalCode } from './terminalCode.ts';

/** Links in an answer open outside the editor, and only with these schemes. */
const OPENED_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

interface ReadingServices {
  readonly apply: Lazy<ApplyActions>;
  readonly files: WorkspaceFileFinder;
  readonly approvals: Lazy<KnownApprovals>;
}

export type ReadingMessage = Extract<
  ChatPanelMessage,
  {
    type:
      | 'copy'
      | 'insertAtCursor'
      | 'replaceSelection'
      | 'applyCode'
      | 'runInTerminal'
      | 'insertInTerminal'
      | 'newFile'
      | 'openLink'
      | 'findFiles'
      | 'openFile'
      | 'loadDiagrams';
  }
>;

/** The actions on the contents of an answer: its code, links, and diagrams. */
export class ReadingActions implements vscode.Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #apply: Lazy<ApplyActions>;
  readonly #files: WorkspaceFileFinder;
  readonly #terminal: TerminalCode;
  readonly #post: (message: ChatHostMessage) => void;

  constructor(
    extensionUri: vscode.Uri,
    { apply, files, approvals }: ReadingServices,
    post: (message: ChatHostMessage) => void,
  ) {
    this.#extensionUri = extensionUri;
    this.#apply = apply;
    this.#files = files;
    this.#terminal = new TerminalCode(approvals);
    this.#post = post;
  }

  /** @param chat the chat with the answer. */
  receive(message: ReadingMessage, chat: Chat): unknown {
    switch (message.type) {
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'insertAtCursor':
        return insertAtCursor(message.text);
      case 'replaceSelection':
        return replaceSelection(message.text);
      case 'applyCode':
        return this.#apply.get().then((apply) => apply.apply(chat, message.text, message.paths, message.language));
      case 'runInTerminal':
        return this.#terminal.run(message.text, chat.id);
      case 'insertInTerminal':
        return this.#terminal.insert(message.text);
      case 'newFile':
        return openNewFile(message.text, message.language);
      case 'openLink':
        return openLink(message.href);
      case 'findFiles':
        return this.#findFiles(message.paths);
      case 'openFile':
        return this.#openFile(message);
      case 'loadDiagrams':
        return this.#loadDiagrams();
    }
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  async #findFiles(paths: readonly string[]): Promise<void> {
    const found = await Promise.all(paths.map((path) => this.#files.find(path)));
    this.#post({ type: 'files', found: paths.filter((_, index) => found[index] !== undefined) });
  }

  async #openFile({ path, line, endLine = line }: Extract<ChatPanelMessage, { type: 'openFile' }>): Promise<void> {
    const uri = await this.#files.find(path);
    if (uri === undefined) throw new Error(l10n.t('The file {0} no longer exists.', path));
    const selection =
      line === undefined || endLine === undefined
        ? undefined
        : new vscode.Range(line - 1, 0, endLine - 1, endLine > line ? Number.MAX_SAFE_INTEGER : 0);
    await vscode.commands.executeCommand('vscode.open', uri, { ...(selection && { selection }) });
  }

  async #loadDiagrams(): Promise<void> {
    this.#post({ type: 'diagrams', code: await readDiagramCode(this.#extensionUri) });
  }
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = editorOfPerson();
  if (editor === undefined) {
    void vscode.window.showInformationMessage(l10n.t('Open a file first. The code is inserted at its cursor.'));
    return;
  }
  await replace(editor, new vscode.Range(editor.selection.active, editor.selection.active), text);
}

async function replaceSelection(text: string): Promise<void> {
  const editor = editorOfPerson();
  if (editor === undefined || editor.selection.isEmpty) {
    void vscode.window.showInformationMessage(l10n.t('Select the text to replace in a file first.'));
    return;
  }
  await replace(editor, editor.selection, await fitted(text, editor));
}

/** Code that replaces whole lines gets their indentation and their line end. */
async function fitted(text: string, { document, selection: { start, end } }: vscode.TextEditor): Promise<string> {
  const line = document.lineAt(start.line).text;
  const before = line.slice(0, start.character);
  if (before.trim() !== '') return text;
  const { reindent } = await import('../../../chat/apply/indentation.ts');
  const lines = text.split('\n');
  const [first = '', ...rest] = reindent(lines, [{ line, code: lines[0] ?? '' }]);
  const ends = end.character === 0 && end.line > start.line && !text.endsWith('\n') ? '\n' : '';
  return [first.slice(before.length), ...rest].join('\n') + ends;
}

function editorOfPerson(): vscode.TextEditor | undefined {
  return vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
}

async function replace(editor: vscode.TextEditor, range: vscode.Range, text: string): Promise<void> {
  const done = await editor.edit((edit) => edit.replace(range, text));
  if (!done) throw new Error(l10n.t('The editor could not apply the edit. The file may be read-only.'));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

/** Language names in answers for which the editor uses another name. */
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
  if (!OPENED_SCHEMES.has(uri.scheme)) throw new Error(l10n.t('Links of this type cannot be opened: {0}', uri.scheme));
  await vscode.env.openExternal(uri);
}

/** Reads the script that renders diagrams. It is compressed, because it makes up a quarter of the package. */
async function readDiagramCode(extensionUri: vscode.Uri): Promise<string> {
  const { fsPath } = vscode.Uri.joinPath(extensionUri, 'dist', 'panels', 'diagrams.br');
  return (await promisify(brotliDecompress)(await readFile(fsPath))).toString('utf8');
}
