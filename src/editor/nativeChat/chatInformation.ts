import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { shortModelName } from '../../display/models.ts';
import { formatWindow } from '../../display/tokens.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { extraInformation, pricesText } from './nativeExtras.ts';

/** Defaults for models whose limits are not in the catalog: sizes that all recent models support. In tokens. */
const DEFAULT_WINDOW = 128_000;
const DEFAULT_OUTPUT = 16_000;

/** A model of the catalog as the editor's model picker shows it. Its ID is the service's, so it stays the same. */
export function chatInformation(
  model: Model,
  serviceName: string,
  defaultModel = '',
): vscode.LanguageModelChatInformation {
  const { id, displayName, contextWindow = DEFAULT_WINDOW, tools = true, images = false } = model;
  const maxOutputTokens = Math.min(model.maxOutputTokens ?? DEFAULT_OUTPUT, Math.floor(contextWindow / 2));
  return {
    id,
    name: displayName ?? shortModelName(id),
    family: model.family ?? id,
    version: id,
    maxInputTokens: contextWindow - maxOutputTokens,
    maxOutputTokens,
    detail: serviceName,
    tooltip: describe(model),
    capabilities: { toolCalling: tools, imageInput: images },
    ...extraInformation(model, id === defaultModel),
  };
}

function describe({ id, contextWindow, inputPrice, outputPrice }: Model): string {
  const window = contextWindow === undefined ? [] : [l10n.t('{0} context', formatWindow(contextWindow))];
  const price = inputPrice === undefined || outputPrice === undefined ? [] : [pricesText(inputPrice, outputPrice)];
  return [id, ...window, ...price].join(' · ');
}
