import { asSample, formatSum } from '../../../display/money.ts';
import type { ChatState } from '../../../editor/chat/protocol.ts';

/** Formats the sum of a run. Amounts of the sandbox are marked as samples. */
export function runMoney(usd: number, { connection }: Pick<ChatState, 'connection'>): string {
  return connection === 'sandbox' ? asSample(formatSum(usd)) : formatSum(usd);
}
