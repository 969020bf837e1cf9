import { type FinishReason, writtenText } from '../formats/answer.ts';
import type { AssistantPart } from '../formats/conversation.ts';
import type { Usage } from '../formats/usage.ts';
import { estimateTokens } from '../tokens/estimate.ts';

/** The model's output, before it has an ID and a price. */
export interface SandboxAnswer {
  readonly parts: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  readonly stopSequence?: string;
  /** Written by a person in advance, and therefore worth reading while it arrives. */
  readonly isPrepared?: boolean;
}

/** Returns the draft's usage. Output tokens are estimated by the same rule as the input. */
export function usageOf({ parts }: SandboxAnswer, inputTokens: number): Usage {
  const thoughts = parts.filter(({ type }) => type === 'reasoning');
  const reasoning = thoughts.length > 0 ? { reasoningTokens: sum(thoughts) } : {};
  return { inputTokens, outputTokens: sum(parts), ...reasoning };
}

function sum(parts: readonly AssistantPart[]): number {
  return parts.reduce((total, part) => total + tokensOf(part), 0);
}

function tokensOf(part: AssistantPart): number {
  return estimateTokens(writtenText(part)) + (part.type === 'toolCall' ? estimateTokens(part.name) : 0);
}

/** Ends the draft before the first stop sequence in its text. */
export function stopAt(draft: SandboxAnswer, stopSequences: readonly string[]): SandboxAnswer {
  for (const [index, part] of draft.parts.entries()) {
    if (part.type !== 'text') continue;
    const stop = firstStop(part.text, stopSequences);
    if (stop === undefined) continue;
    const text = part.text.slice(0, stop.position);
    const parts = [...draft.parts.slice(0, index), ...(text === '' ? [] : [{ ...part, text }])];
    return { parts, finishReason: 'stopSequence', stopSequence: stop.sequence };
  }
  return draft;
}

function firstStop(text: string, sequences: readonly string[]) {
  return sequences
    .filter((sequence) => sequence !== '')
    .map((sequence) => ({ sequence, position: text.indexOf(sequence) }))
    .filter(({ position }) => position >= 0)
    .reduce<{ sequence: string; position: number } | undefined>(
      (first, stop) => (first === undefined || stop.position < first.position ? stop : first),
      undefined,
    );
}

/** Cuts the draft off after this number of tokens, within a part if necessary. */
export function cutTo(maxTokens: number, draft: SandboxAnswer): SandboxAnswer {
  const parts: AssistantPart[] = [];
  let left = maxTokens;
  for (const part of draft.parts) {
    const tokens = tokensOf(part);
    if (tokens > left) {
      const rest = shorten(part, left);
      return { parts: rest === undefined ? parts : [...parts, rest], finishReason: 'length' };
    }
    left -= tokens;
    parts.push(part);
  }
  return draft;
}

/**
 * Returns what fits of a part, or undefined if nothing does. A signature is only valid for complete reasoning, so it is
 * removed.
 */
function shorten(part: AssistantPart, maxTokens: number): AssistantPart | undefined {
  if (part.type === 'image') return part;
  if (part.type === 'toolCall') {
    const left = maxTokens - estimateTokens(part.name);
    return left <= 0 ? undefined : { ...part, arguments: fitting(part.arguments, left) };
  }
  const text = fitting(part.text, maxTokens);
  if (text === '') return undefined;
  return part.type === 'reasoning' ? { type: 'reasoning', text } : { ...part, text };
}

/** Returns the longest beginning of the text with at most this number of tokens. Does not split surrogate pairs. */
function fitting(text: string, maxTokens: number): string {
  let fits = 0;
  let tooLong = text.length + 1;
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (estimateTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  const last = text.charCodeAt(fits - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? fits - 1 : fits);
}
