import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { administratorRequest } from '../../display/teamBudget.ts';
import type { TeamAccount } from '../../rules/teamAccount.ts';
import { numberIn } from '../../rules/typedNumber.ts';
import type { Balance } from '../../service/balance.ts';
import type { JsonDocuments } from '../documents/jsonDocuments.ts';
import { copyText } from '../doneMessage.ts';
import type { Settings } from '../settings/settings.ts';
import type { BalanceMonitor } from './balanceMonitor.ts';
import { figure } from './balanceText.ts';

export async function showBalance(monitor: BalanceMonitor): Promise<void> {
  const balance = await readNow(monitor);
  const parts = [
    ...(monitor.state.connection === 'sandbox' ? [l10n.t('Sandbox')] : []),
    balance.remaining === undefined ? l10n.t('Balance unknown') : l10n.t('{0} left', figure(balance)),
  ];
  const open = l10n.t('Open Usage');
  const choice = await vscode.window.showInformationMessage(parts.join(' · '), open);
  if (choice === open) await vscode.commands.executeCommand('modelAccess.openUsage');
}

/** Shows the service's own answer. */
export async function showBalanceResponse(monitor: BalanceMonitor, documents: JsonDocuments): Promise<void> {
  await documents.show('balance', (await readNow(monitor)).raw);
}

/** @throws {Error} if the balance has never been read. */
async function readNow(monitor: BalanceMonitor): Promise<Balance> {
  await monitor.refresh();
  const { balance, problem } = monitor.state;
  if (balance === undefined) throw new Error(l10n.t('Could not read the balance. {0}', problem ?? '').trim());
  return balance;
}

/** For the administrator of a team's gateway. The ID reveals nothing of the key. */
export async function copyKeyId(monitor: BalanceMonitor): Promise<void> {
  await copyText((await accountOf(monitor)).key.id, l10n.t('Key ID copied'));
}

export async function copyAdministratorRequest(monitor: BalanceMonitor): Promise<void> {
  const account = await accountOf(monitor);
  const request = administratorRequest(account, monitor.state.host ?? '');
  await copyText(request, l10n.t('Request for the administrator copied'));
}

/** @throws {Error} if the key does not belong to a team's gateway. */
async function accountOf(monitor: BalanceMonitor): Promise<TeamAccount> {
  await monitor.refresh();
  const account = monitor.state.balance?.team;
  if (account === undefined) throw new Error(l10n.t('The service key does not belong to a team’s gateway.'));
  return account;
}

export async function setWarning(settings: Settings): Promise<void> {
  const text = await vscode.window.showInputBox({
    title: l10n.t('Warn when the balance falls below'),
    prompt: l10n.t('US dollars'),
    value: String(settings.balanceWarnBelow),
    validateInput: (value) => (readAmount(value) === undefined ? l10n.t('Enter an amount, such as 2.50.') : undefined),
  });
  const amount = text === undefined ? undefined : readAmount(text);
  if (amount !== undefined) await settings.set('balance.warnBelow', amount);
}

function readAmount(text: string): number | undefined {
  const amount = numberIn(text);
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
