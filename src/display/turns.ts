/** Texts about the turns of a session. */
import * as l10n from '@vscode/l10n';
import { formatBalance } from './money.ts';

export function turnsText(turns: number): string {
  return turns === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', turns);
}

interface UsedCap {
  /** In US dollars. */
  readonly cap: number;
  readonly spent: number;
  /** The turns so far and their cost in US dollars, which is the measure of those to come. */
  readonly turns: number;
  readonly cost: number;
}

/**
 * What is left of a cap, and for how many turns of average cost: `$0.93 left, about 3 turns`.
 * @returns undefined if nothing is left.
 */
export function capLeftText({ cap, spent, turns, cost }: UsedCap): string | undefined {
  const left = cap - spent;
  if (left <= 0) return undefined;
  const amount = l10n.t('{0} left', formatBalance(left));
  if (turns === 0 || cost === 0) return amount;
  return l10n.t('{0}, about {1}', amount, turnsText(Math.floor((left * turns) / cost)));
}
