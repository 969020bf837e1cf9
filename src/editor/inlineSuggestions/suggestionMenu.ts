import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatEstimate, formatSum } from '../../display/money.ts';
import { hourCost, type SuggestionModel } from '../../suggestions/suggestionModel.ts';
import type { SuggestionSettings } from '../settings/suggestionSettings.ts';
import { statusText } from './suggestionSection.ts';
import type { SuggestionServices } from './suggestionServices.ts';
import type { SuggestionState } from './suggestionState.ts';

export interface MenuParts {
  readonly services: SuggestionServices;
  readonly settings: SuggestionSettings;
  readonly state: SuggestionState;
  readonly model: () => SuggestionModel | undefined;
}

interface MenuEntry extends vscode.QuickPickItem {
  readonly run: () => unknown;
}

/** The step by which the menu raises the cap, in US dollars. */
const RAISE = 0.5;

/** What can be done with suggestions, from the status bar. */
export async function showMenu(parts: MenuParts): Promise<void> {
  const title = l10n.t('Inline suggestions: {0}', statusText(parts));
  const chosen = await vscode.window.showQuickPick(entries(parts), { title });
  await chosen?.run();
}

function entries(parts: MenuParts): MenuEntry[] {
  const { state, settings } = parts;
  const command = (id: string, ...args: unknown[]) => vscode.commands.executeCommand(id, ...args);
  const paused = state.status === 'snoozed' || state.status === 'failed';
  return [
    ...(paused ? [{ label: icon('debug-start', l10n.t('Continue')), run: () => state.resume() }] : []),
    ...(state.status === 'disconnected'
      ? [{ label: icon('key', l10n.t('Set Service Key')), run: () => command('modelAccess.setServiceKey') }]
      : []),
    {
      label: state.status === 'off' ? icon('sparkle', l10n.t('Turn On')) : icon('circle-slash', l10n.t('Turn Off')),
      run: () => settings.setEnabled(state.status === 'off'),
    },
    ...(state.status === 'on'
      ? [{ label: icon('bell-slash', l10n.t('Snooze for an Hour')), run: () => state.snooze() }]
      : []),
    ...(settings.dailyCap > 0
      ? [
          {
            label: icon('arrow-up', l10n.t('Raise the Cap to {0} a Day', formatSum(settings.dailyCap + RAISE))),
            run: () => settings.setDailyCap(settings.dailyCap + RAISE),
          },
        ]
      : []),
    { label: icon('symbol-misc', l10n.t('Choose Model…')), run: () => chooseModel(parts) },
    { label: icon('graph', l10n.t('Open Usage')), run: () => command('modelAccess.openUsage') },
    {
      label: icon('gear', l10n.t('Open Settings')),
      run: () => command('workbench.action.openSettings', 'modelAccess.inlineSuggestions'),
    },
  ];
}

function icon(name: string, label: string): string {
  return `$(${name}) ${label}`;
}

interface SuggestionModelItem extends vscode.QuickPickItem {
  readonly model?: string;
}

/** Lists the models with what an hour of typing costs with each, the cheapest first. */
export async function chooseModel({ services, settings, model }: MenuParts): Promise<void> {
  const { models } = services;
  if (models.state.models.length === 0) await models.refresh();
  const priced = models.state.models
    .map((each) => ({ id: each.id, cost: hourCost(each, settings.contextTokens) }))
    .toSorted((a, b) => (a.cost ?? Number.POSITIVE_INFINITY) - (b.cost ?? Number.POSITIVE_INFINITY));
  const current = model();
  const items: SuggestionModelItem[] = [
    {
      label: l10n.t('Automatic'),
      description: settings.model === '' && current !== undefined ? l10n.t('in use: {0}', current.id) : '',
      detail: l10n.t('The fastest of the cheap models'),
      model: '',
    },
    ...priced.map(({ id, cost }) => ({
      label: id,
      description: id === settings.model ? l10n.t('in use') : '',
      model: id,
      ...(cost !== undefined && { detail: l10n.t('{0} an hour of typing', formatEstimate(cost)) }),
    })),
    ...fillInItems(services, settings),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Model for inline suggestions'),
    matchOnDetail: true,
  });
  if (chosen?.model !== undefined) await settings.setModel(chosen.model);
}

/** The models of upstreams that fill in text. A pattern stands for names that the person has to write. */
function fillInItems(
  { settings: { upstreams } }: SuggestionServices,
  settings: SuggestionSettings,
): SuggestionModelItem[] {
  return upstreams.upstreams
    .filter(({ fillIn }) => fillIn !== undefined)
    .flatMap(({ id, models }) => models.filter((name) => !name.includes('*')).map((name) => `${id}/${name}`))
    .map((label) => ({
      label,
      description: label === settings.model ? l10n.t('in use') : '',
      detail: l10n.t('Fills in text'),
      model: label,
    }));
}
