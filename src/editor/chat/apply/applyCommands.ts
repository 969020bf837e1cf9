import type { Command, CommandTable } from '../../commands/commands.ts';
import type { Lazy } from '../../lazy.ts';
import type { ApplyActions } from './applyActions.ts';

/** The buttons of a comparison. They do nothing if none is open. */
export function applyCommands(apply: Lazy<ApplyActions>): CommandTable {
  const command = (run: (actions: ApplyActions) => Promise<void>): Command => ({
    run: async () => run(await apply.get()),
  });
  return {
    'modelAccess.takeChange': command(({ reviews }) => reviews.decide('accepted')),
    'modelAccess.leaveOutChange': command(({ reviews }) => reviews.decide('discarded')),
    'modelAccess.takeAllChanges': command(({ reviews }) => reviews.decideRest('accepted')),
    'modelAccess.leaveOutChanges': command(({ reviews }) => reviews.decideRest('discarded')),
  };
}
