import { citationOf, citedPage } from '../citation.ts';
import type { PlacedCitation, TextPart } from '../conversation.ts';
import { defined } from '../json.ts';
import { piecesOf } from './citedPieces.ts';
import { encodeCacheHint } from './content.ts';
import type { RequestBlock, WireCitation } from './schema.ts';

/** @returns undefined if there is nothing to show. */
export function decodeCitation(wire: WireCitation): PlacedCitation | undefined {
  const citation = citationOf({
    url: wire.url ?? wire.source,
    title: wire.title ?? wire.document_title,
    quote: wire.cited_text,
  });
  const proof = wire.encrypted_index ? { proof: wire.encrypted_index } : {};
  return citation && { citation, ...proof };
}

/**
 * Encodes a citation as a page that the service found. If it comes from another service, it has no proof, because
 * proofs cannot be invented. It applies to its whole block, whatever its span.
 * @returns undefined if this format does not support it.
 */
export function encodeCitation(cited: PlacedCitation): WireCitation | undefined {
  const page = citedPage(cited);
  if (page === undefined) return undefined;
  const { url, title = null, quote = '' } = page;
  return { type: 'web_search_result_location', url, title, cited_text: quote, encrypted_index: cited.proof ?? '' };
}

/**
 * Encodes the text of an earlier answer. The service accepts only its own citations, identified by their proofs; others
 * are dropped. Each applies to its whole block, so the text is split where a citation begins or ends.
 */
export function encodeCitedText({ text, citations = [], cacheHint }: TextPart): RequestBlock[] {
  const proven = citations.filter(({ proof }) => proof !== undefined);
  const pieces = piecesOf(text, proven);
  return pieces.map((piece) => {
    const wire = piece.citations.flatMap((cited) => encodeCitation(cited) ?? []);
    const cache_control = piece === pieces.at(-1) ? encodeCacheHint(cacheHint) : undefined;
    return defined({ type: 'text', text: piece.text, citations: wire.length > 0 ? wire : undefined, cache_control });
  });
}
