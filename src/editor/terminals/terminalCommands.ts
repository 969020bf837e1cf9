import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';
import type { CommandTable } from '../commands/commands.ts';
import { showDone } from '../doneMessage.ts';
import { ensureRunning } from '../gateway/ensureRunning.ts';
import type { Lazy } from '../lazy.ts';
import type { TerminalEnvironment } from './terminalEnvironment.ts';

export interface TerminalCommandServices extends Pick<BaseServices, 'gateway' | 'settings' | 'upstream'> {
  readonly terminals: Lazy<TerminalEnvironment>;
}

export function terminalCommands(services: TerminalCommandServices): CommandTable {
  return {
    'modelAccess.toggleTerminals': { run: () => toggle(services) },
  };
}

async function toggle({ settings, gateway, upstream, terminals }: TerminalCommandServices): Promise<void> {
  const isOn = !settings.terminalsUseGateway;
  await settings.set('terminals.useGateway', isOn);
  const isRunning = isOn && (await ensureRunning(gateway, upstream)) !== undefined;
  // The messages say what the next terminal has.
  await (await terminals.get()).settled;
  if (isOn && !isRunning) {
    void vscode.window.showInformationMessage(l10n.t('New terminals use the gateway once it is running.'));
    return;
  }
  showDone(isOn ? l10n.t('New terminals use the gateway') : l10n.t('New terminals no longer use the gateway'));
}
