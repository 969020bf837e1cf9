import { citationOf, citedPage } from '../citation.ts';
import type { PlacedCitation, TextPart } from '../conversation.ts';
import { defined } from '../defined.ts';
import { piecesOf } from './citedPieces.ts';
import { encodeCacheHint } from './content.ts';
import type { RequestBlock, WireCitation } from './schema.ts';

/** @returns undefined when nothing is said that could be shown. */
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
 * As a page that the service has found, without the proof where it comes from elsewhere: nobody can invent one. The words
 * that it stands for are those of its block, whatever its span.
 * @returns undefined when this format has no place for it.
 */
export function encodeCitation(cited: PlacedCitation): WireCitation | undefined {
  const page = citedPage(cited);
  if (page === undefined) return undefined;
  const { url, title = null, quote = '' } = page;
  return { type: 'web_search_result_location', url, title, cited_text: quote, encrypted_index: cited.proof ?? '' };
}

/**
 * The text of an earlier answer. The service takes back the citations that it has made itself, by their proofs; others
 * are left out. Each stands for the whole of its block, so the text is cut where one begins or ends.
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
