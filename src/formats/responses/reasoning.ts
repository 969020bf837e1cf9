/** Converts reasoning to and from items. */
import type { ReasoningPart } from '../conversation.ts';
import { defined } from '../json.ts';
import type { ReasoningItem } from './schema.ts';

/**
 * The messages format's signatures are sent as encrypted content, which clients of this format return unread. The prefix
 * distinguishes the two; no service's encrypted content contains a colon.
 */
const SIGNATURE_MARK = 'signature:';

/** Separates the parts of a summary. */
export const SUMMARY_BREAK = '\n\n';

export type ReasoningSeal = Pick<ReasoningPart, 'signature' | 'encrypted' | 'itemId'>;

export function decodeReasoning(item: ReasoningItem): ReasoningPart {
  return { type: 'reasoning', text: reasoningText(item), ...decodeSeal(item) };
}

/** Returns the summary, which is what the service wants to show. Some services send the reasoning itself instead. */
export function reasoningText({ summary, content }: ReasoningItem): string {
  const shown = (summary ?? []).map(({ text }) => text).join(SUMMARY_BREAK);
  return shown === '' ? (content ?? []).map(({ text }) => text ?? '').join('') : shown;
}

export function decodeSeal({ id, encrypted_content }: ReasoningItem): ReasoningSeal {
  const sealed = encrypted_content ?? '';
  return defined({
    signature: sealed.startsWith(SIGNATURE_MARK) ? sealed.slice(SIGNATURE_MARK.length) : undefined,
    encrypted: sealed !== '' && !sealed.startsWith(SIGNATURE_MARK) ? sealed : undefined,
    itemId: id || undefined,
  });
}

/** Returns the content that a client must return unread. */
export function encryptedContent({ signature, encrypted }: ReasoningSeal): string | undefined {
  return encrypted ?? (signature === undefined ? undefined : SIGNATURE_MARK + signature);
}

export function encodeSummary(text: string) {
  return text === '' ? [] : [{ type: 'summary_text', text }];
}
