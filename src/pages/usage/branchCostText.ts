import * as l10n from '@vscode/l10n';
import { language } from '../../display/language.ts';
import { asSample, formatSum } from '../../display/money.ts';
import { numberFormat } from '../../display/numberFormat.ts';
import { approximately, formatTokens } from '../../display/tokens.ts';
import type { BranchCost } from '../../ledger/sessionUsage.ts';

const count = numberFormat();

/** Spaces that keep an amount on one line. Other programs would not find a text with them. */
const NO_BREAKS = /[\u00a0\u2009\u202f]/g;

/**
 * Returns a sentence about the cost of a branch, and a line in the form of a Git trailer.
 * @param name of the branch.
 * @param cost of at least one request with a known price.
 */
export function branchCostText(name: string, cost: BranchCost, isSample: boolean): string {
  const sum = cost.estimated > 0 && cost.cost > 0 ? approximately(formatSum(cost.cost)) : formatSum(cost.cost);
  const amount = isSample ? asSample(sum) : sum;
  return `${sentence(name, cost, amount)}\nModel-Cost: ${amount}`.replace(NO_BREAKS, ' ');
}

function sentence(name: string, { exchanges, unpriced, at, ...cost }: BranchCost, amount: string): string {
  const tokens = formatTokens(cost.inputTokens + cost.outputTokens);
  const day = new Intl.DateTimeFormat(language(), { dateStyle: 'long' }).format(at);
  const text =
    exchanges === 1
      ? l10n.t('{0}: {1} for 1 request with {2} tokens since {3}', name, amount, tokens, day)
      : l10n.t('{0}: {1} for {2} requests with {3} tokens since {4}', name, amount, count(exchanges), tokens, day);
  return unpriced === 0 ? text : l10n.t('{0} (without a known price: {1})', text, count(unpriced));
}
