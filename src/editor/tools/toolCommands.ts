import type { CommandTable } from '../commands/commands.ts';
import { Lazy } from '../lazy.ts';
import { subjectOf } from '../rows/row.ts';
import type { ConnectPageServices } from './connectPage/connectState.ts';

const DISCONNECT = 'modelAccess.disconnectTool';

/**
 * The commands' code is loaded when the first of them is called. A menu cannot name the tool of its row, so that each tool
 * has a command.
 * @param commands those of the manifest.
 */
export function toolCommands(
  services: ConnectPageServices,
  commands: readonly { readonly command: string }[],
): CommandTable {
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
    ...Object.fromEntries(
      commands.filter(({ command }) => command.startsWith(DISCONNECT)).map(({ command }) => [command, disconnect]),
    ),
    'modelAccess.reconnectTool': { run: async (row) => (await actions()).reconnectTool(services, subjectOf(row)) },
  };
}
