import * as vscode from 'vscode';
import { formatAgo } from '../../display/time.ts';
import type { BalanceState } from './balanceMonitor.ts';
import { figure, money } from './balanceText.ts';

const COMMANDS = {
  refresh: 'modelAccess.refreshBalance',
  raw: 'modelAccess.showBalance',
  dashboard: 'modelAccess.openDashboard',
  leaveSandbox: 'modelAccess.leaveSandbox',
  setKey: 'modelAccess.setServiceKey',
  trySandbox: 'modelAccess.trySandbox',
  warning: 'modelAccess.setBalanceWarning',
} as const;

/** Details of the balance with what can be done about it. `now` in milliseconds since the epoch. */
export function balanceHover(state: BalanceState, now: number): vscode.MarkdownString {
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: Object.values(COMMANDS) };
  if (state.connection === 'none') {
    text.appendMarkdown('**Model Access** is not connected.\n\n');
    text.appendMarkdown(links(['Set service key', COMMANDS.setKey], ['Try the sandbox', COMMANDS.trySandbox]));
    return text;
  }
  const title = state.connection === 'sandbox' ? 'Model Access, sandbox' : 'Model Access';
  text.appendMarkdown(`**${title}**${checked(state, now)}\n\n`);
  text.appendMarkdown(`${rows(state).join('\n\n')}\n\n---\n\n`);
  text.appendMarkdown(actions(state));
  return text;
}

function rows({ connection, balance, problem }: BalanceState): string[] {
  const granted = balance?.granted === undefined ? '' : ` left of ${money(balance.granted, balance.currency)}`;
  const parcel = [balance?.packageName, balance?.packageState].filter((part) => part !== undefined);
  return [
    `**${escapeMarkdown(figure(balance))}**${granted}`,
    ...(parcel.length === 0 ? [] : [`Package: ${escapeMarkdown(parcel.join(', '))}`]),
    ...(balance?.others ?? []).map(({ amount, currency }) => escapeMarkdown(money(amount, currency))),
    ...(connection === 'sandbox' ? ['Sample answers on this machine. Nothing is charged.'] : []),
    ...(problem === undefined ? [] : [`$(warning) Could not be read: ${escapeMarkdown(problem)}`]),
  ];
}

function actions({ connection, balance }: BalanceState): string {
  const raw = ['Raw answer', COMMANDS.raw] as const;
  const refresh = ['Refresh', COMMANDS.refresh] as const;
  if (connection === 'sandbox') return links(refresh, raw, ['Leave the sandbox', COMMANDS.leaveSandbox]);
  const known = balance?.remaining !== undefined;
  return links(
    ['Add credit', COMMANDS.dashboard],
    refresh,
    ...(known ? [['Set a warning', COMMANDS.warning] as const] : []),
    raw,
  );
}

function links(...entries: readonly (readonly [label: string, command: string])[]): string {
  return entries.map(([label, command]) => `[${label}](command:${command})`).join(' &nbsp;&nbsp; ');
}

function checked({ readAt }: BalanceState, now: number): string {
  return readAt === undefined ? '' : ` &nbsp; checked ${formatAgo(now - readAt)}`;
}

/** Words of the service never become markup or command links. */
function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>~$&]/g, '\\$&');
}
