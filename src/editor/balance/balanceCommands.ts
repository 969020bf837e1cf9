import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import type { JsonDocuments } from '../documents/jsonDocuments.ts';
import type { Settings } from '../settings/settings.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';
import { figure } from './balanceText.ts';

export function balanceCommands(monitor: BalanceMonitor, settings: Settings, documents: JsonDocuments): CommandTable {
  return {
    'modelAccess.showBalance': { needsConnection: true, run: () => showBalance(monitor, documents) },
    'modelAccess.refreshBalance': { needsConnection: true, run: () => monitor.refresh() },
    'modelAccess.setBalanceWarning': { run: () => setWarning(settings) },
  };
}

async function showBalance(monitor: BalanceMonitor, documents: JsonDocuments): Promise<void> {
  await monitor.refresh();
  const { balance, problem, connection } = monitor.state;
  if (balance === undefined) throw new Error(l10n.t('Could not read the balance. {0}', problem ?? '').trim());
  const parts = [
    ...(connection === 'sandbox' ? [l10n.t('Sandbox')] : []),
    balance.remaining === undefined ? l10n.t('Balance unknown') : l10n.t('{0} left', figure(balance)),
    ...(balance.packageState === undefined ? [] : [l10n.t('package: {0}', balance.packageState)]),
  ];
  const choice = await vscode.window.showInformationMessage(parts.join(' · '), l10n.t('Show Raw Response'));
  if (choice !== undefined) await documents.show('balance', balance.raw);
}

async function setWarning(settings: Settings): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: l10n.t('Warn when the balance falls below'),
    prompt: l10n.t('US dollars'),
    value: String(settings.balanceWarnBelow),
    validateInput: (value) => (readAmount(value) === undefined ? l10n.t('Enter an amount, such as 2.50.') : undefined),
  });
  const amount = text === undefined ? undefined : readAmount(text);
  if (amount !== undefined) await settings.setBalanceWarnBelow(amount);
}

function readAmount(text: string): number | undefined {
  const amount = Number(text.trim().replace(/^\$/, ''));
  return text.trim() !== '' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
