import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { readParameters } from '../../../chat/conversation/parameters.ts';
import { defined } from '../../../formats/json.ts';
import type { ParameterChange } from '../../../pages/chat/protocol.ts';
import type { ChatSession } from '../chatSession.ts';

/** Applies the panel's changes. With `null`, a parameter follows the settings again. */
export function setParameters(session: ChatSession, change: ParameterChange): void {
  const decided = Object.entries({ ...session.parameters.own, ...change });
  const parameters = readParameters(Object.fromEntries(decided.filter(([, value]) => value !== null)));
  if (parameters === undefined) throw new Error(l10n.t('These parameters are out of range.'));
  session.parameters.decide(parameters);
}

/** Asks for a name, and saves the conversation's current parameters under it. */
export async function savePreset(session: ChatSession): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: l10n.t('Save as preset'),
    prompt: l10n.t(
      'A preset stores the model, format, and parameters of this chat. It replaces a preset with the same name.',
    ),
    placeHolder: l10n.t('Name, such as “Short answers”'),
  });
  // Which instructions are sent depends on the workspace, and a preset must not make a chat act.
  const { instructions: _, mode: __, agent: ___, ...preset } = session.parameters.withModel;
  if (name !== undefined && name.trim() !== '') await session.presets.save(name.trim(), preset);
}

/** @throws if the preset is invalid: it may have been written by hand. */
export function usePreset(session: ChatSession, name: string): void {
  const preset = session.presets.find(name);
  if (preset === undefined) {
    throw new Error(l10n.t('The preset “{0}” cannot be used. Check “modelAccess.chat.presets” in the settings.', name));
  }
  const { instructions, mode, agent } = session.parameters.own;
  const { mode: _, agent: __, ...rest } = preset;
  session.parameters.decide({ ...rest, ...defined({ instructions, mode, agent }) });
}

/** Turns the workspace's instructions on or off for this conversation. */
export function setInstructions(session: ChatSession, isSent: boolean): void {
  const { instructions: _, ...others } = session.parameters.own;
  session.parameters.decide(isSent ? others : { ...others, instructions: false });
}
