import type { Command, CommandTable } from '../commands/commands.ts';
import type { KeyActions, KeyCommandServices } from './keyActions.ts';

/** The commands for the service key. Their dialogs are loaded with the first command. */
export function keyCommands(services: KeyCommandServices): CommandTable {
  const command = (name: keyof KeyActions): Command => ({
    run: async () => {
      const { keyActions } = await import('./keyActions.ts');
      await keyActions(services)[name]();
    },
  });
  return {
    'modelAccess.setServiceKey': command('set'),
    'modelAccess.showServiceKey': command('show'),
    'modelAccess.removeServiceKey': command('remove'),
    'modelAccess.openDashboard': command('openDashboard'),
  };
}
