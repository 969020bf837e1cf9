/** The models of other extensions, by the names that the gateway has for them. */
import * as vscode from 'vscode';
import { VENDOR } from '../nativeChat/vendor.ts';

/** Our own models are left out: the gateway has them already, and a request would go round in a circle. */
export async function modelsOfOthers(): Promise<vscode.LanguageModelChat[]> {
  const models = await vscode.lm.selectChatModels();
  return models.filter(({ vendor }) => vendor !== VENDOR);
}

export function nameOf({ vendor, id }: vscode.LanguageModelChat): string {
  return `${vendor}/${id}`;
}

/** By `vendor/id`, or else by `vendor/family`. */
export async function findModel(name: string): Promise<vscode.LanguageModelChat | undefined> {
  const models = await modelsOfOthers();
  return (
    models.find((model) => nameOf(model) === name) ??
    models.find(({ vendor, family }) => `${vendor}/${family}` === name)
  );
}
