import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { branchCostText } from '../../pages/usage/branchCostText.ts';
import type { BaseServices } from '../baseServices.ts';
import { startGit } from '../git/gitApi.ts';
import { currentBranch } from '../git/workBranch.ts';

export type BranchCostServices = Pick<BaseServices, 'connection' | 'ledger' | 'settings' | 'worker'>;

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
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(l10n.t('Copied: {0}', text.split('\n')[0] ?? ''), 5000);
}

function noRequests(name: string, isRecorded: boolean): string {
  if (isRecorded) return l10n.t('No requests of {0} were recorded.', name);
  return l10n.t('No requests of {0} were recorded, because modelAccess.usage.recordBranch is turned off.', name);
}
