/** The models of other extensions, by their names in the gateway. */
import * as vscode from 'vscode';
import { VENDOR } from '../nativeChat/nativeExtras.ts';

/** Excludes the extension's own models: the gateway already offers them, and requests would loop. */
export async function modelsOfOthers(): Promise<vscode.LanguageModelChat[]> {
  const models = await vscode.lm.selectChatModels();
  return models.filter(({ vendor }) => vendor !== VENDOR);
}

export function nameOf({ vendor, id }: vscode.LanguageModelChat): string {
  return `${vendor}/${id}`;
}

/** Finds a model by `vendor/id`, or else by `vendor/family`. */
export async function findModel(name: string): Promise<vscode.LanguageModelChat | undefined> {
  const models = await modelsOfOthers();
  return (
    models.find((model) => nameOf(model) === name) ??
    models.find(({ vendor, family }) => `${vendor}/${family}` === name)
  );
}
