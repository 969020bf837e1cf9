import { citationOf, citedPage } from '../citation.ts';
import type { Citation, PlacedCitation } from '../conversation.ts';
import type { WireCitation } from './schema.ts';

/** @returns undefined when nothing is said that could be shown. */
export function decodeCitation(wire: WireCitation): Citation | undefined {
  return citationOf({
    url: wire.url ?? wire.source,
    title: wire.title ?? wire.document_title,
    quote: wire.cited_text,
  });
}

/**
 * As a page that the service has found. What proves that is for the service that made it, and nobody can invent it. The
 * words that it stands for are those of its block, whatever its span.
 * @returns undefined when this format has no place for it.
 */
export function encodeCitation(cited: PlacedCitation): WireCitation | undefined {
  const page = citedPage(cited);
  if (page === undefined) return undefined;
  const { url, title = null, quote = '' } = page;
  return { type: 'web_search_result_location', url, title, cited_text: quote, encrypted_index: '' };
}
