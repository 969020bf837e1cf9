import type { Conversation } from './conversation.ts';
import { isStep } from './entry.ts';

/**
 * The run of the agent that was in progress at a time, in milliseconds since the epoch. The ledger contains a run's
 * first request, but keeps the IDs of questions only as keyed hashes.
 */
export function runAt(conversation: Conversation, at: number): string | undefined {
  const runs = new Set(conversation.all.filter(isStep).map(({ run }) => run));
  const begun = [...runs].map((id) => ({ id, at: conversation.timeOf(id) })).filter((run) => run.at <= at);
  return begun.sort((one, other) => one.at - other.at).at(-1)?.id;
}
