import * as l10n from '@vscode/l10n';
import { formatSum } from '../../display/money.ts';
import { numberFormat } from '../../display/numberFormat.ts';
import type { UsageCaller, UsageState, UsageSums } from '../../editor/usage/protocol.ts';
import { localKeyName } from '../shared/localKeyName.ts';

/** The name of the caller: a part of the editor, or a tool by its local key. */
export function callerName(
  { source, localKeyId }: Pick<UsageCaller, 'source' | 'localKeyId'>,
  state: UsageState,
): string {
  if (source !== 'gateway') return sourceName(source);
  if (localKeyId === '') return l10n.t('Gateway, without a valid key');
  return localKeyName(localKeyId, state.keyNames);
}

function sourceName(source: string): string {
  switch (source) {
    case 'chatPanel':
      return l10n.t('Chat panel');
    case 'nativeChat':
      return l10n.t('Editor’s chat');
    case 'command':
      return l10n.t('Commands');
    case 'gateway':
      return l10n.t('Gateway');
    default:
      return source;
  }
}

export function modelName(model: string): string {
  return model === '' ? l10n.t('No model specified') : model;
}

/** The cost of a group of exchanges. Without a known price there is no cost, which is not zero. */
export function costText({ cost, unpriced }: Pick<UsageSums, 'cost' | 'unpriced'>): string {
  if (unpriced === 0) return formatSum(cost);
  return cost === 0 ? '–' : `${formatSum(cost)} +`;
}

/** Why a cost is incomplete; undefined if it is complete. */
export function unpricedText({ unpriced }: Pick<UsageSums, 'unpriced'>): string | undefined {
  if (unpriced === 0) return undefined;
  return unpriced === 1
    ? l10n.t('1 request has no known price. Only its tokens are counted.')
    : l10n.t('{0} requests have no known price. Only their tokens are counted.', count(unpriced));
}

/** `1,284` */
export const count = numberFormat();

/** The money of an axis, with as many decimals as its steps need: `$40`, `$0.50`, `$0.00025`. */
export function axisMoney(step: number): (usd: number) => string {
  const decimals = step >= 1 && Number.isInteger(step) ? 0 : Math.max(2, decimalsOf(step));
  const format = numberFormat({ minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  return (usd) => `$${format(usd)}`;
}

/** Steps have two figures at most. */
function decimalsOf(step: number): number {
  const [figures = '', exponent = '0'] = step.toExponential(1).split('e');
  return (figures.endsWith('.0') ? 0 : 1) - Number(exponent);
}
