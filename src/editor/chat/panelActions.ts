import * as vscode from 'vscode';
import { FORMAT_NAMES } from '../../formats/conversation.ts';
import type { Settings } from '../settings/settings.ts';
import { attachFile, attachSelection } from './attachments.ts';
import type { ChatSession } from './chatSession.ts';
import type { PanelActions } from './chatView.ts';
import type { NextStep, PanelMessage } from './protocol.ts';

/** Links of an answer open outside the editor, and only these kinds. */
const OPENED_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/** Does what a click in the panel asks for. */
export class ChatPanelActions implements PanelActions {
  readonly #session: ChatSession;
  readonly #settings: Settings;

  constructor(session: ChatSession, settings: Settings) {
    this.#session = session;
    this.#settings = settings;
  }

  receive(message: Exclude<PanelMessage, { type: 'ready' }>): unknown {
    const session = this.#session;
    switch (message.type) {
      case 'send':
        return session.send(message.text);
      case 'stop':
        return session.stop();
      case 'step':
        return this.#takeStep(message.step, message.turnId);
      case 'retryNow':
        return session.retryNow();
      case 'draft':
        return session.setDraft(message.text);
      case 'newConversation':
        return session.startNew();
      case 'chooseModel':
        return this.#settings.setChatModel(message.model);
      case 'chooseFormat':
        return FORMAT_NAMES.includes(message.format) ? this.#settings.setChatFormat(message.format) : undefined;
      case 'refreshCatalog':
        return vscode.commands.executeCommand('modelAccess.refreshModels');
      case 'attach':
        return pickAttachment(session);
      case 'detach':
        return session.detach(message.attachmentId);
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'insertAtCursor':
        return insertAtCursor(message.text);
      case 'openLink':
        return openLink(message.href);
      case 'enterKey':
        return vscode.commands.executeCommand('modelAccess.setServiceKey');
      case 'trySandbox':
        return vscode.commands.executeCommand('modelAccess.trySandbox');
      case 'getKey':
        return vscode.commands.executeCommand('modelAccess.openDashboard');
      case 'openPrivacy':
        return vscode.commands.executeCommand('modelAccess.openPrivacy');
    }
  }

  #takeStep(step: NextStep, turnId: string): unknown {
    switch (step) {
      case 'retry':
        return this.#session.askAgain(turnId);
      case 'continue':
        return this.#session.continueAnswer();
      case 'newConversation':
        return this.#session.startNew();
      default:
        return vscode.commands.executeCommand(STEP_COMMANDS[step]);
    }
  }
}

const STEP_COMMANDS: Readonly<Record<Exclude<NextStep, 'retry' | 'continue' | 'newConversation'>, string>> = {
  setKey: 'modelAccess.setServiceKey',
  addCredit: 'modelAccess.openDashboard',
  chooseModel: 'modelAccess.chooseModel',
  trySandbox: 'modelAccess.trySandbox',
  openSettings: 'modelAccess.openSettings',
  openLog: 'modelAccess.openLog',
};

interface AttachChoice extends vscode.QuickPickItem {
  readonly attach: () => unknown;
}

/** Offers what can go with the question: the selection or file in the editor, or a file of the workspace. */
async function pickAttachment(session: ChatSession): Promise<void> {
  const choice = await vscode.window.showQuickPick(attachChoices(session), { placeHolder: 'Attach to the question' });
  await choice?.attach();
}

function attachChoices(session: ChatSession): AttachChoice[] {
  const editor = vscode.window.activeTextEditor;
  const files: AttachChoice = { label: '$(files) Files…', attach: () => pickFiles(session) };
  if (editor === undefined) return [files];
  const name = vscode.workspace.asRelativePath(editor.document.uri);
  const label = editor.selection.isEmpty ? '$(file-code) Current file' : '$(list-selection) Selection';
  return [{ label, description: name, attach: () => session.attach(attachSelection(editor)) }, files];
}

async function pickFiles(session: ChatSession): Promise<void> {
  const uris = await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: 'Attach' });
  for (const uri of uris ?? []) session.attach(await attachFile(uri));
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) {
    void vscode.window.showInformationMessage('Open a file first: the code goes to its cursor.');
    return;
  }
  const done = await editor.edit((edit) => edit.replace(editor.selection, text));
  if (!done) throw new Error('The editor did not take the text: the file may be read-only.');
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}

async function openLink(href: string): Promise<void> {
  const uri = vscode.Uri.parse(href, true);
  if (!OPENED_SCHEMES.has(uri.scheme)) throw new Error(`Links of this kind are not opened: ${uri.scheme}`);
  await vscode.env.openExternal(uri);
}
