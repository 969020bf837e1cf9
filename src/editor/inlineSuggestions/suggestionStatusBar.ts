import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../display/escapeMarkdown.ts';
import { formatEstimate, formatMoney, formatStatusBarEstimate, formatSum } from '../../display/money.ts';
import { formatClock, formatLatency } from '../../display/time.ts';
import { formatShare } from '../../display/tokens.ts';
import { hourCost, type SuggestionModel } from '../../suggestions/suggestionModel.ts';
import type { SuggestionSettings } from '../settings/suggestionSettings.ts';
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

export interface StatusBarParts {
  readonly settings: SuggestionSettings;
  readonly figures: SuggestionFigures;
  readonly state: SuggestionState;
  readonly model: () => SuggestionModel | undefined;
}

/** A status bar item with the state of suggestions and what they have cost today. */
export class SuggestionStatusBar implements vscode.Disposable {
  readonly #parts: StatusBarParts;
  readonly #item = vscode.window.createStatusBarItem(
    'modelAccess.inlineSuggestions',
    vscode.StatusBarAlignment.Right,
    102,
  );
  readonly #subscriptions: vscode.Disposable[];

  constructor(parts: StatusBarParts, onDidChange: vscode.Event<unknown>) {
    this.#parts = parts;
    this.#item.name = l10n.t('Model Access: inline suggestions');
    this.#item.command = 'modelAccess.showInlineSuggestionsMenu';
    this.#subscriptions = [parts.state.onDidChange(() => this.update()), onDidChange(() => this.update())];
    this.update();
    this.#item.show();
  }

  update(): void {
    const { state, figures } = this.#parts;
    const { status } = state;
    const icon = state.isAsking && status === 'on' ? 'loading~spin' : ICONS[status];
    const cost = status === 'on' || status === 'capped' ? ` ${formatStatusBarEstimate(figures.cost)}` : '';
    this.#item.text = `$(${icon})${cost}`;
    this.#item.accessibilityInformation = { label: `${statusText(this.#parts)} ${todayText(this.#parts)}` };
    this.#item.backgroundColor =
      status === 'failed' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = hover(this.#parts);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#item).dispose();
  }
}

function hover(parts: StatusBarParts): vscode.MarkdownString {
  const { state, figures, settings } = parts;
  const commands = [
    [state.status === 'off' ? l10n.t('Turn On') : l10n.t('Turn Off'), 'modelAccess.toggleInlineSuggestions'],
    ...(state.status === 'on' ? [[l10n.t('Snooze for an Hour'), 'modelAccess.snoozeInlineSuggestions']] : []),
    [l10n.t('Choose Model…'), 'modelAccess.chooseInlineSuggestionModel'],
    [l10n.t('Open Usage'), 'modelAccess.openUsage'],
  ] as const;
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: commands.map(([, command]) => command ?? '') };
  const cap = settings.dailyCap > 0 ? [l10n.t('Cap: {0} a day', formatSum(settings.dailyCap))] : [];
  const last = figures.last === undefined ? [] : [lastText(figures.last)];
  const sample = figures.isSample ? [l10n.t('Sandbox: sample money')] : [];
  const amounts = [modelText(parts), todayText(parts), acceptedText(figures), ...cap, ...last];
  const rows = [...sample, statusText(parts), ...amounts];
  text.appendMarkdown(`**${l10n.t('Inline suggestions')}**\n\n`);
  for (const row of rows.filter((each) => each !== '')) text.appendMarkdown(`${escapeMarkdown(row)}\n\n`);
  const links = commands.map(([title, command]) => `[${title}](command:${command})`);
  return text.appendMarkdown(`---\n\n${links.join(' · ')}`);
}

export function statusText({ state, settings }: Pick<StatusBarParts, 'state' | 'settings'>): string {
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

function modelText({ model, settings }: StatusBarParts): string {
  const current = model();
  if (current === undefined) return l10n.t('Model: none yet');
  const cost = current.kind === 'chat' && current.model ? hourCost(current.model, settings.contextTokens) : undefined;
  const name = current.kind === 'chat' ? current.id : `${current.upstream.id}/${current.id}`;
  const hour = cost === undefined ? '' : ` · ${l10n.t('{0} an hour of typing', formatEstimate(cost))}`;
  return `${l10n.t('Model: {0}', name)}${hour}`;
}

function todayText({ figures }: Pick<StatusBarParts, 'figures'>): string {
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

function lastText({ durationMs, cost, outcome }: LastRequest): string {
  const figures = [formatLatency(durationMs), ...(cost === undefined ? [] : [formatMoney(cost)])].join(', ');
  switch (outcome) {
    case 'shown':
      return l10n.t('Last: {0}', figures);
    case 'nothing':
      return l10n.t('Last: {0}, nothing to suggest', figures);
    case 'canceled':
      return l10n.t('Last: {0}, canceled by typing on', figures);
    case 'late':
      return l10n.t('Last: {0}, dropped because it was too late', figures);
    case 'failed':
      return l10n.t('Last: {0}, failed', figures);
  }
}
