/** Reads a run of the agent from a conversation's records. */

import type { Conversation } from '../chat/conversation/conversation.ts';
import { paidWithHelpers } from '../chat/conversation/conversationCost.ts';
import { type Entry, isStep } from '../chat/conversation/entry.ts';
import type { RunProperties } from '../chat/conversation/record.ts';
import type { AnswerTurn, ReplacedSteps, ToolCallView } from '../pages/chat/protocol.ts';
import { type SpentMoney, sumOf } from '../pages/chat/spentMoney.ts';
import { isRunning } from '../rules/answer.ts';

/** The steps of a run on these entries, in order. */
export function stepsOf(entries: readonly Entry[], run: string): readonly AnswerTurn[] {
  return entries.filter((entry): entry is AnswerTurn => isStep(entry) && entry.run === run);
}

/**
 * The run that continues at the end of these entries: the run of their last step, or that of the step before the last
 * question if the question was asked during the run, or is a hint after a loop. Otherwise the question begins a run of
 * its own.
 */
export function runAtEnd(entries: readonly Entry[], propertiesOf: (id: string) => RunProperties | undefined) {
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  if (isStep(last)) return last.run;
  const before = entries.at(-2);
  if (isStep(before)) {
    const { state, loop } = propertiesOf(before.run) ?? {};
    if (state === 'running' || (loop !== undefined && loop !== null)) return before.run;
  }
  return last.role === 'user' ? last.id : undefined;
}

/** The run that answered last on the path shown; undefined if the last answer is not of a run. */
export function lastRun({ entries }: Conversation): string | undefined {
  const last = entries.findLast(({ role }) => role === 'assistant');
  return isStep(last) ? last.run : undefined;
}

/**
 * What was paid for all steps, including those of other branches and those that were replaced, in US dollars. 0 for a
 * copy of a run that was paid in another chat. Undefined if no price is known.
 */
export function spentOn(conversation: Conversation, run: string): number | undefined {
  return spentMoneyOn(conversation, run).cost;
}

/** Like {@link spentOn}, and whether it is the sandbox's sample money. */
export function spentMoneyOn(conversation: Conversation, run: string): SpentMoney {
  const steps = stepsOf(conversation.withRemoved, run);
  const money = sumOf(steps.flatMap((step) => paidWithHelpers(step, conversation)));
  const isPriced = steps.some(({ figures }) => figures?.cost !== undefined);
  return money.cost === undefined && isPriced ? { cost: 0 } : money;
}

/** The steps that cost something and are not on the path shown: they broke off and were replaced, or it has branches. */
export function replacedSteps(conversation: Conversation, run: string): ReplacedSteps | undefined {
  const shown = new Set(conversation.entries.map(({ id }) => id));
  const replaced = stepsOf(conversation.withRemoved, run).filter(({ id }) => !shown.has(id));
  const paid = replaced.flatMap((step) => sumOf(paidWithHelpers(step, conversation)).cost ?? []);
  return paid.length === 0 ? undefined : { count: paid.length, cost: paid.reduce((sum, cost) => sum + cost, 0) };
}

/** The calls of a finished step that have no result yet. Those of a step that broke off are never run. */
export function openCalls(step: Entry | undefined): readonly ToolCallView[] {
  if (!isStep(step) || (step.status !== 'complete' && step.status !== 'cut')) return [];
  return (step.toolCalls ?? []).filter(({ result }) => result === undefined);
}

/** The entries before the steps at the end that failed or were stopped, so that these are asked for again. */
export function withoutBroken(entries: readonly Entry[]): readonly Entry[] {
  let end = entries.length;
  for (let last = entries[end - 1]; isStep(last) && isBroken(last); last = entries[end - 1]) end -= 1;
  return entries.slice(0, end);
}

function isBroken(step: AnswerTurn): boolean {
  return step.status === 'failed' || step.status === 'stopped' || isRunning(step);
}
