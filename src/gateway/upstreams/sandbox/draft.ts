import type { AssistantPart, FinishReason, Usage } from '../../../formats/conversation.ts';
import { estimateTokens } from '../../../tokens/estimate.ts';

/** What the model says, before it has an id and a price. */
export interface Draft {
  readonly parts: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  readonly stopSequence?: string;
}

/** The text of a part that counts as output. */
export function textOf(part: AssistantPart): string {
  return part.type === 'toolCall' ? part.arguments : part.text;
}

/** The draft's usage; its tokens are counted by the same rule as the input. */
export function usageOf({ parts }: Draft, inputTokens: number): Usage {
  const thoughts = parts.filter(({ type }) => type === 'reasoning');
  const reasoning = thoughts.length > 0 ? { reasoningTokens: sum(thoughts) } : {};
  return { inputTokens, outputTokens: sum(parts), ...reasoning };
}

function sum(parts: readonly AssistantPart[]): number {
  return parts.reduce((total, part) => total + tokensOf(part), 0);
}

function tokensOf(part: AssistantPart): number {
  return estimateTokens(textOf(part)) + (part.type === 'toolCall' ? estimateTokens(part.name) : 0);
}

/** The draft up to the first stop sequence in its text, which is not part of the answer. */
export function stopAt(draft: Draft, stopSequences: readonly string[]): Draft {
  for (const [index, part] of draft.parts.entries()) {
    if (part.type !== 'text') continue;
    const stop = firstStop(part.text, stopSequences);
    if (stop === undefined) continue;
    const said = part.text.slice(0, stop.position);
    const parts = [...draft.parts.slice(0, index), ...(said === '' ? [] : [{ ...part, text: said }])];
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

/** The draft cut where its tokens are used up, in the middle of a part if need be. */
export function cutTo(maxTokens: number, draft: Draft): Draft {
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

/** What fits of a part, or undefined when nothing does. A seal belongs to whole reasoning only, so it is left out. */
function shorten(part: AssistantPart, maxTokens: number): AssistantPart | undefined {
  if (part.type === 'toolCall') {
    const left = maxTokens - estimateTokens(part.name);
    return left <= 0 ? undefined : { ...part, arguments: fitting(part.arguments, left) };
  }
  const text = fitting(part.text, maxTokens);
  if (text === '') return undefined;
  return part.type === 'reasoning' ? { type: 'reasoning', text } : { ...part, text };
}

/** The longest beginning of the text found to have no more than that many tokens; it splits no character. */
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
