/** Web citations of an answer's text. */
import { citationOf, citedPage, spanOf } from '../citation.ts';
import type { PlacedCitation, TextPart } from '../conversation.ts';
import { LOG_PROBS } from '../dropped.ts';
import { asLogProbs, decodeLogProbs, hasUnreadable } from '../logProbs.ts';
import type { OutputText, ResponsesAnnotation } from './contentSchema.ts';
import type { MessageItem } from './schema.ts';

/** @returns undefined for an annotation with nothing to show. */
export function decodeAnnotation(wire: ResponsesAnnotation): PlacedCitation | undefined {
  const citation = citationOf({ url: wire.url, title: wire.title ?? wire.filename, quote: undefined });
  return citation === undefined ? undefined : { citation, ...spanOf(wire) };
}

/**
 * @param length length of the whole text, in characters.
 * @returns undefined if this format does not support it.
 */
export function encodeAnnotation(cited: PlacedCitation, length: number): ResponsesAnnotation | undefined {
  const page = citedPage(cited);
  if (page === undefined) return undefined;
  const { url, title = url } = page;
  const { start, end } = cited.span ?? { start: 0, end: length };
  return { type: 'url_citation', url, title, start_index: start, end_index: end };
}

export function decodeOutputText({ text, annotations, logprobs }: OutputText): TextPart {
  const citations = (annotations ?? []).flatMap((annotation) => decodeAnnotation(annotation) ?? []);
  return { type: 'text', text, ...(citations.length > 0 && { citations }), ...asLogProbs(decodeLogProbs(logprobs)) };
}

/** Encodes the text of an earlier answer as a string, which every service accepts, unless it has citations. */
export function encodeAnswerText({ text, citations = [] }: TextPart): MessageItem['content'] {
  const annotations = citations.flatMap((cited) => encodeAnnotation(cited, text.length) ?? []);
  return annotations.length === 0 ? text : [{ type: 'output_text', text, annotations }];
}

/** The name reported for annotations that the neutral form does not support. */
export const ANNOTATIONS = 'annotations';

export function droppedFromText({ annotations, logprobs }: OutputText): string[] {
  const isDropped = annotations?.some((annotation) => decodeAnnotation(annotation) === undefined);
  return [...(isDropped ? [ANNOTATIONS] : []), ...(hasUnreadable(logprobs) ? [LOG_PROBS] : [])];
}
