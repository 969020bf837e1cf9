import { randomUUID } from 'node:crypto';
import { estimateTokens } from '../../../tokens/estimate.ts';
import type { Attachment } from '../conversation/record.ts';

export type TextOfAttachment = Pick<Attachment, 'kind' | 'label' | 'path' | 'languageId' | 'text' | 'note'>;

/** Creates an attachment with text content, and estimates its tokens. */
export function textAttachment(content: TextOfAttachment): Attachment {
  return { id: randomUUID(), ...content, tokens: estimateTokens(content.text) };
}
