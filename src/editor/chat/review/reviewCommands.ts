import type { CommandTable } from '../../commands/commands.ts';
import type { ReviewDecision } from './protocol.ts';
import type { ReviewTab } from './reviewTab.ts';

/** The commands of the review in front. Its page has the keys for single changes. */
export function reviewCommands(tabs: readonly ReviewTab[]): CommandTable {
  const decideAll = (decision: ReviewDecision) => ({
    run: async () => tabs.find(({ isActive }) => isActive)?.receive({ type: 'decideAll', decision }),
  });
  return {
    'modelAccess.acceptAllChanges': decideAll('accepted'),
    'modelAccess.discardAllChanges': decideAll('discarded'),
  };
}
