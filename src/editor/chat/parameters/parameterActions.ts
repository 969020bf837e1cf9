import * as vscode from 'vscode';
import type { ChatSession } from '../chatSession.ts';
import type { ParameterValues } from '../protocol.ts';
import { readParameters } from './parameters.ts';

/** Takes over what the panel decided, beside the model and the format, which have pickers of their own. */
export function setParameters(session: ChatSession, values: ParameterValues): void {
  const { model, format } = session.conversation.value.parameters;
  const parameters = readParameters({
    ...values,
    ...(model !== undefined && { model }),
    ...(format !== undefined && { format }),
  });
  if (parameters === undefined) throw new Error('These parameters are out of range.');
  session.setParameters(parameters);
}

/** Asks for a name, and saves under it what holds for the conversation now. */
export async function savePreset(session: ChatSession): Promise<void> {
  const name = await vscode.window.showInputBox({
    title: 'Save as a preset',
    prompt: 'Model, format and parameters of this conversation. A preset of the same name is replaced.',
    placeHolder: 'Name, such as “Short answers”',
    validateInput: (text) => (text.trim() === '' ? 'A preset needs a name.' : undefined),
  });
  if (name !== undefined) await session.parameters.savePreset(name.trim(), session.conversation.value.parameters);
}

/** @throws when the preset cannot be read: it may have been written by hand. */
export function usePreset(session: ChatSession, name: string): void {
  const preset = session.parameters.preset(name);
  if (preset === undefined) {
    throw new Error(`The preset “${name}” cannot be used. Look at “modelAccess.chat.presets” in the settings.`);
  }
  session.setParameters(preset);
}
