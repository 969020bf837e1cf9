import { type CommandTable, lazyCommands } from '../commands/commands.ts';
import type { Lazy } from '../lazy.ts';
import type { AttachServices } from './attachCommands.ts';
import type { ChatSession } from './chatSession.ts';
import type { HistoryActions } from './history/historyActions.ts';
import type { ChatTabs } from './panel/chatTabs.ts';
import type { PromptActions } from './prompts/promptActions.ts';

export interface ChatCommandServices extends AttachServices {
  readonly session: ChatSession;
  readonly tabs: ChatTabs;
  readonly history: Lazy<HistoryActions>;
  readonly prompts: Lazy<PromptActions>;
}

const ATTACH_COMMANDS = [
  'modelAccess.askAboutSelection',
  'modelAccess.attach',
  'modelAccess.attachFile',
  'modelAccess.attachSelection',
  'modelAccess.attachFileProblems',
  'modelAccess.attachChanges',
  'modelAccess.attachStagedChanges',
  'modelAccess.attachTerminalSelection',
];

export function chatCommands(services: ChatCommandServices): CommandTable {
  const { session, view, tabs, history, prompts } = services;
  const loadAttachCommands = async () => {
    const { attachCommands } = await import('./attachCommands.ts');
    return attachCommands(services);
  };
  return {
    'modelAccess.openChat': { run: () => view.reveal() },
    'modelAccess.newConversation': { run: () => startNew(services) },
    'modelAccess.openConversation': { run: (id, at) => openConversation(services, id, at) },
    'modelAccess.openChatInTab': { needsConnection: true, run: () => tabs.moveFrom(session) },
    'modelAccess.exportConversation': { run: async () => (await history.get()).export() },
    'modelAccess.importConversations': { run: async () => (await history.get()).import() },
    'modelAccess.openPrompt': { run: async () => (await prompts.get()).open() },
    'modelAccess.rebuildHistory': { run: async () => (await history.get()).rebuild() },
    ...lazyCommands(ATTACH_COMMANDS, loadAttachCommands, { needsConnection: true }),
    'modelAccess.stopAnswer': { run: () => session.chat.stop() },
  };
}

/**
 * Opens the conversation with this ID, or the list to choose from.
 * @param at shows the turn of the run that was in progress then, in milliseconds since the epoch.
 */
async function openConversation({ session, view }: ChatCommandServices, id: unknown, at: unknown): Promise<void> {
  if (typeof id !== 'string') return view.reveal({ type: 'showHistory' });
  const isOpen = await session.open(id);
  // A tab shows it, which is in front now.
  if (isOpen && session.chat.conversation.id !== id) return;
  if (typeof at !== 'number' || session.chat.conversation.id !== id) return view.reveal();
  const { runAt } = await import('../../chat/conversation/runAt.ts');
  const turnId = runAt(session.chat.conversation.value, at);
  return view.reveal(turnId === undefined ? undefined : { type: 'showTurn', turnId });
}

async function startNew({ session, view }: ChatCommandServices): Promise<void> {
  await session.startNew();
  await view.reveal();
}
