/** The contents of the token meter below the composer, as figures and for screen readers. */

import * as l10n from '@vscode/l10n';
import { formatBalance, formatEstimate, formatMoney, spokenMoney } from '../../../display/money.ts';
import {
  approximately,
  formatShare,
  formatTokens,
  formatWindow,
  spokenShare,
  spokenTokens,
} from '../../../display/tokens.ts';
import type { ChatState, EstimateView, RunForecast } from '../../../pages/chat/protocol.ts';
import { contextColor, type GroupShare, partsOfRequest } from '../../shared/contextGroups.ts';
import { contextWindowOf, tokensOver } from './contextWindow.ts';
import { shortfall } from './obstacle.ts';

/** Texts for wide and narrow panels. */
export interface WidthTexts {
  readonly wide: string;
  readonly narrow: string;
}

export interface RestTexts extends WidthTexts {
  /** Omitted in the narrowest panels, in favor of what the amount includes. The breakdown has it, too. */
  readonly isSpare?: true;
}

export type MeterState = 'normal' | 'low' | 'over' | 'exhausted';

export interface MeterView {
  readonly state: MeterState;
  /** What fills the bar, from the left, as shares of the bar. Their sum is at most 1. */
  readonly segments: readonly GroupShare[];
  /** The part of the bar, from the right, that exceeds the window. */
  readonly excess: number;
  /** Percentage of the window, for assistive technology; at most 100. */
  readonly percent: number;
  readonly tokens: string;
  readonly share?: string;
  /** Such as `200k`. */
  readonly window?: string;
  readonly cost?: WidthTexts;
  /** The balance after the request, or what its run may cost. */
  readonly rest?: RestTexts;
  readonly loadingPrices: boolean;
  readonly spoken: string;
}

export function meterView(state: ChatState): MeterView {
  const { estimate, catalog } = state;
  const window = contextWindowOf(state);
  const tokens = estimate.inputTokens;
  const share = tokens !== undefined && window !== undefined ? tokens / window : undefined;
  const over = tokensOver(estimate, window) > 0;
  const cost = over ? undefined : costText(state);
  const rest = over && window !== undefined ? doesNotFit(window) : restText(state);
  return {
    state: over ? 'over' : moneyState(state),
    segments: segments(estimate, share),
    excess: share !== undefined && share > 1 ? 1 - 1 / share : 0,
    percent: Math.min(100, Math.round((share ?? 0) * 100)),
    tokens: tokensText(state),
    ...(share !== undefined && tokens !== 0 && estimate.run === undefined && { share: formatShare(share) }),
    ...(share !== undefined && !over && window !== undefined && { window: formatWindow(window) }),
    ...(cost !== undefined && { cost }),
    ...(rest !== undefined && { rest }),
    loadingPrices: catalog.state === 'loading' && cost === undefined,
    spoken: spoken(state, share),
  };
}

/** Derives the state from whether the balance is too low in general or for this request. */
function moneyState(state: ChatState): MeterState {
  const missing = shortfall(state);
  if (state.balance.state === 'exhausted' || missing?.isCertain === true) return 'exhausted';
  return state.balance.state === 'low' || missing !== undefined ? 'low' : 'normal';
}

function tokensText({ estimate }: ChatState): string {
  if (estimate.inputTokens === undefined)
    return estimate.state === 'counting' ? l10n.t('Counting') : l10n.t('No tokens yet');
  const text =
    estimate.inputTokens === 1 ? l10n.t('1 token') : l10n.t('{0} tokens', formatTokens(estimate.inputTokens));
  return estimate.estimated === true ? approximately(text) : text;
}

/**
 * Returns the cost of the input and the answer. With fewer than two answers there is no typical answer, so the cost of
 * the input is shown with `+ answer`. Before a run, it is that of its first step.
 */
function costText({ estimate }: ChatState): WidthTexts | undefined {
  const { inputTokens, inputCost, expectedCost, run } = estimate;
  const cost = expectedCost ?? inputCost;
  if (inputTokens === undefined || cost === undefined) return undefined;
  const text = formatEstimate(cost);
  if (run !== undefined) return { wide: l10n.t('first step {0}', text), narrow: l10n.t('step {0}', text) };
  return sameText(expectedCost === undefined ? l10n.t('{0} + answer', text) : l10n.t('{0} with answer', text));
}

export function sameText(text: string): WidthTexts {
  return { wide: text, narrow: text };
}

function reachesCap({ cap, typical }: RunForecast, firstStep = 0): boolean {
  return cap > 0 && (typical ?? firstStep) > cap;
}

/** What runs like the next one have cost, and what it may cost. */
function runText(run: RunForecast, firstStep: number | undefined): WidthTexts | undefined {
  const { cap, typical } = run;
  const most = formatBalance(cap);
  if (reachesCap(run, firstStep)) {
    return { wide: l10n.t('run asks at {0}', most), narrow: l10n.t('asks at {0}', most) };
  }
  if (typical === undefined) {
    return cap === 0 ? undefined : { wide: l10n.t('run up to {0}', most), narrow: l10n.t('up to {0}', most) };
  }
  const usual = l10n.t('run {0}', formatEstimate(typical));
  return { wide: cap === 0 ? usual : l10n.t('{0}, up to {1}', usual, most), narrow: usual };
}

function restText(state: ChatState): MeterView['rest'] {
  const { estimate, balance } = state;
  if (estimate.run !== undefined && moneyState(state) === 'normal') return runText(estimate.run, estimate.expectedCost);
  if (moneyState(state) === 'exhausted' || estimate.balanceAfter === undefined) {
    if (balance.remaining === undefined) return undefined;
    const left = l10n.t('{0} left', formatBalance(balance.remaining));
    return sameText(left);
  }
  const after = formatBalance(estimate.balanceAfter);
  const isSpare = moneyState(state) === 'normal' && costText(state) !== undefined;
  const texts = { wide: l10n.t('{0} left after', after), narrow: l10n.t('{0} after', after) };
  return isSpare ? { ...texts, isSpare } : texts;
}

function doesNotFit(window: number): MeterView['rest'] {
  return sameText(l10n.t('Does not fit in {0}', formatWindow(window)));
}

/** @param share of the window that the request fills. */
export function segments({ parts = {} }: Pick<EstimateView, 'parts'>, share = 0): MeterView['segments'] {
  const filled = Math.min(share, 1);
  return filled === 0 ? [] : partsOfRequest(parts).map((part) => ({ ...part, share: part.share * filled }));
}

function spoken({ estimate, balance }: ChatState, share: number | undefined): string {
  if (estimate.inputTokens === undefined) return l10n.t('No tokens yet');
  const tokens = spokenTokens(estimate.inputTokens);
  const parts = [estimate.estimated === true ? l10n.t('About {0}', tokens) : tokens];
  if (share !== undefined) parts.push(l10n.t('{0} of the context window', spokenShare(share)));
  if (estimate.expectedCost !== undefined) {
    const cost = spokenMoney(estimate.expectedCost);
    if (estimate.run === undefined) parts.push(l10n.t('about {0} with the answer', cost));
    else parts.push(l10n.t('about {0} for the first step', cost), ...spokenRun(estimate.run, estimate.expectedCost));
  } else if (estimate.inputCost !== undefined)
    parts.push(l10n.t('about {0} and the answer', spokenMoney(estimate.inputCost)));
  if (balance.state === 'exhausted') parts.push(l10n.t('credit used up'));
  return parts.join(', ');
}

function spokenRun(run: RunForecast, firstStep: number): string[] {
  const { cap, typical } = run;
  const most = spokenMoney(cap);
  return [
    ...(typical === undefined ? [] : [l10n.t('about {0} for the run', spokenMoney(typical))]),
    ...(cap === 0
      ? []
      : [reachesCap(run, firstStep) ? l10n.t('asks at {0}', most) : l10n.t('at most {0} for the run', most)]),
  ];
}

/** One row of the breakdown. Amounts are formatted texts. */
export interface BreakdownRow {
  /** The class of the swatch. Empty for what the row above includes. */
  readonly color: string;
  readonly label: string;
  readonly tokens: string;
  readonly cost?: string;
}

export function breakdownRows(state: ChatState): readonly BreakdownRow[] {
  const { estimate, catalog } = state;
  const model = catalog.models.find(({ id }) => id === state.model);
  const { inputTokens, attachmentTokens, parts = {} } = estimate;
  const row = (color: string, label: string, tokens: number | undefined): BreakdownRow[] => {
    if (tokens === undefined || tokens === 0) return [];
    const guess = color === 'answer';
    const price = guess ? model?.outputPrice : model?.inputPrice;
    const cost = price === undefined ? undefined : (tokens * price) / 1e6;
    const text = formatTokens(tokens);
    return [
      {
        color,
        label,
        tokens: guess || estimate.estimated === true ? approximately(text) : text,
        ...(cost !== undefined && { cost: guess ? approximately(formatMoney(cost)) : formatMoney(cost) }),
      },
    ];
  };
  const groups = inputTokens === undefined ? [] : partsOfRequest(parts);
  const tokens = wholeParts(groups, inputTokens ?? 0);
  return [
    ...groups.flatMap(({ color, label }, index) => [
      ...row(color, label, tokens[index]),
      ...(color === contextColor('messages') ? row('', l10n.t('of these, attachments'), attachmentTokens) : []),
    ]),
    ...row('answer', l10n.t('Typical answer'), estimate.expectedOutputTokens),
  ];
}

/** Whole numbers whose sum is the total: the ends of the parts are rounded, not the parts. */
function wholeParts(groups: readonly GroupShare[], total: number): readonly number[] {
  let before = 0;
  return groups.map(({ share }) => {
    const start = Math.round(before * total);
    before += share;
    return Math.round(before * total) - start;
  });
}
