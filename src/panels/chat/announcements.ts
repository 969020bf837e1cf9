import { isRefusal } from '../../rules/answer.ts';
/** The text of the panel's polite live region. Tokens are not announced as they arrive, and errors have separate alerts. */

import * as l10n from '@vscode/l10n';
import { spokenBalance, spokenMoney } from '../../display/money.ts';
import { formatTokensExact, spokenTokens } from '../../display/tokens.ts';
import type { AnswerTurn, ChatHostMessage, ChatState, RetryView } from '../../pages/chat/protocol.ts';
import { isFinished, isStep, stepNumber } from './agent/runs.ts';
import { spokenStep } from './agent/stepText.ts';
import { contextWindowOf, tokensOver } from './meter/contextWindow.ts';
import { shortfall } from './meter/obstacle.ts';
import { answersOf, isAnsweredElsewhere, runningAnswer } from './turns.ts';

/**
 * Returns the announcement after `message` has changed the state, or undefined for none. It is empty if the earlier one is
 * no longer true, because the region can still be read.
 */
export function announcementFor(
  before: ChatState | undefined,
  after: ChatState | undefined,
  message: ChatHostMessage,
  now: number,
): string | undefined {
  if (before === undefined || after === undefined) return undefined;
  const isOver = runningAnswer(before) !== undefined && runningAnswer(after) === undefined;
  return textFor(before, after, message, now) ?? (isOver ? '' : undefined);
}

function textFor(before: ChatState, after: ChatState, message: ChatHostMessage, now: number): string | undefined {
  if (message.type === 'turnAdded' || message.type === 'turns') {
    if (isAnswerBegun(before, after)) return l10n.t('Answering.');
    const beginsElsewhere = isAnsweredElsewhere(after) && !isAnsweredElsewhere(before);
    return beginsElsewhere ? l10n.t('Another window is answering.') : undefined;
  }
  if (message.type === 'turnChanged' && message.turn.role === 'assistant') {
    const earlier = before.turns.flatMap(answersOf).find((answer) => answer.id === message.turn.id);
    if (isStep(message.turn)) return ofStep(earlier, message.turn, after);
    return ofAnswer(earlier, message.turn, now);
  }
  if (message.type !== 'change') return undefined;
  return ofRun(before, after) ?? ofWindow(before, after) ?? ofBalance(before, after);
}

/** Whether this window answers since the change, other than with a further step of a run. */
export function isAnswerBegun(before: ChatState | undefined, after: ChatState | undefined): boolean {
  if (after === undefined || runningAnswer(after) === undefined) return false;
  return runningAnswer(before) === undefined && !isLaterStep(after);
}

/** Whether the last answer continues a run: only its first request is announced. */
function isLaterStep({ turns }: ChatState): boolean {
  const last = turns.at(-1);
  return last?.role === 'assistant' && last.run !== undefined && stepNumber(turns, last) > 1;
}

/** Announces a step of a run once, when all that it does is done. */
function ofStep(before: AnswerTurn | undefined, after: AnswerTurn, { turns }: ChatState): string | undefined {
  if (!isFinished(after) || (before !== undefined && isFinished(before))) return undefined;
  return spokenStep(stepNumber(turns, after), after);
}

/** The cards of a run are alerts of their own. */
function ofRun({ run: before }: ChatState, { run: after }: ChatState): string | undefined {
  if (after === undefined || before?.id !== after.id || before.state === after.state) return undefined;
  return after.state === 'stopped' && after.loop === undefined ? l10n.t('Stopped.') : undefined;
}

/** @param seconds whole seconds. */
export function retryAnnouncement(seconds: number): string {
  return seconds === 1 ? l10n.t('Retrying in 1 second.') : l10n.t('Retrying in {0} seconds.', seconds);
}

export function secondsUntil(retry: RetryView, now: number): number {
  return Math.max(0, Math.ceil((retry.at - now) / 1000));
}

function ofAnswer(before: AnswerTurn | undefined, after: AnswerTurn, now: number): string | undefined {
  if (after.retry !== undefined && after.retry.attempt !== before?.retry?.attempt) {
    return retryAnnouncement(secondsUntil(after.retry, now));
  }
  if (before?.status === after.status) return undefined;
  if (after.status === 'complete' && isRefusal(after))
    return `${l10n.t('The model refused to answer.')}${figuresOf(after)}`;
  if (after.status === 'complete' && after.isSummary === true) return l10n.t('The steps so far were summarized.');
  if (after.status === 'complete') return `${l10n.t('Answer complete.')}${figuresOf(after)}`;
  if (after.status === 'cut') return `${l10n.t('The answer reached the token limit.')}${figuresOf(after)}`;
  return after.status === 'stopped' ? l10n.t('Stopped.') : undefined;
}

function figuresOf({ figures, sandbox }: AnswerTurn): string {
  if (figures === undefined) return '';
  const tokens = spokenTokens(figures.outputTokens);
  if (figures.cost === undefined) return ` ${tokens}.`;
  const cost = sandbox ? l10n.t('sample {0}', spokenMoney(figures.cost)) : spokenMoney(figures.cost);
  return ` ${tokens}, ${cost}.`;
}

/** Returns the announcement that the cost of the request exceeds the balance, once when this happens. */
function ofBalance(before: ChatState, after: ChatState): string | undefined {
  const missing = shortfall(after);
  if (missing?.isCertain !== true || shortfall(before)?.isCertain === true) return undefined;
  return l10n.t('Not enough credit: {0} left.', spokenBalance(missing.left));
}

function ofWindow(before: ChatState, after: ChatState): string | undefined {
  const over = tokensOver(after.estimate, contextWindowOf(after));
  if (over === 0 || tokensOver(before.estimate, contextWindowOf(before)) > 0) return undefined;
  return over === 1
    ? l10n.t('Over the context window by 1 token.')
    : l10n.t('Over the context window by {0} tokens.', formatTokensExact(over));
}
