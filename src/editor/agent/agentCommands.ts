import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { Approvals } from './approvals.ts';
import { ConfigurePage, type ConfigurePageServices } from './configurePage.ts';

/** @param subscriptions disposed with the extension. */
export function agentCommands(services: ConfigurePageServices, subscriptions: vscode.Disposable[]): CommandTable {
  const page = new ConfigurePage(services);
  subscriptions.push(page);
  return {
    'modelAccess.configureAgent': { run: () => page.open() },
    'modelAccess.showAgentApprovals': { run: () => showApprovals(new Approvals(services.memory)) },
  };
}

/** Lists the approvals of this workspace. Those that the user clears are removed. */
async function showApprovals(approvals: Approvals): Promise<void> {
  const allowed = approvals.list;
  if (allowed.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('Nothing is always allowed in this workspace.'));
    return;
  }
  const items = allowed.map((one) => ({ label: one.pattern, description: kindText(one.kind), picked: true, one }));
  const kept = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: l10n.t('Always allowed for the agent in this workspace'),
    placeHolder: l10n.t('Clear the actions that you want to be asked about again'),
  });
  if (kept === undefined) return;
  for (const item of items) if (!kept.includes(item)) await approvals.forget(item.one.kind, item.one.pattern);
}

function kindText(kind: string): string {
  if (kind === 'command') return l10n.t('command');
  return kind === 'address' ? l10n.t('web address') : l10n.t('tool');
}
