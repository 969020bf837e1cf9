import type { CommandTable } from '../commands/commands.ts';
import type { JsonDocuments } from '../documents/jsonDocuments.ts';
import type { Settings } from '../settings/settings.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';

/** Commands whose code is loaded when one of them first runs. */
export function balanceCommands(monitor: BalanceMonitor, settings: Settings, documents: JsonDocuments): CommandTable {
  return {
    'modelAccess.showBalance': {
      needsConnection: true,
      run: async () => (await import('./balanceActions.ts')).showBalance(monitor),
    },
    'modelAccess.showBalanceResponse': {
      needsConnection: true,
      run: async () => (await import('./balanceActions.ts')).showBalanceResponse(monitor, documents),
    },
    'modelAccess.refreshBalance': { needsConnection: true, run: () => monitor.refresh() },
    'modelAccess.copyKeyId': {
      needsConnection: true,
      run: async () => (await import('./balanceActions.ts')).copyKeyId(monitor),
    },
    'modelAccess.copyAdministratorRequest': {
      needsConnection: true,
      run: async () => (await import('./balanceActions.ts')).copyAdministratorRequest(monitor),
    },
    'modelAccess.setBalanceWarning': {
      run: async () => (await import('./balanceActions.ts')).setWarning(settings),
    },
  };
}
