import type { Command, CommandTable } from '../commands/commands.ts';
import type { LocalKeyActions, LocalKeyServices } from './localKeyActions.ts';

/** The commands about local keys. Their dialogs are loaded with the first of them. */
export function localKeyCommands(services: LocalKeyServices): CommandTable {
  const command = (name: keyof LocalKeyActions): Command => ({
    run: async (row) => {
      const { localKeyActions } = await import('./localKeyActions.ts');
      await localKeyActions(services)[name](row);
    },
  });
  return {
    'modelAccess.createLocalKey': command('create'),
    'modelAccess.manageLocalKeys': command('manage'),
    'modelAccess.copyGatewayKey': command('copy'),
    'modelAccess.rotateGatewayKey': command('rotate'),
    'modelAccess.showLocalKey': command('show'),
    'modelAccess.changeLocalKey': command('change'),
    'modelAccess.changeKeyBudgets': command('changeBudgets'),
    'modelAccess.revokeLocalKey': command('revoke'),
  };
}
