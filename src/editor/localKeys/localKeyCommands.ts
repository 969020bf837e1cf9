import type { Command, CommandTable } from '../commands/commands.ts';
import { Lazy } from '../lazy.ts';
import type { EditedKey, KeyPageServices } from './keyPage/keyPage.ts';
import type { LocalKeyActions, LocalKeyServices } from './localKeyActions.ts';

/** The commands for local keys. Their dialogs and the page that creates a key are loaded with the first command. */
export function localKeyCommands(services: Omit<LocalKeyServices, 'openKeyPage'> & KeyPageServices): CommandTable {
  const pageFor = (purpose: 'create' | 'change') =>
    new Lazy(async () => {
      const { KeyPage } = await import('./keyPage/keyPage.ts');
      return new KeyPage(services, purpose);
    });
  const pages = { create: pageFor('create'), change: pageFor('change') };
  const openKeyPage = async (edited?: EditedKey) => {
    const page = await pages[edited === undefined ? 'create' : 'change'].get();
    await page.open(edited);
  };
  const command = (name: keyof LocalKeyActions): Command => ({
    run: async (row) => {
      const { localKeyActions } = await import('./localKeyActions.ts');
      await localKeyActions({ ...services, openKeyPage })[name](row);
    },
  });
  return {
    'modelAccess.createLocalKey': { run: () => openKeyPage() },
    'modelAccess.manageLocalKeys': command('manage'),
    'modelAccess.copyGatewayKey': command('copy'),
    'modelAccess.rotateGatewayKey': command('rotate'),
    'modelAccess.showLocalKey': command('show'),
    'modelAccess.changeLocalKey': command('change'),
    'modelAccess.changeKeyBudgets': command('changeBudgets'),
    'modelAccess.revokeLocalKey': command('revoke'),
  };
}
