import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { familyTitle } from '../../display/models.ts';
import { formatPrice } from '../../display/money.ts';
import { formatWindow } from '../../display/tokens.ts';
import type { Model } from '../../service/modelCatalog.ts';
import type { CommandTable } from '../commands/commands.ts';
import type { JsonDocuments } from '../documents/jsonDocuments.ts';
import type { ModelList } from './modelList.ts';

/** The chat's model. */
export interface ChosenModel {
  readonly model: string;
  chooseModel(model: string): Promise<void>;
}

/** @param session shows the chat whose model is chosen. */
export function modelCommands(
  list: ModelList,
  session: { readonly parameters: ChosenModel },
  documents: JsonDocuments,
): CommandTable {
  return {
    'modelAccess.showModels': {
      needsConnection: true,
      run: () => pickModel(list, session.parameters, documents, l10n.t('Service models')),
    },
    'modelAccess.chooseModel': {
      needsConnection: true,
      run: () => pickModel(list, session.parameters, documents, l10n.t('Model for the chat')),
    },
    'modelAccess.refreshModels': { needsConnection: true, run: () => list.refresh() },
  };
}

interface ChatModelItem extends vscode.QuickPickItem {
  readonly model?: Model;
}

/**
 * Lists the catalog by family, with context windows and prices. Choosing a model uses it in the chat; its button shows
 * its catalog entry.
 */
async function pickModel(list: ModelList, chat: ChosenModel, documents: JsonDocuments, title: string): Promise<void> {
  if (list.state.models.length === 0) await list.refresh();
  const { models, problem, state } = list.state;
  if (models.length === 0) throw new Error(`${l10n.t('The service lists no models.')} ${problem ?? ''}`.trim());
  const pick = vscode.window.createQuickPick<ChatModelItem>();
  pick.title = state === 'stale' ? l10n.t('{0} (last known list)', title) : title;
  pick.placeholder = l10n.t('Choose the model for the chat');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = itemsByFamily(models, chat.model);
  pick.onDidTriggerItemButton(({ item }) => documents.show(item.label, item.model?.raw));
  pick.onDidAccept(async () => {
    const chosen = pick.selectedItems[0]?.model;
    pick.hide();
    if (chosen !== undefined) await chat.chooseModel(chosen.id);
  });
  pick.onDidHide(() => pick.dispose());
  pick.show();
}

function itemsByFamily(models: readonly Model[], current: string): ChatModelItem[] {
  const families = Map.groupBy(models, familyTitle);
  return [...families].flatMap(([family, members]) => [
    { label: family, kind: vscode.QuickPickItemKind.Separator },
    ...members.map((model) => toItem(model, current)),
  ]);
}

function toItem(model: Model, current: string): ChatModelItem {
  return {
    model,
    label: model.id,
    description: model.id === current ? l10n.t('in use') : '',
    detail: facts(model).join(' · '),
    buttons: [{ iconPath: new vscode.ThemeIcon('json'), tooltip: l10n.t('Show raw entry') }],
  };
}

/** The model's properties in the catalog. Missing ones are omitted. */
function facts({ contextWindow, inputPrice, outputPrice, tools, images, reasoning }: Model): string[] {
  const abilities = [tools && l10n.t('tools'), images && l10n.t('images'), reasoning && l10n.t('reasoning')].filter(
    (word) => !!word,
  );
  return [
    ...(contextWindow === undefined ? [] : [l10n.t('{0} context', formatWindow(contextWindow))]),
    ...(inputPrice === undefined ? [] : [l10n.t('{0} in', formatPrice(inputPrice))]),
    ...(outputPrice === undefined ? [] : [l10n.t('{0} out per 1M tokens', formatPrice(outputPrice))]),
    ...(abilities.length === 0 ? [] : [abilities.join(', ')]),
  ];
}
