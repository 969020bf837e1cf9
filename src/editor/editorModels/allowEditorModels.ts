import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { modelsOfOthers, nameOf } from './modelChoice.ts';

interface ModelItem extends vscode.QuickPickItem {
  readonly model: vscode.LanguageModelChat;
}

/** Lets the user choose models, and sends each a short request, so that the editor asks for consent. */
export async function allowEditorModels(access: vscode.LanguageModelAccessInformation): Promise<void> {
  const models = await modelsOfOthers();
  const undecided = models.filter((model) => access.canSendRequest(model) !== true);
  if (undecided.length === 0) {
    const none = l10n.t('No other extension provides models in this editor.');
    const all = l10n.t(
      'The gateway can already use all models of other extensions, or the editor asks when a model is first used.',
    );
    void vscode.window.showInformationMessage(models.length === 0 ? none : all);
    return;
  }
  const chosen = await vscode.window.showQuickPick(undecided.map(asItem), {
    title: l10n.t('Allow Editor Models for the Gateway'),
    placeHolder: l10n.t(
      'Tools outside the editor can then use these models through your accounts with their providers',
    ),
    canPickMany: true,
  });
  for (const { model } of chosen ?? []) await askConsent(model);
}

function asItem(model: vscode.LanguageModelChat): ModelItem {
  return { label: model.name || nameOf(model), description: nameOf(model), model };
}

/** The editor's decision covers all models of an extension. The request is canceled as soon as it is allowed. */
async function askConsent(model: vscode.LanguageModelChat): Promise<void> {
  const source = new vscode.CancellationTokenSource();
  const justification = l10n.t('Tools outside the editor will use this model through the Model Access gateway.');
  try {
    await model.sendRequest([vscode.LanguageModelChatMessage.User('Hello')], { justification }, source.token);
  } catch (error) {
    if (!(error instanceof vscode.LanguageModelError && error.code === 'NoPermissions')) throw error;
    void vscode.window.showInformationMessage(l10n.t('The gateway still cannot use “{0}”.', nameOf(model)));
  } finally {
    source.cancel();
    source.dispose();
  }
}
