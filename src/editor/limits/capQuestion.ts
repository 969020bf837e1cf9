import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatBalance, formatEstimate, formatSum } from '../../display/money.ts';
import { ChatCaps } from '../../limits/chatCaps.ts';

/** A chat of the panel whose next question is about to be sent. Amounts are in US dollars. */
export interface CappedChat {
  readonly id: string;
  /** Undefined for a chat that the user sees. */
  readonly title?: string | undefined;
  /** The cost of all answers so far, including those in other branches. */
  readonly spent: number;
  /** The estimated cost of the next request. Undefined if it is unknown. */
  readonly cost: number | undefined;
  /** The cap for each chat from the settings. */
  readonly cap: number;
}

/** Raised caps last until the window closes. */
const caps = new ChatCaps();

/**
 * Warns when a chat reaches 80% of its cap, and asks before a question exceeds it.
 * @returns whether the question may be sent.
 */
export async function capAllows({ id, title, spent, cost, cap: step }: CappedChat): Promise<boolean> {
  const { cap, status } = caps.check({ id, spent, cost: cost ?? 0, cap: step });
  const raise = l10n.t('Raise by {0}', formatBalance(step));
  const amounts = [formatSum(spent), formatBalance(cap)] as const;
  const used =
    title === undefined
      ? l10n.t('This chat has used {0} of its cap of {1}.', ...amounts)
      : l10n.t('The chat “{0}” has used {1} of its cap of {2}.', title, ...amounts);
  if (status === 'passes') {
    const detail = [
      ...(cost === undefined ? [] : [l10n.t('This request costs {0}.', formatEstimate(cost))]),
      l10n.t('If you do not raise the cap, the question stays in the message box.'),
    ].join(' ');
    const choice = await vscode.window.showWarningMessage(used, { modal: true, detail }, raise);
    if (choice === raise) caps.raise(id, cap + step);
    return choice === raise;
  }
  if (status === 'nearlySpent') {
    const left = l10n.t('{0} is left.', formatBalance(Math.max(0, cap - spent)));
    void vscode.window.showWarningMessage(`${used} ${left}`, raise).then((choice) => {
      if (choice === raise) caps.raise(id, cap + step);
    });
  }
  return true;
}
