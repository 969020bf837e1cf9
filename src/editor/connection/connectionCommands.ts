import type { CommandTable } from '../commands/commands.ts';
import type { Settings } from '../settings/settings.ts';
import type { ConnectionManager } from './connectionManager.ts';
import type { SandboxServices } from './sandboxMenu.ts';

export function connectionCommands(
  connection: ConnectionManager,
  settings: Settings,
  sandbox: SandboxServices,
): CommandTable {
  return {
    'modelAccess.trySandbox': { run: () => switchSandbox(connection, settings, true) },
    'modelAccess.leaveSandbox': { run: () => switchSandbox(connection, settings, false) },
    'modelAccess.sandboxMenu': { run: async () => (await import('./sandboxMenu.ts')).openSandboxMenu(sandbox) },
  };
}

async function switchSandbox(connection: ConnectionManager, settings: Settings, enabled: boolean): Promise<void> {
  await settings.set('sandbox.enabled', enabled);
  await connection.refresh();
  const { current } = connection;
  if (current.kind === 'none' && current.problem !== undefined) throw new Error(current.problem);
}

/** Offers the ways to connect, for commands that need a connection. */
export async function offerConnection(): Promise<void> {
  await (await import('./connectionOffers.ts')).askToConnect();
}

/** Offers the same ways in a quick pick, for places where the user chooses models. */
export async function chooseConnection(): Promise<void> {
  await (await import('./connectionOffers.ts')).pickConnection();
}
