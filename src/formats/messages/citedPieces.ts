import type { PlacedCitation } from '../conversation.ts';

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
