/**
 * What the editor takes beyond its stable API, found at run time: where it is missing, the stable surface does. Nothing
 * else in the extension knows of it.
 */
import * as vscode from 'vscode';
import { formatPrice } from '../../display/money.ts';
import type { Usage } from '../../formats/conversation.ts';
import { isRecord } from '../../service/json.ts';
import type { Model } from '../../service/modelCatalog.ts';

type Constructor = new (value: string) => vscode.LanguageModelResponsePart;

/** Instructions have a role in some hosts; the stable API knows the user and the assistant. */
const SYSTEM_ROLE = 3;

/** Members that hosts without them pass over. */
export function extraInformation({ inputPrice, outputPrice }: Model): object {
  const pricing =
    inputPrice === undefined || outputPrice === undefined
      ? {}
      : { pricing: `${formatPrice(inputPrice)} / ${formatPrice(outputPrice)}` };
  return { isUserSelectable: true, ...pricing };
}

export function isSystem({ role }: vscode.LanguageModelChatRequestMessage): boolean {
  return Number(role) === SYSTEM_ROLE;
}

/** `undefined` where the host has no place for reasoning. */
export function thinkingPart(text: string): vscode.LanguageModelResponsePart | undefined {
  const api: Record<string, unknown> = { ...vscode };
  const { LanguageModelThinkingPart: Part } = api;
  return isConstructor(Part) ? new Part(text) : undefined;
}

/** For the host's meter of the context, in the one spelling that it reads. */
export function usagePart({ inputTokens, outputTokens, cachedInputTokens = 0 }: Usage): vscode.LanguageModelDataPart {
  const usage = {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens },
  };
  return new vscode.LanguageModelDataPart(Buffer.from(JSON.stringify(usage)), 'usage');
}

/** What tools of the editor give back as a tree of elements, as far as it has text. */
export function textOfTree(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textOfTree).join('');
  if (!isRecord(part)) return '';
  const { text, children, node, value } = part;
  return [text, children, node, value].map(textOfTree).join('');
}

function isConstructor(value: unknown): value is Constructor {
  return typeof value === 'function';
}
