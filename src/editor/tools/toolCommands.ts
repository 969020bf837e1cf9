import type { CommandTable } from '../commands/commands.ts';
import { subjectOf } from '../rows/row.ts';
import type { ToolServices } from './toolActions.ts';

/** What they do is loaded when the first of them is called. */
export function toolCommands(services: ToolServices): CommandTable {
  const actions = () => import('./toolActions.ts');
  return {
    'modelAccess.connectTool': { run: async () => (await actions()).connectTool(services) },
    'modelAccess.disconnectTool': { run: async (row) => (await actions()).disconnectTool(services, subjectOf(row)) },
    'modelAccess.reconnectTool': { run: async (row) => (await actions()).reconnectTool(services, subjectOf(row)) },
  };
}
