import type { ChatSession } from '../chat/chatSession.ts';
import type { CommandTable } from '../commands/commands.ts';
import type { CopyServices } from './copyAs.ts';

export function copyCommands(services: CopyServices & { readonly session: ChatSession }): CommandTable {
  const run = async () => {
    const { copyConversation } = await import('./copyConversation.ts');
    await copyConversation(services.session, services);
  };
  return { 'modelAccess.copyConversationAs': { needsConnection: true, run } };
}
