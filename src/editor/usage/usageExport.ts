import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ContextLine } from '../../ledger/contextSums.ts';
import type { UsageLine } from '../../ledger/usage.ts';
import { branchCostText } from '../../pages/usage/branchCostText.ts';
import type { ExportFormat, UsageState } from '../../pages/usage/protocol.ts';
import { contextCsv, usageCsv } from '../../pages/usage/usageCsv.ts';
import type { BaseServices } from '../baseServices.ts';
import { copyText } from '../doneMessage.ts';
import { startGit } from '../git/gitApi.ts';
import { currentBranch } from '../git/workBranch.ts';
import type { UsageServices } from './usageServices.ts';

const FILTERS: Readonly<Record<ExportFormat, Record<string, string[]>>> = {
  csv: { CSV: ['csv'] },
  json: { JSON: ['json'] },
};

/** What is exported, and how. */
export interface UsageExport {
  readonly format: ExportFormat;
  /** Whether a table has what filled contexts. JSON has both. */
  readonly isOfContexts: boolean;
}

/**
 * Asks for a file, and writes the period's sums: one line per day, source, local key, client, model, upstream, and
 * conversation; or one per client and part of their contexts.
 */
export async function exportUsage(
  { format, isOfContexts }: UsageExport,
  { period, connection, keyNames, conversationTitles }: UsageState,
  { worker, ledger }: UsageServices,
): Promise<void> {
  const isContextTable = format === 'csv' && isOfContexts;
  const subject = isContextTable ? 'contexts' : 'usage';
  const name = `model-access-${subject}-${period.first}-${period.last}.${format}`;
  const target = await vscode.window.showSaveDialog({ filters: FILTERS[format], defaultUri: suggestion(name) });
  if (target === undefined) return;
  const question = { ledger, period, ofSandbox: connection === 'sandbox' };
  const readLines = () => worker.rpc.readLedger('usageLines', question);
  const readContexts = () => worker.rpc.readLedger('usageContext', question);
  const text = isContextTable
    ? contextCsv(await readContexts())
    : format === 'csv'
      ? usageCsv(await readLines(), { keyNames, conversationTitles })
      : usageJson(await readLines(), period, await readContexts());
  await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
  const show = l10n.t('Open');
  const choice = await vscode.window.showInformationMessage(l10n.t('Usage exported to {0}.', name), show);
  if (choice === show) await vscode.window.showTextDocument(target);
}

function suggestion(name: string): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return folder === undefined ? vscode.Uri.file(name) : vscode.Uri.joinPath(folder, name);
}

function usageJson(
  lines: readonly UsageLine[],
  period: UsageState['period'],
  contexts: readonly ContextLine[],
): string {
  return `${JSON.stringify({ period, currency: 'USD', lines, contexts }, undefined, 2)}\n`;
}

type BranchCostServices = Pick<BaseServices, 'connection' | 'ledger' | 'settings' | 'worker'>;

/**
 * Copies what all recorded requests of the current branch have cost, as a sentence and as a Git trailer.
 * @throws if there is no repository, or no request with a known price.
 */
export async function copyBranchCost(services: BranchCostServices): Promise<void> {
  const { worker, ledger, connection, settings } = services;
  await startGit();
  const work = currentBranch();
  if (work === undefined) throw new Error(l10n.t('The open file is not in a Git repository.'));
  const ofSandbox = connection.open?.kind === 'sandbox';
  const cost = await worker.rpc.readLedger('branchCost', { ledger, ...work, ofSandbox });
  const name = work.branch ?? work.repository;
  if (cost.exchanges === 0) throw new Error(noRequests(name, settings.recordsBranch));
  if (cost.unpriced === cost.exchanges) throw new Error(l10n.t('No request of {0} has a known price.', name));
  const text = branchCostText(name, cost, ofSandbox);
  await copyText(text, l10n.t('Copied: {0}', text.split('\n')[0] ?? ''));
}

function noRequests(name: string, isRecorded: boolean): string {
  if (isRecorded) return l10n.t('No requests of {0} were recorded.', name);
  return l10n.t('No requests of {0} were recorded, because modelAccess.usage.recordBranch is turned off.', name);
}
