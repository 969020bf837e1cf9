import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { attachFile, attachSelection } from './attachments.ts';
import type { ChatSession } from './chatSession.ts';
import type { ChatView } from './chatView.ts';
import type { HistoryActions } from './history/historyActions.ts';
import type { PromptActions } from './prompts/promptActions.ts';

export interface ChatCommandServices {
  readonly session: ChatSession;
  readonly view: ChatView;
  readonly history: HistoryActions;
  readonly prompts: PromptActions;
}

export function chatCommands(services: ChatCommandServices): CommandTable {
  const { session, view, history, prompts } = services;
  return {
    'modelAccess.openChat': { run: () => view.reveal() },
    'modelAccess.newConversation': { run: () => startNew(services) },
    'modelAccess.openConversation': { run: () => view.reveal({ type: 'showHistory' }) },
    'modelAccess.exportConversation': { run: () => history.export() },
    'modelAccess.importConversations': { run: () => history.import() },
    'modelAccess.newPrompt': { run: () => prompts.create() },
    'modelAccess.openPrompt': { run: () => prompts.open() },
    'modelAccess.rebuildHistory': { run: () => history.rebuild() },
    'modelAccess.askAboutSelection': { needsConnection: true, run: () => askAboutSelection(services) },
    'modelAccess.explainSelection': { needsConnection: true, run: () => explainSelection(services) },
    'modelAccess.attachFile': { needsConnection: true, run: (uri) => attach(services, uri) },
    'modelAccess.stopAnswer': { run: () => session.stop() },
  };
}

async function startNew({ session, view }: ChatCommandServices): Promise<void> {
  await session.startNew();
  await view.reveal();
}

/** Attaches the selection and lets the person type the question. */
async function askAboutSelection({ session, view }: ChatCommandServices): Promise<void> {
  session.composition.attach(attachSelection(activeEditor()));
  await view.reveal();
}

async function explainSelection({ session, view }: ChatCommandServices): Promise<void> {
  const editor = activeEditor();
  if (session.isAnswering) throw new Error('An answer is under way. Stop it first, or wait for its end.');
  const what = editor.selection.isEmpty ? 'this file' : 'this code';
  session.composition.attach(attachSelection(editor));
  await view.reveal();
  await session.turns.send(`Explain ${what}: what it does, how, and what to watch out for.`);
}

async function attach({ session, view }: ChatCommandServices, uri: unknown): Promise<void> {
  session.composition.attach(uri instanceof vscode.Uri ? await attachFile(uri) : attachSelection(activeEditor()));
  await view.reveal();
}

/** @throws when no file is open: there is nothing to work on. */
function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('Open a file and select some code first.');
  return editor;
}
