import * as vscode from 'vscode';
import { formatAgo } from '../../display/time.ts';
import type { CommandTable } from '../commands/commands.ts';
import { attachFile, attachSelection } from './attachments.ts';
import type { ChatSession } from './chatSession.ts';
import type { ChatView } from './chatView.ts';
import type { ConversationStore } from './conversation/conversationStore.ts';
import { titleOf } from './conversation/title.ts';

export interface ChatCommandServices {
  readonly session: ChatSession;
  readonly view: ChatView;
  readonly store: ConversationStore;
}

export function chatCommands(services: ChatCommandServices): CommandTable {
  const { session, view } = services;
  return {
    'modelAccess.openChat': { run: () => view.reveal() },
    'modelAccess.newConversation': { run: () => startNew(services) },
    'modelAccess.openConversation': { run: () => openConversation(services) },
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

async function openConversation({ session, view, store }: ChatCommandServices): Promise<void> {
  const now = Date.now();
  const stamps = (await store.stamps()).sort((a, b) => b.writtenAt - a.writtenAt);
  const stored = await Promise.all(stamps.map(({ id }) => store.read(id)));
  const items = stored.flatMap((found) =>
    found?.conversation.title === undefined
      ? []
      : {
          label: titleOf(found.conversation),
          description: formatAgo(now - found.conversation.changedAt),
          id: found.conversation.id,
        },
  );
  if (items.length === 0) {
    void vscode.window.showInformationMessage('No conversations yet.');
    return;
  }
  const choice = await vscode.window.showQuickPick(items, { placeHolder: 'Open a conversation' });
  if (choice === undefined) return;
  await session.open(choice.id);
  await view.reveal();
}

/** @throws when no file is open: there is nothing to work on. */
function activeEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) throw new Error('Open a file and select some code first.');
  return editor;
}
