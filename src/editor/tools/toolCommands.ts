import type { CommandTable } from '../commands/commands.ts';
import { Lazy } from '../lazy.ts';
import { subjectOf } from '../rows/row.ts';
import type { ConnectPageServices } from './connectPage/connectPage.ts';

/** The commands' code is loaded when the first of them is called. */
export function toolCommands(services: ConnectPageServices): CommandTable {
  const page = new Lazy(async () => {
    const { ConnectPage } = await import('./connectPage/connectPage.ts');
    return new ConnectPage(services);
  });
  const actions = () => import('./toolActions.ts');
  const disconnect = {
    run: async (row: unknown) => (await actions()).disconnectTool(services, subjectOf(row)),
  };
  return {
    'modelAccess.connectTool': { run: async () => (await page.get()).open() },
    'modelAccess.disconnectTool': disconnect,
    'modelAccess.disconnectToolOfRow': disconnect,
    'modelAccess.reconnectTool': { run: async (row) => (await actions()).reconnectTool(services, subjectOf(row)) },
  };
}
