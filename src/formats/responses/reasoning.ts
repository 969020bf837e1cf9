/** What the model thought, as items hold it. */
import type { ReasoningPart } from '../conversation.ts';
import { defined } from '../defined.ts';
import type { ReasoningItem } from './schema.ts';

/**
 * The messages format's signatures travel as encrypted content, which clients of this format give back unread. The mark
 * tells the two apart; no service's encrypted content has a colon.
 */
const SIGNATURE_MARK = 'signature:';

/** Between the parts of a summary. */
export const SUMMARY_BREAK = '\n\n';

export type Seal = Pick<ReasoningPart, 'signature' | 'encrypted' | 'itemId'>;

export function decodeReasoning(item: ReasoningItem): ReasoningPart {
  return { type: 'reasoning', text: reasoningText(item), ...decodeSeal(item) };
}

/** The summary is what the service wants shown; some services give the thoughts themselves instead. */
export function reasoningText({ summary, content }: ReasoningItem): string {
  const shown = (summary ?? []).map(({ text }) => text).join(SUMMARY_BREAK);
  return shown === '' ? (content ?? []).map(({ text }) => text ?? '').join('') : shown;
}

export function decodeSeal({ id, encrypted_content }: ReasoningItem): Seal {
  const sealed = encrypted_content ?? '';
  return defined({
    signature: sealed.startsWith(SIGNATURE_MARK) ? sealed.slice(SIGNATURE_MARK.length) : undefined,
    encrypted: sealed !== '' && !sealed.startsWith(SIGNATURE_MARK) ? sealed : undefined,
    itemId: id || undefined,
  });
}

/** What a client is to give back unread. */
export function encryptedContent({ signature, encrypted }: Seal): string | undefined {
  return encrypted ?? (signature === undefined ? undefined : SIGNATURE_MARK + signature);
}

export function encodeSummary(text: string) {
  return text === '' ? [] : [{ type: 'summary_text', text }];
}
