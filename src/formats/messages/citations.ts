import { citationOf, citedPage } from '../citation.ts';
import type { PlacedCitation, TextPart } from '../conversation.ts';
import { defined } from '../json.ts';
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

/** A piece of text with the same citations throughout. */
export interface CitedPiece {
  readonly text: string;
  readonly citations: readonly PlacedCitation[];
}

/** Each piece lists all of its citations, so the size would grow with the square of their number. */
const MAX_CITATIONS = 1_000;

/**
 * Splits a text where a citation begins or ends. No part of the text is lost. Whitespace belongs to the piece before
 * it, because services reject blocks without a visible character. A text with more than {@link MAX_CITATIONS} citations
 * is not split.
 */
export function piecesOf(text: string, citations: readonly PlacedCitation[]): readonly CitedPiece[] {
  if (citations.length > MAX_CITATIONS) return text.trim() === '' ? [] : [{ text, citations }];
  const spans = citations.map(({ span }) => clamped(span ?? { start: 0, end: text.length }, text.length));
  const cuts = [...new Set([0, ...spans.flatMap(({ start, end }) => [start, end]), text.length])].sort((a, b) => a - b);
  const pieces: CitedPiece[] = [];
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    const end = cuts[index + 1] ?? start;
    const piece = text.slice(start, end);
    const cited = citations.filter((_, at) => (spans[at]?.start ?? 0) <= start && end <= (spans[at]?.end ?? 0));
    const last = pieces.at(-1);
    if (last !== undefined && (piece.trim() === '' || last.text.trim() === '')) {
      const joined = last.text.trim() === '' ? cited : last.citations;
      pieces.splice(-1, 1, { text: last.text + piece, citations: joined });
    } else pieces.push({ text: piece, citations: cited });
  }
  return pieces.filter((piece) => piece.text.trim() !== '');
}

function clamped({ start, end }: { readonly start: number; readonly end: number }, length: number) {
  const from = Math.min(Math.max(0, start), length);
  return { start: from, end: Math.min(Math.max(from, end), length) };
}
