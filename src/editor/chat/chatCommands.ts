import * as vscode from 'vscode';
import type { Command, CommandTable } from '../commands/commands.ts';
import type { Lazy } from '../lazy.ts';
import type { ChatSession } from './chatSession.ts';
import type { ContextActions } from './context/contextActions.ts';
import type { Source } from './context/contextChoices.ts';
import type { HistoryActions } from './history/historyActions.ts';
import type { ChatView } from './panel/chatView.ts';
import type { PromptActions } from './prompts/promptActions.ts';

export interface ChatCommandServices {
  readonly session: ChatSession;
  readonly view: ChatView;
  readonly history: Lazy<HistoryActions>;
  readonly prompts: Lazy<PromptActions>;
  readonly context: Lazy<ContextActions>;
}

export function chatCommands(services: ChatCommandServices): CommandTable {
  const { session, view, history, prompts } = services;
  return {
    'modelAccess.openChat': { run: () => view.reveal() },
    'modelAccess.newConversation': { run: () => startNew(services) },
    'modelAccess.openConversation': { run: (id) => openConversation(services, id) },
    'modelAccess.exportConversation': { run: async () => (await history.get()).export() },
    'modelAccess.importConversations': { run: async () => (await history.get()).import() },
    'modelAccess.newPrompt': { run: async () => (await prompts.get()).create() },
    'modelAccess.openPrompt': { run: async () => (await prompts.get()).open() },
    'modelAccess.rebuildHistory': { run: async () => (await history.get()).rebuild() },
    'modelAccess.askAboutSelection': { needsConnection: true, run: () => askAboutSelection(services) },
    'modelAccess.attach': { needsConnection: true, run: () => attachPicked(services) },
    'modelAccess.attachFile': { needsConnection: true, run: (uri, uris) => attachFiles(services, uri, uris) },
    'modelAccess.attachSelection': attachCommand(services, 'selection'),
    'modelAccess.attachOpenEditors': attachCommand(services, 'openFiles'),
    'modelAccess.attachFolder': attachCommand(services, 'folders'),
    'modelAccess.attachImages': attachCommand(services, 'images'),
    'modelAccess.attachFileProblems': attachCommand(services, 'fileProblems'),
    'modelAccess.attachProblems': attachCommand(services, 'problems'),
    'modelAccess.attachChanges': attachCommand(services, 'changes'),
    'modelAccess.attachStagedChanges': attachCommand(services, 'stagedChanges'),
    'modelAccess.attachTerminalSelection': attachCommand(services, 'terminal'),
    'modelAccess.stopAnswer': { run: () => session.answers.stop() },
  };
}

/** The one with this id, or the list to choose from. */
async function openConversation({ session, view }: ChatCommandServices, id: unknown): Promise<void> {
  if (typeof id !== 'string') return view.reveal({ type: 'showHistory' });
  await session.open(id);
  return view.reveal();
}

async function startNew({ session, view }: ChatCommandServices): Promise<void> {
  await session.startNew();
  await view.reveal();
}

/** Attaches the selection and lets the person type the question. */
async function askAboutSelection({ context, view }: ChatCommandServices): Promise<void> {
  const actions = await context.get();
  if (await actions.attachSelection()) await view.reveal();
}

function attachCommand({ context, view }: ChatCommandServices, source: Source): Command {
  const run = async () => {
    const actions = await context.get();
    await actions.attachSource(source);
    await view.reveal();
  };
  return { needsConnection: true, run };
}

async function attachPicked({ context, view }: ChatCommandServices): Promise<void> {
  const actions = await context.get();
  await actions.pick();
  await view.reveal();
}

/** The explorer gives the item that was clicked, and all that are selected; the palette gives nothing. */
async function attachFiles({ context, view }: ChatCommandServices, uri: unknown, uris: unknown): Promise<void> {
  const actions = await context.get();
  const given = (Array.isArray(uris) && uris.length > 0 ? uris : [uri]).filter((one) => one instanceof vscode.Uri);
  if (given.length > 0) await actions.attachUris(given);
  else await actions.attachSource('file');
  await view.reveal();
}
