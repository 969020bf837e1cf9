import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Command, CommandTable } from '../commands/commands.ts';
import type { JsonDocuments } from '../documents/jsonDocuments.ts';
import type { ChosenModel } from '../models/modelCommands.ts';
import type { ModelList } from '../models/modelList.ts';
import { MODEL_USES, type ModelUse, type ModelUses } from '../models/modelUses.ts';
import { subjectOf } from '../rows/row.ts';
import type { Settings } from '../settings/settings.ts';
import { forgetRefusal, type RefusalServices } from './refusals.ts';
import { useTitle } from './useTitle.ts';

export interface ModelsViewCommandServices extends RefusalServices {
  readonly models: ModelList;
  readonly modelUses: ModelUses;
  readonly session: { readonly parameters: ChosenModel };
  readonly settings: Settings;
  readonly documents: JsonDocuments;
}

/** The commands on the rows of the Models view. */
export function modelsViewCommands(services: ModelsViewCommandServices): CommandTable {
  const { models, modelUses, session, settings, documents } = services;
  return {
    'modelAccess.useModel': onModel((model) => session.parameters.chooseModel(model)),
    'modelAccess.useModelForChat': onModel((model) => modelUses.choose('chat', model)),
    'modelAccess.useModelForExplain': onModel((model) => modelUses.choose('explain', model)),
    'modelAccess.useModelForCommitMessage': onModel((model) => modelUses.choose('commitMessage', model)),
    'modelAccess.addFavouriteModel': onModel((model) =>
      settings.setFavoriteModels([...settings.favoriteModels.filter((name) => name !== model), model]),
    ),
    'modelAccess.removeFavouriteModel': onModel((model) =>
      settings.setFavoriteModels(settings.favoriteModels.filter((name) => name !== model)),
    ),
    'modelAccess.copyModelName': onModel(async (model) => {
      await vscode.env.clipboard.writeText(model);
      vscode.window.setStatusBarMessage(l10n.t('Name copied'), 3000);
    }),
    'modelAccess.showModelEntry': onModel((model) => documents.show(model, models.find(model)?.raw ?? null)),
    'modelAccess.forgetRefusal': onModel(async (id) => {
      await forgetRefusal(services, id);
      await vscode.commands.executeCommand('modelAccess.refreshModels');
    }),
    'modelAccess.chooseDefaultModel': {
      needsConnection: true,
      run: (row) => chooseDefault(models, modelUses, subjectOf(row)),
    },
  };
}

/**
 * Does nothing without a row, because these commands exist only in the context menus of rows. The subject of most rows
 * is a model.
 */
function onModel(run: (model: string) => unknown): Command {
  return {
    run: (row) => {
      const model = subjectOf(row);
      return model === undefined ? undefined : run(model);
    },
  };
}

interface UseItem extends vscode.QuickPickItem {
  readonly use?: ModelUse;
  /** Chooses the model for a use that has prices or settings of its own. */
  readonly command?: string;
}

interface ViewModelItem extends vscode.QuickPickItem {
  readonly model: string | undefined;
}

/** @param subject A use. If it is undefined, the user is asked. */
async function chooseDefault(list: ModelList, uses: ModelUses, subject: string | undefined): Promise<void> {
  const use = MODEL_USES.find((name) => name === subject) ?? (await askUse(uses));
  if (use === undefined) return;
  if (list.state.models.length === 0) await list.refresh();
  const current = uses.chosen(use);
  const items: ViewModelItem[] = list.state.models.map(({ id }) => ({
    label: id,
    description: id === current ? l10n.t('in use') : '',
    model: id,
  }));
  const usual = use === 'chat' ? l10n.t('Default model') : l10n.t('Same as chat');
  const placeHolder = l10n.t('Which model do you want to use?');
  const choice = await vscode.window.showQuickPick([{ label: usual, model: undefined }, ...items], {
    title: useTitle(use),
    placeHolder,
  });
  if (choice !== undefined) await uses.choose(use, choice.model);
}

async function askUse(uses: ModelUses): Promise<ModelUse | undefined> {
  const items: UseItem[] = [
    ...MODEL_USES.map((use) => ({ label: useTitle(use), description: uses.modelFor(use), use })),
    { label: l10n.t('Model for inline suggestions'), command: 'modelAccess.chooseInlineSuggestionModel' },
    { label: l10n.t('Utility model of the editor’s chat'), command: 'modelAccess.chooseUtilityModel' },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: l10n.t('Default models') });
  if (chosen?.command !== undefined) await vscode.commands.executeCommand(chosen.command);
  return chosen?.use;
}
