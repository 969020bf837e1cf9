import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../../display/money.ts';
import type { AnswerFigures } from '../../../pages/chat/protocol.ts';

/**
 * Returns what was paid, and what was paid in the chat that the answers were copied from: `$0.0119`, `$0.034 copied`.
 * @param mark marks an estimated amount.
 */
export function costText(
  { cost, copiedCost = 0 }: Pick<AnswerFigures, 'cost' | 'copiedCost'>,
  mark = (text: string) => text,
): string | undefined {
  if (cost === undefined) return undefined;
  if (copiedCost === 0) return mark(formatMoney(cost));
  const copied = l10n.t('{0} copied', formatMoney(copiedCost));
  return cost === copiedCost ? copied : `${mark(formatMoney(cost - copiedCost))} + ${copied}`;
}
