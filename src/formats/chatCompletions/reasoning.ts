/**
 * Decodes and encodes reasoning. Text is in `reasoning_content`. Data that must be sent back unchanged (a signature,
 * encrypted reasoning) is in `reasoning_details`, a list that other gateways use for the same purpose. Its entries are
 * of type `reasoning.text` {text, signature} or `reasoning.encrypted` {data}; entries of one part share their `index`.
 */
import type { Reasoning, ReasoningPart } from '../conversation.ts';
import { defined } from '../defined.ts';
import type { WireReasoning, WireReasoningDetail } from './contentSchema.ts';
import type { ChatCompletionsRequest } from './schema.ts';

type Seal = Omit<ReasoningPart, 'type' | 'text'>;

/** One entry, or adjacent entries of one part. `key` identifies the part; an entry without it matches any part. */
export interface ReasoningPiece {
  readonly key?: number;
  readonly text: string;
  readonly seal?: Seal;
}

/** Decodes the reasoning of a message or delta. The plain field is used only if the details contain no text. */
export function decodeReasoning(wire: WireReasoning): ReasoningPiece[] {
  const plain = wire.reasoning_content || wire.reasoning || '';
  if (!wire.reasoning_details) return plain === '' ? [] : [{ text: plain }];
  const pieces = joinNeighbours(wire.reasoning_details.map(decodeDetail));
  if (plain === '' || pieces.some(({ text }) => text !== '')) return pieces;
  const [first, ...rest] = pieces;
  return first === undefined ? [{ text: plain }] : [{ ...first, text: plain }, ...rest];
}

function decodeDetail({ index, id, text, summary, signature, data }: WireReasoningDetail): ReasoningPiece {
  const sealed = Boolean(signature || data);
  const seal = defined({ signature: signature || undefined, encrypted: data || undefined, itemId: id ?? undefined });
  return {
    ...defined({ key: index ?? undefined }),
    text: text ?? summary ?? '',
    ...(sealed && { seal }),
  };
}

function joinNeighbours(pieces: readonly ReasoningPiece[]): ReasoningPiece[] {
  const joined: ReasoningPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (last === undefined || last.key === undefined || last.key !== piece.key) {
      joined.push(piece);
      continue;
    }
    const seal = { ...last.seal, ...piece.seal };
    const sealed = Object.keys(seal).length > 0;
    joined[joined.length - 1] = { ...last, text: last.text + piece.text, ...(sealed && { seal }) };
  }
  return joined;
}

export function decodeReasoningParts(wire: WireReasoning): ReasoningPart[] {
  return decodeReasoning(wire)
    .filter(({ text, seal }) => text !== '' || seal !== undefined)
    .map(({ text, seal }) => ({ type: 'reasoning', text, ...seal }));
}

/** Details are written only if there is a signature or encrypted reasoning. */
export function encodeReasoningParts(parts: readonly ReasoningPart[]): WireReasoning {
  const text = parts.map((part) => part.text).join('');
  const sealed = parts.some((part) => part.signature !== undefined || part.encrypted !== undefined);
  return {
    ...(text !== '' && { reasoning_content: text }),
    ...(sealed && {
      reasoning_details: parts.flatMap((part, index) => [...textDetail(part, index), ...encodeSeal(part, index)]),
    }),
  };
}

function textDetail({ text }: ReasoningPart, index: number): WireReasoningDetail[] {
  return text === '' ? [] : [{ type: 'reasoning.text', text, index }];
}

export function encodeSeal({ signature, encrypted, itemId }: Seal, index: number): WireReasoningDetail[] {
  const details: WireReasoningDetail[] = [];
  if (signature !== undefined) details.push(defined({ type: 'reasoning.text', signature, index, id: itemId }));
  if (encrypted !== undefined) {
    details.push(defined({ type: 'reasoning.encrypted', data: encrypted, index, id: itemId }));
  }
  return details;
}

/** Reads the format's own member, and the member of multi-model services. */
export function decodeReasoningAsked({ reasoning_effort, reasoning }: ChatCompletionsRequest): Reasoning | undefined {
  if (reasoning?.enabled === false) return { effort: 'none' };
  const asked = defined({
    effort: reasoning_effort || reasoning?.effort || undefined,
    budgetTokens: reasoning?.max_tokens ?? undefined,
    summary: reasoning?.summary ?? undefined,
  });
  if (Object.keys(asked).length > 0) return asked;
  return reasoning?.enabled ? { adaptive: true } : undefined;
}

/** The maximum budget in tokens for each effort, because this format has no budgets. */
const BUDGETS: readonly (readonly [tokens: number, effort: string])[] = [
  [4096, 'low'],
  [16_384, 'medium'],
];

export function encodeEffort(reasoning: Reasoning | undefined): string | undefined {
  if (reasoning?.effort !== undefined) return reasoning.effort;
  const budget = reasoning?.budgetTokens;
  if (budget === undefined) return undefined;
  return BUDGETS.find(([tokens]) => budget <= tokens)?.[1] ?? 'high';
}
