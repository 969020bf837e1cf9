import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatEstimate, formatSum } from '../../display/money.ts';
import { ChatCaps } from './chatCaps.ts';

/** A chat of the panel whose next question is about to be sent. Amounts are US dollars. */
export interface CappedChat {
  readonly id: string;
  /** What its answers have cost, those of other branches too. */
  readonly spent: number;
  /** What the next request costs, where it can be told. */
  readonly cost: number | undefined;
  /** What the settings allow each chat. */
  readonly cap: number;
}

/** Of this window, as long as it is open. */
const caps = new ChatCaps();

/** Warns from 80 % of a chat's cap on, and asks before it is passed. @returns whether the question may be sent. */
export async function capAllows({ id, spent, cost, cap: step }: CappedChat): Promise<boolean> {
  const { cap, standing } = caps.look({ id, spent, cost: cost ?? 0, cap: step });
  const raise = l10n.t('Raise by {0}', formatBalance(step));
  const used = l10n.t('This chat has used {0} of its cap of {1}.', formatSum(spent), formatBalance(cap));
  if (standing === 'passes') {
    const detail = [
      ...(cost === undefined ? [] : [l10n.t('This request costs {0}.', formatEstimate(cost))]),
      l10n.t('If you do not raise the cap, the question stays in the message box.'),
    ].join(' ');
    const choice = await vscode.window.showWarningMessage(used, { modal: true, detail }, raise);
    if (choice === raise) caps.raise(id, cap + step);
    return choice === raise;
  }
  if (standing === 'nearlySpent') {
    void vscode.window.showWarningMessage(used, raise).then((choice) => {
      if (choice === raise) caps.raise(id, cap + step);
    });
  }
  return true;
}
