import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readParameters } from '../../../chat/conversation/parameters.ts';
import { defined } from '../../../formats/json.ts';
import type { ChatPanelMessage } from '../../../pages/chat/panelMessages.ts';
import type { ParameterChange } from '../../../pages/chat/protocol.ts';
import type { Customizations } from '../customizations/customizations.ts';
import type { ConversationParameters } from './conversationParameters.ts';
import type { Presets } from './presets.ts';

export type ParameterMessage = Extract<
  ChatPanelMessage,
  {
    type:
      | 'setParameters'
      | 'checkParameters'
      | 'setInstructions'
      | 'openInstructions'
      | 'savePreset'
      | 'usePreset'
      | 'removePreset';
  }
>;

export interface ParameterActionsServices {
  readonly presets: Presets;
  readonly customizations: Customizations;
  readonly checkParameters: () => Promise<void>;
}

/** Performs the actions on the parameters of a chat. */
export function receiveParameters(
  message: ParameterMessage,
  parameters: ConversationParameters,
  { presets, customizations, checkParameters }: ParameterActionsServices,
): unknown {
  switch (message.type) {
    case 'setParameters':
      return setParameters(parameters, message.change);
    case 'checkParameters':
      return checkParameters();
    case 'setInstructions':
      return setInstructions(parameters, message.isSent);
    case 'openInstructions':
      return customizations.ready().then((files) => files.openSent());
    case 'savePreset':
      return savePreset(parameters, presets);
    case 'usePreset':
      return usePreset(parameters, presets, message.name);
    case 'removePreset':
      return presets.remove(message.name);
  }
}

/** Applies the panel's changes. With `null`, a parameter follows the settings again. */
function setParameters(parameters: ConversationParameters, change: ParameterChange): void {
  const decided = Object.entries({ ...parameters.own, ...change });
  const checked = readParameters(Object.fromEntries(decided.filter(([, value]) => value !== null)));
  if (checked === undefined) throw new Error(l10n.t('These parameters are out of range.'));
  parameters.decide(checked);
}

/** Asks for a name, and saves the conversation's current parameters under it. */
async function savePreset(parameters: ConversationParameters, presets: Presets): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: l10n.t('Save as preset'),
    prompt: l10n.t(
      'A preset stores the model, format, and parameters of this chat. It replaces a preset with the same name.',
    ),
    placeHolder: l10n.t('Name, such as “Short answers”'),
  });
  // Which instructions are sent depends on the workspace, and a preset must not make a chat act.
  const { instructions: _, mode: __, agent: ___, ...preset } = parameters.withModel;
  if (name !== undefined && name.trim() !== '') await presets.save(name.trim(), preset);
}

/** @throws if the preset is invalid: it may have been written by hand. */
function usePreset(parameters: ConversationParameters, presets: Presets, name: string): void {
  const preset = presets.find(name);
  if (preset === undefined) {
    throw new Error(l10n.t('The preset “{0}” cannot be used. Check “modelAccess.chat.presets” in the settings.', name));
  }
  const { instructions, mode, agent } = parameters.own;
  const { mode: _, agent: __, ...rest } = preset;
  parameters.decide({ ...rest, ...defined({ instructions, mode, agent }) });
}

/** Turns the workspace's instructions on or off for this conversation. */
export function setInstructions(parameters: ConversationParameters, isSent: boolean): void {
  const { instructions: _, ...others } = parameters.own;
  parameters.decide(isSent ? others : { ...others, instructions: false });
}
