import * as l10n from '@vscode/l10n';
import { formatSum } from '../../display/money.ts';
import type { UsageSums } from '../../editor/usage/protocol.ts';

export function modelName(model: string): string {
  return model === '' ? l10n.t('No model named') : model;
}

/** What a sum of exchanges cost. Where no price is known there is none, which is not nothing. */
export function costText({ cost, unpriced }: Pick<UsageSums, 'cost' | 'unpriced'>): string {
  if (unpriced === 0) return formatSum(cost);
  return cost === 0 ? '–' : `${formatSum(cost)} +`;
}

/** Why a cost is not the whole of it; undefined when it is. */
export function unpricedText({ unpriced }: Pick<UsageSums, 'unpriced'>): string | undefined {
  if (unpriced === 0) return undefined;
  return unpriced === 1
    ? l10n.t('1 request has no known price: only its tokens count.')
    : l10n.t('{0} requests have no known price: only their tokens count.', count(unpriced));
}

const GROUPED = new Intl.NumberFormat('en-US');

/** `1,284` */
export function count(value: number): string {
  return GROUPED.format(value);
}
