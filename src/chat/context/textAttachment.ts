import { randomUUID } from 'node:crypto';
import { estimateTokens } from '../../tokens/estimate.ts';
import type { Attachment } from '../conversation/record.ts';

export type TextOfAttachment = Pick<Attachment, 'kind' | 'label' | 'path' | 'languageId' | 'text' | 'note'>;

/** An attachment whose tokens are known. */
export type CountedAttachment = Attachment & { readonly tokens: number };

/** Creates an attachment with text content, and estimates its tokens. */
export function textAttachment(content: TextOfAttachment): CountedAttachment {
  return { id: randomUUID(), ...content, tokens: estimateTokens(content.text) };
}
