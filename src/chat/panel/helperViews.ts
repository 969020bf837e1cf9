/** The helpers of a run as the panel shows them. */
import * as l10n from '@vscode/l10n';
import { defined } from '../../formats/json.ts';
import type { AnswerTurn, HelperView, ShownCall } from '../../pages/chat/protocol.ts';
import { type Conversation, costOf } from '../conversation/conversation.ts';
import { isStep } from '../conversation/entry.ts';
import type { RunProperties } from '../conversation/record.ts';

/** The calls of a step with the helpers that they have started. */
export function callsWithHelpers(step: AnswerTurn, conversation: Conversation): readonly ShownCall[] {
  return (step.toolCalls ?? []).map((call) => {
    const helpers = conversation.helpersOf(step.id, call.id);
    if (helpers.length === 0) return call;
    const isOver = call.action?.state !== 'running';
    return { ...call, helpers: helpers.map((helper) => toView(helper, isOver)) };
  });
}

function toView(helper: Conversation, isOver: boolean): HelperView {
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
    ...stateOf(run, isOver),
    budget: run.cap ?? 0,
    ...defined({ spent: cost, isSample }),
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
    steps: steps.map(withoutResults),
  };
}

function stateOf({ state, reason, loop }: RunProperties, isOver: boolean): Pick<HelperView, 'state' | 'note'> {
  if (state === 'done') return { state };
  if (state === 'running') return { state: isOver ? 'stopped' : 'running' };
  if (state === undefined) return { state: isOver ? 'stopped' : 'waiting' };
  if (loop !== undefined && loop !== null) return { state: 'failed', note: l10n.t('Repeated itself') };
  if (reason === 'budget') return { state: 'failed', note: l10n.t('Budget used up') };
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
