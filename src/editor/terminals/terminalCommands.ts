import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { ensureRunning } from '../gateway/ensureRunning.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { GatewayUpstream } from '../gateway/gatewayUpstream.ts';
import type { Settings } from '../settings/settings.ts';

export function terminalCommands(
  settings: Settings,
  gateway: GatewayController,
  upstream: GatewayUpstream,
): CommandTable {
  return {
    'modelAccess.toggleTerminals': { run: () => toggle(settings, gateway, upstream) },
  };
}

async function toggle(settings: Settings, gateway: GatewayController, upstream: GatewayUpstream): Promise<void> {
  const isOn = !settings.terminalsUseGateway;
  await settings.setTerminalsUseGateway(isOn);
  if (!isOn) {
    vscode.window.setStatusBarMessage(l10n.t('New terminals no longer use the gateway'), 3000);
    return;
  }
  if ((await ensureRunning(gateway, upstream)) !== undefined) {
    vscode.window.setStatusBarMessage(l10n.t('New terminals use the gateway'), 3000);
    return;
  }
  void vscode.window.showInformationMessage(l10n.t('New terminals use the gateway once it is running.'));
}
