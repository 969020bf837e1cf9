/**
 * Editor features beyond the stable API, detected at run time. Without them, the stable API is used. No other code of
 * the extension depends on them. `targetChatSessionType` is not set: a model that has one is offered only for sessions of
 * that type, and no longer in the chat.
 */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatPrice } from '../../display/money.ts';
import type { ReasoningPart } from '../../formats/conversation.ts';
import { defined, isRecord } from '../../formats/json.ts';
import type { Usage } from '../../formats/usage.ts';
import { REASONING_EFFORTS } from '../../rules/reasoningEffort.ts';
import type { Model } from '../../service/modelCatalog.ts';

/** The vendor of the extension's models in the editor, as in the manifest. */
export const VENDOR = 'model-access';

type Constructor = new (value: string, id?: string, metadata?: object) => vscode.LanguageModelResponsePart;

/** The role of instructions in some hosts; the stable API has only the user and the assistant. */
const SYSTEM_ROLE = 3;

/** The member of a thinking part's metadata with the data that a service needs back. */
const SEAL = 'modelAccess';

/** The MIME type of the editor's prompt cache marks. */
const CACHE_MARK = 'cache_control';

/** The value that leaves the choice to the model. */
const DEFAULT_EFFORT = 'usual';

/**
 * Members that hosts without support for them ignore.
 * @param isDefault whether the editor's chat begins with the model.
 */
export function extraInformation(model: Model, isDefault = false): object {
  const schema = model.reasoning && { configurationSchema: effortSchema() };
  return { isUserSelectable: true, ...(isDefault && { isDefault }), ...pricesOf(model), ...schema };
}

/**
 * Whether the editor's chat has no models of the vendor that its account pays for. Whoever has them would otherwise be
 * moved to a model that the service key pays for.
 */
export async function hasNoOtherModels(): Promise<boolean> {
  return (await vscode.lm.selectChatModels({ vendor: 'copilot' })).length === 0;
}

/** The picker shows costs in credits per 1M tokens. A credit is one cent. */
const CREDITS_PER_DOLLAR = 100;

function pricesOf({ inputPrice, outputPrice, cachedInputPrice, cacheWritePrice }: Model): object {
  const credits = (usd: number | undefined) => usd && Number((usd * CREDITS_PER_DOLLAR).toFixed(4));
  const known = inputPrice !== undefined && outputPrice !== undefined;
  return defined({
    inputCost: credits(inputPrice),
    outputCost: credits(outputPrice),
    cacheCost: credits(cachedInputPrice),
    cacheWriteCost: credits(cacheWritePrice),
    pricing: known ? pricesText(inputPrice, outputPrice) : undefined,
    priceCategory: known ? priceCategory(inputPrice, outputPrice) : undefined,
  });
}

/** Classifies the price of three input tokens to one output token, a typical chat, in US dollars per 1M tokens. */
function priceCategory(input: number, output: number): string {
  const price = (3 * input + output) / 4;
  if (price < 2.5) return 'low';
  if (price < 8) return 'medium';
  return price < 25 ? 'high' : 'very_high';
}

/** Whether a part marks the end of a prefix that the service may cache. */
export function isCacheMark(part: unknown): boolean {
  return part instanceof vscode.LanguageModelDataPart && part.mimeType === CACHE_MARK;
}

/** Prices are in US dollars per 1M tokens. */
export function pricesText(input: number, output: number): string {
  return l10n.t('{0} in, {1} out per 1M tokens', formatPrice(input), formatPrice(output));
}

/**
 * The schema of the option that the model picker offers for a model. Hosts know the member's name and show its group
 * there.
 */
function effortSchema(): object {
  const words = [l10n.t('Default'), l10n.t('No reasoning'), l10n.t('Low'), l10n.t('Medium'), l10n.t('High')];
  const reasoningEffort = {
    type: 'string',
    title: l10n.t('Reasoning'),
    enum: [DEFAULT_EFFORT, ...REASONING_EFFORTS],
    enumItemLabels: words,
    default: DEFAULT_EFFORT,
    group: 'navigation',
  };
  return { type: 'object', properties: { reasoningEffort } };
}

/** The reasoning effort that the user chose in the picker; `undefined` if it is left to the model. */
export function effortOf(options: object): string | undefined {
  const chosen = 'modelConfiguration' in options ? options.modelConfiguration : undefined;
  const effort = isRecord(chosen) ? chosen.reasoningEffort : undefined;
  return REASONING_EFFORTS.find((known) => known === effort);
}

export function isSystem({ role }: vscode.LanguageModelChatRequestMessage): boolean {
  return Number(role) === SYSTEM_ROLE;
}

/**
 * @param seal with the model that wrote the reasoning.
 * @returns `undefined` if the host does not support thinking parts.
 */
export function thinkingPart(
  text: string,
  seal?: ReasoningPart & { readonly model: string },
): vscode.LanguageModelResponsePart | undefined {
  const Part = thinkingConstructor();
  return Part && new Part(text, undefined, seal && { [SEAL]: seal });
}

/**
 * Returns reasoning that the host sends back, with its seal. Services need it beside the tool calls that followed it. Only
 * the model that wrote it can read it.
 */
export function sealedReasoning(part: unknown, model: string): ReasoningPart | undefined {
  const Part = thinkingConstructor();
  if (Part === undefined || !(part instanceof Part) || !('metadata' in part) || !isRecord(part.metadata))
    return undefined;
  const seal = part.metadata[SEAL];
  if (!isRecord(seal) || seal.model !== model) return undefined;
  const { text, signature, encrypted, itemId } = seal;
  return {
    type: 'reasoning',
    text: typeof text === 'string' ? text : '',
    ...(typeof signature === 'string' && { signature }),
    ...(typeof encrypted === 'string' && { encrypted }),
    ...(typeof itemId === 'string' && { itemId }),
  };
}

function thinkingConstructor(): Constructor | undefined {
  const api: Record<string, unknown> = { ...vscode };
  const { LanguageModelThinkingPart: Part } = api;
  return isConstructor(Part) ? Part : undefined;
}

/** The usage for the host's context meter, in the only spelling that it reads. */
export function usagePart({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage): vscode.LanguageModelDataPart {
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
  };
  return new vscode.LanguageModelDataPart(Buffer.from(JSON.stringify(usage)), 'usage');
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function';
}
