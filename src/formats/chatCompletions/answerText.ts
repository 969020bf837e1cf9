/** Annotations and log probabilities of an answer's text. */
import { citationOf } from '../citation.ts';
import type { AssistantPart, ImagePart, PlacedCitation } from '../conversation.ts';
import { IMAGES, otherMembers, otherTypes } from '../dropped.ts';
import { readForeignPart } from '../foreignParts.ts';
import { isRecord } from '../json.ts';
import { asLogProbs, decodeLogProbs, hasUnreadable } from '../logProbs.ts';
import { decodeAnnotation } from './annotations.ts';
import {
  assistantFields,
  type CallOfSomeType,
  isKnownPart,
  type WireAnswer,
  type WireChoiceLogProbs,
} from './contentSchema.ts';
import { otherCalls } from './dropped.ts';

export type AboutText = Pick<WireAnswer, 'annotations'> & { readonly logprobs?: WireChoiceLogProbs };

export function citationsIn({ annotations }: AboutText): PlacedCitation[] {
  return (annotations ?? []).flatMap((annotation) => decodeAnnotation(annotation) ?? []);
}

interface Sources {
  readonly citations?: readonly unknown[] | null | undefined;
  readonly search_results?: readonly unknown[] | null | undefined;
}

/** Returns the pages that some services list beside the whole answer, by their addresses or as objects, each once. */
export function sourcesIn({ citations, search_results: results }: Sources): PlacedCitation[] {
  // Most events have none.
  if (!citations && !results) return [];
  const found = new Map<string, PlacedCitation>();
  for (const source of [...(results ?? []), ...(citations ?? [])]) {
    const { url, title, snippet } = isRecord(source) ? source : { url: source };
    if (typeof url !== 'string' || url === '' || found.has(url)) continue;
    const words = { url, title: asText(title), quote: asText(snippet) };
    found.set(url, { citation: citationOf(words) ?? { url } });
  }
  return [...found.values()];
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Assigns everything to the first text, because this format has only one. */
export function withTextDetails(
  parts: readonly AssistantPart[],
  about: AboutText,
  sources: readonly PlacedCitation[] = [],
): readonly AssistantPart[] {
  const citations = [...citationsIn(about), ...sources];
  const logProbs = decodeLogProbs(about.logprobs?.content);
  const place = parts.findIndex(({ type }) => type === 'text');
  return parts.map((part, nth) =>
    nth !== place || part.type !== 'text'
      ? part
      : { ...part, ...(citations.length > 0 && { citations }), ...asLogProbs(logProbs) },
  );
}

/** Returns the images of a member that several services have beside the text. */
export function imagesIn(images: unknown): ImagePart[] {
  if (!Array.isArray(images)) return [];
  const parts = images.flatMap((image: unknown) => (isRecord(image) ? readForeignPart(image) : []));
  return parts.filter((part) => part.type === 'image');
}

interface WireMessage extends Pick<WireAnswer, 'content'> {
  readonly audio?: unknown;
  readonly images?: unknown;
  readonly tool_calls?: readonly CallOfSomeType[] | null | undefined;
}

/** Members of multi-model services that repeat what others say. */
const NOT_MISSED = ['name', 'tool_call_id', 'provider_specific_fields', 'reasoning_signature', 'thinking_blocks'];
const READ: ReadonlySet<string> = new Set([
  ...Object.keys(assistantFields),
  ...['role', 'audio', 'images', ...NOT_MISSED],
]);

function sizeOf(list: unknown): number {
  return Array.isArray(list) ? list.length : 0;
}

/** Returns the names of the members of a message or delta that the neutral form does not support. */
export function droppedFrom(message: WireMessage, about: AboutText): string[] {
  const { annotations, logprobs } = about;
  // Most deltas take this path, and a stream has thousands of them.
  let isPlain = !annotations && !logprobs && !message.audio && !message.images && !message.tool_calls;
  for (const name in message) if (!READ.has(name)) isPlain = false;
  if (isPlain && !Array.isArray(message.content)) return [];
  return [
    ...(Array.isArray(message.content) ? otherTypes(message.content, isKnownPart) : []),
    ...(message.audio ? ['audio'] : []),
    ...otherMembers(message, READ),
    ...otherCalls(message.tool_calls),
    ...(imagesIn(message.images).length < sizeOf(message.images) ? [IMAGES] : []),
    ...(annotations?.some((annotation) => decodeAnnotation(annotation) === undefined) ? ['annotations'] : []),
    ...(logprobs?.refusal?.length || hasUnreadable(logprobs?.content) ? ['logprobs'] : []),
  ];
}
