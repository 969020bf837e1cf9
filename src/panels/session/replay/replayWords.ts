/** The texts and figures of a replay. Sums are those of answered requests, so that both sides are comparable. */
import * as l10n from '@vscode/l10n';
import { formatEstimate, formatRoughly, formatSum } from '../../../display/money.ts';
import { formatDuration } from '../../../display/time.ts';
import { formatShare, formatTokens } from '../../../display/tokens.ts';
import type {
  AnswerComparison,
  AnswerView,
  Replay,
  ReplayedRequest,
  ReplayedState,
} from '../../../pages/session/replay/protocol.ts';
import type { FigureProps } from '../../shared/figureList.tsx';

export function replayState({ isRunning, answered, requests }: Omit<Replay, 'steps'>): string {
  return isRunning
    ? l10n.t('Running, {0} of {1}', answered, requests)
    : l10n.t('{0} of {1} answered', answered, requests);
}

export function replayNote({ steps, agreed }: Replay): string {
  const models = [...new Set(steps.map(({ recordedModel }) => recordedModel))];
  const range = agreed && l10n.t('{0} to {1}', formatEstimate(agreed.low), formatRoughly(agreed.high));
  return [l10n.t('Recorded on {0}', models.join(', ')), range && l10n.t('approved up to {0}', range)]
    .filter((part) => part !== undefined)
    .join(' · ');
}

type Sides = readonly { readonly recorded: AnswerView; readonly replayed: AnswerView }[];

export function replayFigures(replay: Replay): FigureProps[] {
  const sides: Sides = replay.steps.flatMap(({ state, recorded, replayed }) =>
    state === 'answered' && replayed !== undefined ? [{ recorded, replayed }] : [],
  );
  const { steps, cost } = replay;
  const both = (of: (answer: AnswerView) => number | undefined, format: (value: number) => string) => {
    const sum = (side: 'recorded' | 'replayed') => sides.reduce((total, each) => total + (of(each[side]) ?? 0), 0);
    return {
      value: sides.length === 0 ? '–' : format(sum('replayed')),
      note: sides.length === 0 ? undefined : l10n.t('{0} recorded', format(sum('recorded'))),
    };
  };
  const costs = both((answer) => answer.cost, formatSum);
  return [
    // Includes what failed and stopped requests have cost.
    { label: l10n.t('Cost'), ...costs, ...(cost > 0 && { value: formatSum(cost) }) },
    { label: l10n.t('Tool calls'), ...callsFigure(steps) },
    { label: l10n.t('Output tokens'), ...both((answer) => answer.outputTokens, formatTokens) },
    { label: l10n.t('Hit rate'), ...hitsFigure(sides) },
    { label: l10n.t('Time'), ...both((answer) => answer.durationMs, formatDuration) },
  ];
}

function callsFigure(steps: readonly ReplayedRequest[]): Pick<FigureProps, 'value' | 'note'> {
  const compared = steps.filter(({ comparison, recorded, replayed }) => {
    const calls = recorded.calls.length + (replayed?.calls.length ?? 0);
    return comparison !== undefined && calls > 0;
  });
  if (compared.length === 0) return { value: '–' };
  const same = compared.filter(({ comparison }) => comparison === 'same' || comparison === 'sameCalls').length;
  return { value: l10n.t('{0} of {1}', same, compared.length), note: l10n.t('requests with the same calls') };
}

function hitsFigure(sides: Sides): Pick<FigureProps, 'value' | 'note'> {
  const share = (side: 'recorded' | 'replayed') => {
    const sum = (name: 'readTokens' | 'inputTokens') => sides.reduce((all, each) => all + (each[side][name] ?? 0), 0);
    return sum('inputTokens') === 0 ? '–' : formatShare(sum('readTokens') / sum('inputTokens'));
  };
  if (sides.length === 0) return { value: '–' };
  return { value: share('replayed'), note: l10n.t('{0} recorded', share('recorded')) };
}

export function comparisonWord(comparison: AnswerComparison): string {
  switch (comparison) {
    case 'same':
      return l10n.t('Same answer');
    case 'sameCalls':
      return l10n.t('Same tool calls');
    case 'otherArguments':
      return l10n.t('Different arguments');
    case 'otherCalls':
      return l10n.t('Different tool calls');
    case 'otherText':
      return l10n.t('Different text');
  }
}

export function stateWord(state: Exclude<ReplayedState, 'answered'>): string {
  switch (state) {
    case 'waiting':
      return l10n.t('Waiting');
    case 'running':
      return l10n.t('Running');
    case 'failed':
      return l10n.t('Failed');
    case 'stopped':
      return l10n.t('Stopped');
    case 'skipped':
      return l10n.t('Not sent');
  }
}

/** What the request added to the conversation. */
export function addedText({ question, results }: ReplayedRequest): string {
  const after = results === 1 ? l10n.t('after 1 tool result') : l10n.t('after {0} tool results', results);
  return [...(question === '' ? [] : [question]), ...(results === 0 ? [] : [after])].join(' · ');
}
