import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { escapeMarkdown } from '../../display/escapeMarkdown.ts';
import { formatEstimate, formatMoney, formatSum } from '../../display/money.ts';
import { formatClock, formatLatency } from '../../display/time.ts';
import { formatShare } from '../../display/tokens.ts';
import { hourCost, type SuggestionModel } from '../../suggestions/suggestionModel.ts';
import type { SuggestionSettings } from '../settings/suggestionSettings.ts';
import {
  commandLinks,
  hoverText,
  type StatusHover,
  type StatusPart,
  type StatusSection,
} from '../statusBar/statusSection.ts';
import type { LastRequest, SuggestionFigures } from './suggestionFigures.ts';
import type { SuggestionState, SuggestionStatus } from './suggestionState.ts';

const ICONS: Readonly<Record<SuggestionStatus, string>> = {
  on: 'sparkle',
  off: 'circle-slash',
  snoozed: 'bell-slash',
  capped: 'debug-pause',
  untrusted: 'circle-slash',
  disconnected: 'circle-slash',
  failed: 'warning',
};

export interface SuggestionStatusParts {
  readonly settings: SuggestionSettings;
  readonly figures: SuggestionFigures;
  readonly state: SuggestionState;
  readonly model: () => SuggestionModel | undefined;
}

const MENU = 'modelAccess.showInlineSuggestionsMenu';

/** In the status bar, the state of suggestions; in its hover, what they have cost today. */
export class SuggestionSection implements StatusSection {
  readonly name = 'suggestions';
  readonly onDidChange: vscode.Event<unknown>;
  readonly #parts: SuggestionStatusParts;

  constructor(parts: SuggestionStatusParts, onDidChange: vscode.Event<unknown>) {
    this.#parts = parts;
    this.onDidChange = onDidChange;
  }

  part(): StatusPart | undefined {
    const { state } = this.#parts;
    const { status } = state;
    if (status === 'off') return undefined;
    const icon = state.isAsking && status === 'on' ? 'loading~spin' : ICONS[status];
    return {
      text: `$(${icon})`,
      label: `${l10n.t('Inline suggestions')}: ${statusText(this.#parts)} ${todayText(this.#parts)}`,
      level: status === 'failed' ? 'warning' : undefined,
      command: MENU,
    };
  }

  hover(): StatusHover {
    const parts = this.#parts;
    const { state, figures, settings } = parts;
    const links = [
      [state.status === 'off' ? l10n.t('Turn On') : l10n.t('Turn Off'), 'modelAccess.toggleInlineSuggestions'],
      ...(state.status === 'on'
        ? [[l10n.t('Snooze for an Hour'), 'modelAccess.snoozeInlineSuggestions'] as const]
        : []),
      [l10n.t('Choose Model…'), 'modelAccess.chooseInlineSuggestionModel'],
    ] as const;
    const cap = settings.dailyCap > 0 ? [l10n.t('Cap: {0} a day', formatSum(settings.dailyCap))] : [];
    const last = figures.last === undefined ? [] : [lastText(figures.last)];
    const sample = figures.isSample ? [l10n.t('Sandbox: sample money')] : [];
    const amounts = [modelText(parts), todayText(parts), acceptedText(figures), ...cap, ...last];
    const rows = [...sample, statusText(parts), ...amounts].filter((each) => each !== '').map(escapeMarkdown);
    return {
      markdown: hoverText(`**${l10n.t('Inline suggestions')}**`, rows, commandLinks(...links)),
      commands: links.map(([, command]) => command),
    };
  }
}

export function statusText({ state, settings }: Pick<SuggestionStatusParts, 'state' | 'settings'>): string {
  switch (state.status) {
    case 'on':
      return l10n.t('On');
    case 'off':
      return l10n.t('Off');
    case 'snoozed':
      return l10n.t('Snoozed until {0}', formatClock(state.snoozedUntil));
    case 'capped':
      return l10n.t('Off until tomorrow: the cap of {0} a day is reached', formatSum(settings.dailyCap));
    case 'untrusted':
      return l10n.t('Off, because this workspace is not trusted');
    case 'disconnected':
      return l10n.t('Off, because there is no service key');
    case 'failed':
      return l10n.t('Paused after a failure: {0}', state.problem ?? '');
  }
}

function modelText({ model, settings }: SuggestionStatusParts): string {
  const current = model();
  if (current === undefined) return l10n.t('Model: none yet');
  const cost = current.kind === 'chat' && current.model ? hourCost(current.model, settings.contextTokens) : undefined;
  const name = current.kind === 'chat' ? current.id : `${current.upstream.id}/${current.id}`;
  const hour = cost === undefined ? '' : ` · ${l10n.t('{0} an hour of typing', formatEstimate(cost))}`;
  return `${l10n.t('Model: {0}', name)}${hour}`;
}

function todayText({ figures }: Pick<SuggestionStatusParts, 'figures'>): string {
  const { cost, requests } = figures;
  const sum = formatSum(cost);
  return requests === 1
    ? l10n.t('Today: {0} for 1 request', sum)
    : l10n.t('Today: {0} for {1} requests', sum, requests);
}

function acceptedText({ counts: { shown, accepted } }: SuggestionFigures): string {
  if (shown === 0) return '';
  return l10n.t('{0} of {1} suggestions accepted ({2})', accepted, shown, formatShare(accepted / shown));
}

const LAST_TEXTS: Readonly<Record<LastRequest['outcome'], (figures: string) => string>> = {
  shown: (figures) => l10n.t('Last: {0}', figures),
  nothing: (figures) => l10n.t('Last: {0}, nothing to suggest', figures),
  canceled: (figures) => l10n.t('Last: {0}, canceled by typing on', figures),
  late: (figures) => l10n.t('Last: {0}, dropped because it was too late', figures),
  failed: (figures) => l10n.t('Last: {0}, failed', figures),
};

function lastText({ durationMs, cost, outcome }: LastRequest): string {
  const figures = [formatLatency(durationMs), ...(cost === undefined ? [] : [formatMoney(cost)])].join(', ');
  return LAST_TEXTS[outcome](figures);
}
