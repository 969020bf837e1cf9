import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Model } from '../../service/modelCatalog.ts';
import { showDone } from '../doneMessage.ts';
import type { ModelList } from '../models/modelList.ts';
import { hasNoOtherModels, pricesText, VENDOR } from './nativeExtras.ts';

const SECTION = 'chat';
/** The editor's settings: what it uses for titles and other small tasks beside a model with its own key. */
const BY_DEFAULT = 'byokUtilityModelDefault';
const MODELS = ['utilityModel', 'utilitySmallModel'] as const;

type Values = Readonly<Record<typeof BY_DEFAULT | (typeof MODELS)[number], string | undefined>>;

interface UtilityModelItem extends vscode.QuickPickItem {
  readonly values: Values;
}

/**
 * Asks which model the editor's chat uses for titles, commit messages, and other small tasks, and writes the editor's
 * settings.
 * @param chatModel the model of new chats, whose price is shown for “the model of the chat”.
 * @throws if the editor has no such settings.
 */
export async function chooseUtilityModel(models: ModelList, chatModel: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  if (settings.inspect(BY_DEFAULT)?.defaultValue === undefined) {
    throw new Error(l10n.t('This editor has no setting for a utility model.'));
  }
  if (models.state.models.length === 0) await models.refresh();
  const chosen = await vscode.window.showQuickPick(items(models, chatModel), {
    title: l10n.t('Utility model of the editor’s chat'),
    placeHolder: l10n.t('Which model writes titles, commit messages, and other short texts?'),
    matchOnDetail: true,
  });
  if (chosen === undefined) return;
  for (const [name, value] of Object.entries(chosen.values)) {
    await settings.update(name, value, vscode.ConfigurationTarget.Global);
  }
  showDone(l10n.t('Utility model set'));
}

const EXPLAINED = 'modelAccess.utilityModelExplained';

/**
 * Says once, after an answer in the editor's chat, why the chat shows a card about a utility model, if it does: no API
 * changes the card itself.
 */
export async function explainUtilityModel(memory: vscode.Memento): Promise<void> {
  if (memory.get(EXPLAINED) === true || !(await lacksUtilityModel())) return;
  await memory.update(EXPLAINED, true);
  const choose = l10n.t('Choose Utility Model…');
  const choice = await vscode.window.showInformationMessage(
    l10n.t(
      'The editor’s chat has no utility model yet. It writes titles and commit messages, and can be one of yours.',
    ),
    choose,
  );
  if (choice === choose) await vscode.commands.executeCommand('modelAccess.chooseUtilityModel');
}

async function lacksUtilityModel(): Promise<boolean> {
  const settings = vscode.workspace.getConfiguration(SECTION);
  const { defaultValue } = settings.inspect<string>(BY_DEFAULT) ?? {};
  if (defaultValue === undefined || settings.get(BY_DEFAULT) !== defaultValue) return false;
  if (MODELS.some((name) => (settings.get<string>(name) ?? '') !== '')) return false;
  return hasNoOtherModels();
}

function items(models: ModelList, chatModel: string): UtilityModelItem[] {
  const byPrice = models.state.models.toSorted((a, b) => priceOf(a) - priceOf(b));
  const main = models.find(chatModel);
  return [
    {
      label: l10n.t('The model of the chat'),
      detail: main === undefined ? chatModel : [chatModel, ...prices(main)].join(' · '),
      values: { ...none(), [BY_DEFAULT]: 'mainAgent' },
    },
    ...byPrice.map((model) => ({
      label: model.id,
      detail: prices(model).join(''),
      values: { ...none(), utilityModel: `${VENDOR}/${model.id}`, utilitySmallModel: `${VENDOR}/${model.id}` },
    })),
    { label: l10n.t('The editor’s default'), values: none() },
  ];
}

function none(): Values {
  return { [BY_DEFAULT]: undefined, utilityModel: undefined, utilitySmallModel: undefined };
}

function priceOf({ inputPrice, outputPrice }: Model): number {
  return inputPrice === undefined || outputPrice === undefined ? Number.POSITIVE_INFINITY : inputPrice + outputPrice;
}

function prices({ inputPrice, outputPrice }: Model): string[] {
  return inputPrice === undefined || outputPrice === undefined ? [] : [pricesText(inputPrice, outputPrice)];
}
