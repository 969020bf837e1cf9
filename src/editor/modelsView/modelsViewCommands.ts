import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';
import type { Command, CommandTable } from '../commands/commands.ts';
import type { JsonDocuments } from '../documents/jsonDocuments.ts';
import { copyText } from '../doneMessage.ts';
import type { ChosenModel } from '../models/modelCommands.ts';
import type { ModelList } from '../models/modelList.ts';
import { MODEL_USES, type ModelUses } from '../models/modelUses.ts';
import { subjectOf } from '../rows/row.ts';
import { forgetRefusal, type RefusalServices } from './refusals.ts';
import { useTitle } from './useTitle.ts';

export interface ModelsViewCommandServices extends RefusalServices, Pick<BaseServices, 'models' | 'settings'> {
  readonly modelUses: ModelUses;
  readonly session: { readonly parameters: ChosenModel };
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
      settings.set('models.favourites', [...settings.favoriteModels.filter((name) => name !== model), model]),
    ),
    'modelAccess.removeFavouriteModel': onModel((model) =>
      settings.set(
        'models.favourites',
        settings.favoriteModels.filter((name) => name !== model),
      ),
    ),
    'modelAccess.copyModelName': onModel(async (model) => {
      await copyText(model, l10n.t('Name copied'));
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

interface ViewModelItem extends vscode.QuickPickItem {
  readonly model: string | undefined;
}

/** @param subject A use. If it is undefined, the rows of all uses are shown, in the Models view. */
async function chooseDefault(list: ModelList, uses: ModelUses, subject: string | undefined): Promise<void> {
  const use = MODEL_USES.find((name) => name === subject);
  if (use === undefined) return void (await vscode.commands.executeCommand('modelAccess.models.focus'));
  if (list.state.models.length === 0) await list.refresh();
  const current = uses.chosen(use);
  const items: ViewModelItem[] = list.all.map(({ id }) => ({
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
