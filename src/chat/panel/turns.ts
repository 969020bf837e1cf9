/** The conversation as the panel shows it. */

import * as l10n from '@vscode/l10n';
import { defined } from '../../formats/json.ts';
import type { AnswerTurn, ChatHostMessage, ChatTurn, HelperView, ShownCall } from '../../pages/chat/protocol.ts';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Conversation } from '../conversation/conversation.ts';
import { costOf } from '../conversation/conversationCost.ts';
import { type Entry, isStep, toAttachmentView } from '../conversation/entry.ts';
import type { RunProperties } from '../conversation/record.ts';

/** Answers in progress. */
export interface UnderWay {
  /** The answers of this window in their current state, including waits for a retry. */
  readonly running?: readonly AnswerTurn[];
  /** The IDs of those that other windows are writing. */
  readonly elsewhere?: ReadonlySet<string>;
  /** Whether the last run was interrupted, so that none of its calls runs. */
  readonly isInterrupted?: boolean;
}

export function turnsOf(conversation: Conversation, underWay: UnderWay = {}): ChatTurn[] {
  const { running = [], elsewhere, isInterrupted } = underWay;
  const now = (answer: AnswerTurn) =>
    elsewhere?.has(answer.id) === true
      ? answeredElsewhere(answer)
      : (running.find(({ id }) => id === answer.id) ?? answer);
  const turns = conversation.entries.map((entry) =>
    toTurn(entry.role === 'assistant' ? now(entry) : entry, conversation, isInterrupted),
  );
  const { comparison, comparisonId } = conversation;
  return comparisonId === undefined
    ? turns
    : [...turns, { role: 'comparison', id: comparisonId, answers: comparison.map(now) }];
}

/** Until the answer ends, only the other window knows its figures, so the text so far is counted here. */
export function answeredElsewhere(answer: AnswerTurn): AnswerTurn {
  const outputTokens = estimateTokens(answer.reasoning + answer.text);
  return { ...answer, elsewhere: true, figures: { outputTokens, estimated: true } };
}

export function toTurn(entry: Entry, conversation: Conversation, isInterrupted = false): ChatTurn {
  const branch = conversation.branchOf(entry.id);
  const shown = branch === undefined ? {} : { branch };
  if (entry.role === 'assistant') {
    const isOther = isInterrupted || conversation.helpersOf(entry.id).length > 0;
    return { ...entry, ...(isOther && { toolCalls: shownCalls(entry, conversation, isInterrupted) }), ...shown };
  }
  return { ...entry, attachments: entry.attachments.map(toAttachmentView), ...shown };
}

type CallProgress = 'over' | 'interrupted' | 'running';

/** The calls of a step with the helpers that they have started. Helpers of an interrupted run wait until it goes on. */
function shownCalls(step: AnswerTurn, conversation: Conversation, isInterrupted: boolean): readonly ShownCall[] {
  return (step.toolCalls ?? []).map((call) => {
    const { action } = call;
    const progress = action?.state !== 'running' ? 'over' : isInterrupted ? 'interrupted' : 'running';
    const shown =
      action && progress === 'interrupted' ? { ...call, action: { ...action, state: 'interrupted' as const } } : call;
    const helpers = conversation.helpersOf(step.id, call.id);
    return helpers.length === 0 ? shown : { ...shown, helpers: helpers.map((helper) => toView(helper, progress)) };
  });
}

function toView(helper: Conversation, progress: CallProgress): HelperView {
  const question = helper.withRemoved.find(({ role }) => role === 'user');
  const run = helper.runOf(question?.id ?? '') ?? {};
  const steps = helper.withRemoved.filter(isStep);
  const { cost, isSample } = costOf(helper);
  const sum = (figure: 'inputTokens' | 'outputTokens') =>
    steps.reduce((total, { figures }) => total + (figures?.[figure] ?? 0), 0);
  return {
    id: helper.id,
    name: helper.title ?? '',
    role: run.role ?? '',
    model: helper.parameters.model ?? '',
    ...stateOf(run, progress),
    budget: run.cap ?? 0,
    ...defined({ spent: cost, isSample, fault: run.fault }),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    steps: steps.map(withoutResults),
  };
}

function stateOf(
  { state, reason, fault, loop }: RunProperties,
  progress: CallProgress,
): Pick<HelperView, 'state' | 'note'> {
  if (state === 'done') return { state };
  if (state === 'running' && progress === 'running') return { state };
  if (state === 'running' || state === undefined) return { state: progress === 'over' ? 'stopped' : 'waiting' };
  if (loop !== undefined && loop !== null) return { state: 'failed', note: l10n.t('Repeated itself') };
  if (reason === 'budget')
    return { state: 'failed', note: fault === undefined ? l10n.t('Budget used up') : l10n.t('Budget too small') };
  return { state: reason === 'failure' ? 'failed' : 'stopped' };
}

/** Nobody reads what its tools returned, which can be long. */
function withoutResults(step: AnswerTurn): AnswerTurn {
  const { sealed: _, toolCalls, ...rest } = step;
  if (toolCalls === undefined) return rest;
  return {
    ...rest,
    toolCalls: toolCalls.map(({ result, ...call }) => (result === undefined ? call : { ...call, result: '' })),
  };
}

/**
 * Keeps the panel's turns up to date. Posts added turns, or all turns from the first one that differs. The contents of
 * turns have messages of their own.
 */
export class ThreadView {
  readonly #post: (message: ChatHostMessage) => void;
  #shown: readonly string[] = [];

  constructor(post: (message: ChatHostMessage) => void) {
    this.#post = post;
  }

  /** Reports changes in the order of the turns to the panel. */
  update(turns: readonly ChatTurn[]): void {
    const before = this.#shown;
    this.reset(turns);
    const from = this.#shown.findIndex((key, index) => key !== before[index]);
    if (from === -1 && this.#shown.length === before.length) return;
    const first = from === -1 ? this.#shown.length : from;
    const rest = turns.slice(first);
    if (first < before.length) this.#post({ type: 'turns', from: first, turns: rest });
    else for (const turn of rest) this.#post({ type: 'turnAdded', turn });
  }

  /** Called with the turns that the panel received as part of the whole state. */
  reset(turns: readonly ChatTurn[]): void {
    this.#shown = turns.map(keyOf);
  }
}

function keyOf(turn: ChatTurn): string {
  if (turn.role === 'comparison') return [turn.id, ...turn.answers.map(({ id }) => id)].join(' ');
  return `${turn.id} ${turn.branch?.position ?? 1}/${turn.branch?.count ?? 1}`;
}
