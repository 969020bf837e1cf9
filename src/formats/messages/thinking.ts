/** Converts reasoning to and from thinking blocks. */
import type { ReasoningPart } from '../conversation.ts';
import { defined } from '../json.ts';
import type { ResponseBlock } from './schema.ts';

/** All members of a reasoning part except its text. */
export type ThinkingSeal = Omit<ReasoningPart, 'type' | 'text'>;

/**
 * There is no field for another format's encrypted reasoning. Clients return signatures unchanged, so it is sent as a
 * signature: `encrypted:<item ID>:<data>`.
 */
const FOREIGN_SEAL = /^encrypted:([^:]*):(.*)$/s;

export function decodeSignature(signature: string | null | undefined): ThinkingSeal {
  if (signature === null || signature === undefined || signature === '') return {};
  const [whole, itemId, encrypted] = FOREIGN_SEAL.exec(signature) ?? [];
  if (whole === undefined || encrypted === undefined) return { signature };
  return defined({ encrypted, itemId: itemId === '' ? undefined : itemId });
}

/** Returns an empty string if there is no signature. */
export function encodeSignature({ signature, encrypted, itemId }: ThinkingSeal): string {
  if (signature !== undefined) return signature;
  return encrypted === undefined ? '' : `encrypted:${itemId ?? ''}:${encrypted}`;
}

/** Whether the part is this format's redacted thinking, which has neither text nor ID. */
export function isRedacted(
  part: Omit<ReasoningPart, 'type'>,
): part is Omit<ReasoningPart, 'type'> & { encrypted: string } {
  return part.encrypted !== undefined && part.text === '' && part.itemId === undefined;
}

type ThinkingBlock =
  | {
      readonly type: 'thinking';
      readonly thinking?: string | null | undefined;
      readonly signature?: string | null | undefined;
    }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** Decodes a block to one part, or to none if it has neither text nor a signature. */
export function decodeThinking(block: ThinkingBlock): ReasoningPart[] {
  if (block.type === 'redacted_thinking') return [{ type: 'reasoning', text: '', encrypted: block.data }];
  const seal = decodeSignature(block.signature);
  const text = block.thinking ?? '';
  return text === '' && Object.keys(seal).length === 0 ? [] : [{ type: 'reasoning', text, ...seal }];
}

/** Encodes reasoning for an answer, signed or not. */
export function encodeThinking(part: ReasoningPart): ResponseBlock[] {
  if (isRedacted(part)) return [{ type: 'redacted_thinking', data: part.encrypted }];
  const signature = encodeSignature(part);
  if (part.text === '' && signature === '') return [];
  return [{ type: 'thinking', thinking: part.text, signature }];
}

/**
 * Encodes reasoning for a request. Only reasoning that the service signed is sent, because it rejects anything else.
 */
export function encodeOwnThinking(part: ReasoningPart) {
  if (isRedacted(part)) return [{ type: 'redacted_thinking' as const, data: part.encrypted }];
  if (part.signature === undefined) return [];
  return [{ type: 'thinking' as const, thinking: part.text, signature: part.signature }];
}
