import { citationOf } from '../citation.ts';
import type { Citation } from '../conversation.ts';
import type { WireCitation } from './schema.ts';

/** @returns undefined when nothing is said that could be shown. */
export function decodeCitation(wire: WireCitation): Citation | undefined {
  return citationOf({
    url: wire.url ?? wire.source,
    title: wire.title ?? wire.document_title,
    quote: wire.cited_text,
  });
}
