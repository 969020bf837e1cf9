/** Web citations of an answer. In this format, positions refer to the whole text of the answer. */
import { citationOf, citedPage, spanOf } from '../citation.ts';
import type { PlacedCitation, TextSpan } from '../conversation.ts';
import type { ChatAnnotation } from './contentSchema.ts';

/** @returns undefined for an annotation of another kind or without content. */
export function decodeAnnotation({ url_citation: page }: ChatAnnotation): PlacedCitation | undefined {
  const citation = page ? citationOf({ url: page.url, title: page.title, quote: page.content }) : undefined;
  return citation === undefined ? undefined : { citation, ...spanOf(page ?? {}) };
}

interface Cited extends PlacedCitation {
  /** Index of the neutral part. */
  readonly index: number;
}

/** The annotations of an answer, collected until its text is complete. */
export class AnnotationList {
  readonly #parts = new Map<number, TextSpan>();
  readonly #cited: Cited[] = [];
  #length = 0;

  /** Adds this number of characters to the part. */
  addText(index: number, length: number): void {
    const start = this.#parts.get(index)?.start ?? this.#length;
    this.#length += length;
    this.#parts.set(index, { start, end: this.#length });
  }

  /** @returns false if this format does not support it. */
  add(index: number, cited: PlacedCitation): boolean {
    if (citedPage(cited) === undefined) return false;
    this.#cited.push({ ...cited, index });
    return true;
  }

  wire(): ChatAnnotation[] {
    return this.#cited.flatMap((cited) => this.#encode(cited));
  }

  #encode({ index, span, ...cited }: Cited): ChatAnnotation[] {
    const page = citedPage(cited);
    const part = this.#parts.get(index) ?? { start: 0, end: 0 };
    if (page === undefined) return [];
    const { url, title = url, quote } = page;
    const start_index = span === undefined ? part.start : part.start + span.start;
    const end_index = span === undefined ? part.end : part.start + span.end;
    const url_citation = { url, title, start_index, end_index, ...(quote !== undefined && { content: quote }) };
    return [{ type: 'url_citation', url_citation }];
  }
}
