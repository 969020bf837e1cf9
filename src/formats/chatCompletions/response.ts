import type { ChatResponse, FinishReason } from '../answer.ts';
import { endedEarly, FormatError } from '../apiError.ts';
import { citationOf } from '../citation.ts';
import type { AssistantPart, ImagePart, PlacedCitation } from '../conversation.ts';
import { asDropped, IMAGES, otherMembers, otherTypes } from '../dropped.ts';
import { readForeignPart } from '../foreignParts.ts';
import { defined, isRecord } from '../json.ts';
import { asLogProbs, decodeLogProbs, encodeLogProbs, hasUnreadable } from '../logProbs.ts';
import { checkAnswer } from '../tolerant.ts';
import { withUnlistedPrice } from '../usage.ts';
import type { AnswerContext } from '../wireFormat.ts';
import { AnnotationList, decodeAnnotation } from './annotations.ts';
import { decodeContent, encodeImage } from './content.ts';
import {
  assistantFields,
  type CallOfSomeType,
  type ChatAnnotation,
  isKnownPart,
  type WireAnswer,
  type WireChoiceLogProbs,
} from './contentSchema.ts';
import { otherCalls } from './dropped.ts';
import { decodeError, hasFailedBase } from './errors.ts';
import { decodeAnswerParts, encodeAnswerRest } from './messages.ts';
import { type ChatCompletionsResponse, responseSchema } from './schema.ts';
import { encodeOlderCall } from './tools.ts';
import { decodeUsage, encodeUsage } from './usage.ts';

/**
 * Decodes an answer, using only the first of several choices.
 * @throws {FormatError} with the name of the invalid field, or with the message of an error that was sent as an answer.
 */
export function decodeResponse(body: unknown, unnamedId = UNKNOWN_ID): ChatResponse {
  // A schema that fails costs as much as one that fits.
  const failure =
    isRecord(body) && (body.error !== undefined || body.object === 'error' || (!body.choices && hasFailedBase(body)))
      ? decodeError(body)
      : undefined;
  if (failure !== undefined) throw new FormatError(failure.message, 'error');
  const answer = checkAnswer(responseSchema, body);
  const { id, model, created, choices, usage } = answer;
  const choice = choices.find(({ index }) => index === 0) ?? choices[0];
  const word = choice.finish_reason;
  const reason = !word || word === 'null' ? 'stop' : word;
  if (isFailure(reason)) throw new FormatError(endedEarly(reason), 'choices.0.finish_reason');
  const { message, logprobs } = choice;
  const about = { annotations: message.annotations, logprobs };
  const drawn = decodeContent(message.content).filter((part) => part.type === 'image');
  const said = [...decodeAnswerParts(message, id || unnamedId), ...drawn, ...imagesIn(message.images)];
  const parts = withTextDetails(said, about, sourcesIn(answer));
  const hasToolCalls = parts.some(({ type }) => type === 'toolCall');
  return {
    id: id || unnamedId,
    model: model ?? '',
    ...defined({ createdAt: created ?? undefined }),
    parts,
    finishReason: decodeFinishReason(reason, hasToolCalls),
    ...defined({ usage: withUnlistedPrice(decodeUsage(usage), answer, usage) }),
    ...asDropped(droppedFrom(message, about)),
  };
}

export function encodeResponse(response: ChatResponse, { now, request }: AnswerContext): ChatCompletionsResponse {
  const { id, model, createdAt, parts, finishReason, usage } = response;
  const texts = parts.filter((part) => part.type === 'text');
  const content = texts.length > 0 ? texts.map(({ text }) => text).join('') : null;
  const logProbs = texts.flatMap((text) => text.logProbs ?? []);
  const annotations = annotationsOf(parts);
  const images = parts.filter((part) => part.type === 'image');
  return {
    id: encodeAnswerId(id),
    object: 'chat.completion',
    created: Math.floor(createdAt ?? now),
    model,
    system_fingerprint: null,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: null,
          ...(annotations.length > 0 && { annotations }),
          ...(images.length > 0 && { images: images.map(encodeImage) }),
          ...(request.olderCalls ? encodeOlderRest(parts) : encodeAnswerRest(parts)),
        },
        logprobs: logProbs.length > 0 ? { content: encodeLogProbs(logProbs), refusal: null } : null,
        finish_reason: encodeFinishReason(finishReason, request.olderCalls),
      },
    ],
    ...(usage !== undefined && { usage: encodeUsage(usage) }),
  };
}

function encodeOlderRest(parts: readonly AssistantPart[]): Omit<WireAnswer, 'content'> {
  const call = parts.find((part) => part.type === 'toolCall');
  const rest = encodeAnswerRest(parts.filter(({ type }) => type !== 'toolCall'));
  return { ...rest, ...(call !== undefined && { function_call: encodeOlderCall(call) }) };
}

function annotationsOf(parts: readonly AssistantPart[]): ChatAnnotation[] {
  const list = new AnnotationList();
  for (const [index, part] of parts.entries()) {
    if (part.type !== 'text') continue;
    list.addText(index, part.text.length);
    for (const cited of part.citations ?? []) list.add(index, cited);
  }
  return list.wire();
}

export type AboutText = Pick<WireAnswer, 'annotations'> & { readonly logprobs?: WireChoiceLogProbs };

export function citationsIn({ annotations }: AboutText): PlacedCitation[] {
  return (annotations ?? []).flatMap((annotation) => decodeAnnotation(annotation) ?? []);
}

interface CitedSources {
  readonly citations?: readonly unknown[] | null | undefined;
  readonly search_results?: readonly unknown[] | null | undefined;
}

/** Returns the pages that some services list beside the whole answer, by their addresses or as objects, each once. */
export function sourcesIn({ citations, search_results: results }: CitedSources): PlacedCitation[] {
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
function withTextDetails(
  parts: readonly AssistantPart[],
  about: AboutText,
  sources: readonly PlacedCitation[],
): readonly AssistantPart[] {
  if (!about.annotations && !about.logprobs && sources.length === 0) return parts;
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

/** The format's own finish reasons, and those of other formats that its servers pass on. */
const DECODED: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  length: 'length',
  tool_calls: 'toolCalls',
  function_call: 'toolCalls',
  content_filter: 'contentFilter',
  end_turn: 'stop',
  eos: 'stop',
  eos_token: 'stop',
  complete: 'stop',
  completed: 'stop',
  done: 'stop',
  end: 'stop',
  stop_sequence: 'stopSequence',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'contextWindow',
  tool_use: 'toolCalls',
  tool_call: 'toolCalls',
  refusal: 'refusal',
  safety: 'contentFilter',
  sensitive: 'contentFilter',
  recitation: 'contentFilter',
  blocklist: 'contentFilter',
  prohibited_content: 'contentFilter',
  spii: 'contentFilter',
  pause_turn: 'pause',
};

/** Whether an answer was interrupted. Only known words are a normal end: `abort` and the like must not look complete. */
export function isFailure(reason: string): boolean {
  return !Object.hasOwn(DECODED, reason.toLowerCase());
}

/** Whether there are tool calls depends on the content, whatever the server reports. A missing reason is a natural end. */
export function decodeFinishReason(wire: string | null | undefined, hasToolCalls: boolean): FinishReason {
  const word = wire?.toLowerCase() ?? 'stop';
  const reason = Object.hasOwn(DECODED, word) ? (DECODED[word] ?? 'stop') : 'stop';
  if (reason === 'stop' && hasToolCalls) return 'toolCalls';
  if (reason === 'toolCalls' && !hasToolCalls) return 'stop';
  return reason;
}

const ENCODED: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  stopSequence: 'stop',
  pause: 'stop',
  length: 'length',
  contextWindow: 'length',
  toolCalls: 'tool_calls',
  refusal: 'content_filter',
  contentFilter: 'content_filter',
};

/** @param isOlder whether calls are sent in the older form. */
export function encodeFinishReason(reason: FinishReason, isOlder = false): string {
  return isOlder && reason === 'toolCalls' ? 'function_call' : ENCODED[reason];
}

const OWN_PREFIX = 'chatcmpl-';
const OTHER_PREFIXES = /^(msg|resp)_/;

/**
 * Returns the ID in the form that clients of this format expect. The same ID of another format always gives the same
 * result.
 */
export function encodeAnswerId(id: string): string {
  return id.startsWith(OWN_PREFIX) ? id : OWN_PREFIX + id.replace(OTHER_PREFIXES, '');
}

/** The ID for answers of servers that send none. */
export const UNKNOWN_ID = `${OWN_PREFIX}unknown`;
