/** The system prompt of a request. */
import type { TextPart } from '../conversation.ts';
import { decodeText } from './content.ts';
import type { CountTokensRequest } from './schema.ts';

type System = CountTokensRequest['system'];

/** A coding agent's line for its own service. It differs in each request, so that no prefix would be cached. */
export const BILLING_NOTE = 'x-anthropic-billing-header';
const NOTE_LINE = new RegExp(`^\\s*${BILLING_NOTE}:[^\\n]*\\n*`);

export function decodeSystem(system: System): TextPart[] {
  const parts = decodeText(system ?? []);
  if (!hasBillingNote(system)) return parts;
  return parts.flatMap((part) => {
    const text = part.text.replace(NOTE_LINE, '');
    return text === '' ? [] : [{ ...part, text }];
  });
}

export function hasBillingNote(system: System): boolean {
  const texts = typeof system === 'string' ? [system] : (system ?? []).map(({ text }) => text);
  return texts.some((text) => NOTE_LINE.test(text));
}
