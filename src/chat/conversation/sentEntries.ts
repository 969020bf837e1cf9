import { type Entry, isSummary } from './entry.ts';

/**
 * What is sent of these entries: after a summary, the question of its run with that summary, and what follows it. The
 * summary covers everything before it, including earlier questions.
 */
export function sentEntries(entries: readonly Entry[]): readonly Entry[] {
  const summary = entries.findLast(isSummary);
  const question = entries.find(({ id }) => id === summary?.run);
  if (summary === undefined || question?.role !== 'user') return entries;
  const text = `${question.text}\n\nYou have worked on this already. A summary of the work so far:\n\n${summary.text}`;
  return [{ ...question, text }, ...entries.slice(entries.indexOf(summary) + 1)];
}
