import { type SpentMoney, sumOf } from '../../pages/chat/spentMoney.ts';
import type { Conversation } from './conversation.ts';
import type { Entry } from './entry.ts';

/** What was paid for all answers and titles of the conversation, also for answers that were removed since. */
export function costOf(conversation: Conversation): SpentMoney {
  const titles = conversation.titleCost === undefined ? [] : [{ cost: conversation.titleCost }];
  return sumOf([...conversation.withRemoved.flatMap((entry) => paidWithHelpers(entry, conversation)), ...titles]);
}

/** What was paid for an answer, and for the helpers that it has started. */
export function paidWithHelpers(entry: Entry, conversation: Conversation): readonly SpentMoney[] {
  return [paidFor(entry), ...conversation.helpersOf(entry.id).map(costOf)];
}

/** What an answer has cost. Empty for a question. */
export function moneyOf(entry: Entry): SpentMoney {
  if (entry.role === 'user' || entry.figures?.cost === undefined) return {};
  return { cost: entry.figures.cost, ...(entry.sandbox && { isSample: true }) };
}

/** What was paid for an answer in its own conversation. Empty for a copy of an answer of another one. */
function paidFor(entry: Entry): SpentMoney {
  const copied = entry.role === 'user' ? undefined : entry.figures?.copiedCost;
  const { cost, ...money } = moneyOf(entry);
  if (cost === undefined || cost === copied) return {};
  return { cost: cost - (copied ?? 0), ...money };
}
