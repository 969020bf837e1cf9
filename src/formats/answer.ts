/** Answers in the neutral form, complete and streamed, and each as the other, so that any upstream can serve any client. */
import { type ApiError, FormatError } from './apiError.ts';
import type { AssistantPart, MediaSource, PlacedCitation, TextPart, TokenLogProb } from './conversation.ts';
import type { JsonObject } from './json.ts';
import { asLogProbs } from './logProbs.ts';
import type { Usage } from './usage.ts';

/** Why an answer ended. `stop` is the natural end of a turn. */
export type FinishReason =
  | 'stop'
  | 'stopSequence'
  | 'length'
  | 'toolCalls'
  | 'refusal'
  | 'contentFilter'
  | 'pause'
  | 'contextWindow';

export interface ChatResponse {
  readonly id: string;
  readonly model: string;
  readonly createdAt?: number;
  readonly parts: readonly AssistantPart[];
  readonly finishReason: FinishReason;
  /** The sequence that ended the answer, with finish reason `stopSequence`. */
  readonly stopSequence?: string;
  readonly usage?: Usage;
  /** Names of part types and members that this form does not support, each once. */
  readonly dropped?: readonly string[];
}

/**
 * One event of a streamed answer. `index` numbers the parts of the answer from 0 in the order of their start. A part of
 * text, reasoning, or refusal begins with its first delta and ends when another part begins. Only tool calls may
 * overlap. Only `usage` may follow `finish`, and nothing follows `error`.
 */
export type ChatEvent =
  | {
      readonly type: 'start';
      readonly id: string;
      readonly model: string;
      readonly createdAt?: number;
    }
  /** `logProbs` belong to the tokens of this delta. They may be less than a character, and then the text is empty. */
  | {
      readonly type: 'textDelta';
      readonly index: number;
      readonly text: string;
      readonly logProbs?: readonly TokenLogProb[];
    }
  /** `itemId` is set on the first delta if it is known by then; the seal repeats it. */
  | { readonly type: 'reasoningDelta'; readonly index: number; readonly text: string; readonly itemId?: string }
  /** The remaining members of a reasoning part. Follows its deltas, or is the only event of the part. */
  | {
      readonly type: 'reasoningSeal';
      readonly index: number;
      readonly signature?: string;
      readonly encrypted?: string;
      readonly itemId?: string;
      readonly details?: readonly JsonObject[];
    }
  /** Belongs to the text of the part `index`, and may arrive before, between, or after its deltas. */
  | ({ readonly type: 'citation'; readonly index: number } & PlacedCitation)
  | { readonly type: 'refusalDelta'; readonly index: number; readonly text: string }
  | {
      readonly type: 'toolCallStart';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly namespace?: string;
      readonly freeForm?: true;
      readonly toolSearch?: true;
      readonly itemId?: string;
      readonly extra?: JsonObject;
    }
  | { readonly type: 'toolCallDelta'; readonly index: number; readonly arguments: string }
  | { readonly type: 'toolCallEnd'; readonly index: number; readonly extra?: JsonObject }
  /** A whole part. */
  | { readonly type: 'image'; readonly index: number; readonly source: MediaSource }
  /**
   * `isPartial` if it was reported before the end of the answer, so that it may not cover all of it. Explicitly false if
   * it covers all of an answer that fails.
   */
  | { readonly type: 'usage'; readonly usage: Usage; readonly isPartial?: boolean }
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stopSequence?: string }
  | { readonly type: 'error'; readonly error: ApiError }
  /**
   * An event that does not match its format. The stream continues; `data` is the beginning of the event. `isLost` if it
   * may have contained output, so that the answer cannot end cleanly.
   */
  | { readonly type: 'malformed'; readonly problem: string; readonly data: string; readonly isLost?: true };

export type PartEvent = Extract<ChatEvent, { readonly index: number }>;

type ResponseDraft = { -readonly [K in keyof ChatResponse]?: ChatResponse[K] };

/**
 * Assembles the events of a finished stream.
 * @throws {FormatError} if the stream contains an error, or has no start or finish.
 */
export function assembleResponse(events: Iterable<ChatEvent>): ChatResponse {
  const answer: ResponseDraft = {};
  const parts: GrowingPart[] = [];
  for (const event of events) {
    if (event.type === 'error') throw new FormatError(event.error.message, 'stream');
    if (event.type === 'start') {
      answer.id = event.id;
      answer.model = event.model;
      if (event.createdAt !== undefined) answer.createdAt = event.createdAt;
    } else if (event.type === 'usage') {
      answer.usage = event.usage;
    } else if (event.type === 'finish') {
      answer.finishReason = event.reason;
      if (event.stopSequence !== undefined) answer.stopSequence = event.stopSequence;
    } else {
      addToPart(parts, event);
    }
  }
  const { id, model, finishReason, ...rest } = answer;
  if (id === undefined || model === undefined) throw new FormatError('The stream had no start.', 'stream');
  if (finishReason === undefined) throw new FormatError('The stream ended before the answer did.', 'stream');
  return { id, model, finishReason, ...rest, parts: parts.filter((part) => part !== undefined) };
}

/** A text whose lists grow in place: copying them for each event would take quadratic time. */
interface GrowingText extends Omit<TextPart, 'text' | 'logProbs' | 'citations'> {
  text: string;
  logProbs?: TokenLogProb[];
  citations?: PlacedCitation[];
}

type GrowingPart = Exclude<AssistantPart, TextPart> | GrowingText;

function addToPart(parts: GrowingPart[], event: ChatEvent): void {
  if (!('index' in event)) return;
  const part = parts[event.index];
  switch (event.type) {
    case 'textDelta': {
      const block = textOf(part);
      block.text += event.text;
      for (const logProb of event.logProbs ?? []) {
        block.logProbs ??= [];
        block.logProbs.push(logProb);
      }
      parts[event.index] = block;
      return;
    }
    case 'citation': {
      const { type: _, index, ...cited } = event;
      const block = textOf(part);
      block.citations ??= [];
      block.citations.push(cited);
      parts[index] = block;
      return;
    }
    case 'refusalDelta':
      parts[event.index] = { type: 'refusal', text: (part?.type === 'refusal' ? part.text : '') + event.text };
      return;
    case 'reasoningDelta':
      parts[event.index] =
        part?.type === 'reasoning'
          ? { ...part, text: part.text + event.text }
          : { type: 'reasoning', text: event.text };
      return;
    case 'reasoningSeal': {
      const { type: _, index, ...seal } = event;
      parts[index] = { type: 'reasoning', text: part?.type === 'reasoning' ? part.text : '', ...seal };
      return;
    }
    case 'toolCallStart': {
      const { type: _, index, ...call } = event;
      parts[index] = { type: 'toolCall', ...call, arguments: '' };
      return;
    }
    case 'toolCallDelta':
      if (part?.type === 'toolCall') parts[event.index] = { ...part, arguments: part.arguments + event.arguments };
      return;
    case 'toolCallEnd':
      return;
    case 'image':
      parts[event.index] = { type: 'image', source: event.source };
      return;
  }
}

function textOf(part: GrowingPart | undefined): GrowingText {
  return part?.type === 'text' ? part : { type: 'text', text: '' };
}

/** Returns what the model has written of a part. */
export function writtenText(part: AssistantPart): string {
  if (part.type === 'toolCall') return part.arguments;
  return part.type === 'image' ? '' : part.text;
}

export function* responseEvents(response: ChatResponse): Generator<ChatEvent> {
  const { id, model, createdAt, parts, finishReason, stopSequence, usage } = response;
  yield { type: 'start', id, model, ...(createdAt !== undefined && { createdAt }) };
  for (const [index, part] of parts.entries()) yield* partEvents(part, index);
  if (usage !== undefined) yield { type: 'usage', usage };
  yield { type: 'finish', reason: finishReason, ...(stopSequence !== undefined && { stopSequence }) };
}

function* partEvents(part: AssistantPart, index: number): Generator<ChatEvent> {
  switch (part.type) {
    case 'text':
      yield { type: 'textDelta', index, text: part.text, ...asLogProbs(part.logProbs ?? []) };
      for (const cited of part.citations ?? []) yield { type: 'citation', index, ...cited };
      return;
    case 'refusal':
      yield { type: 'refusalDelta', index, text: part.text };
      return;
    case 'reasoning': {
      const { type: _, text, ...seal } = part;
      const { itemId } = seal;
      if (text !== '') yield { type: 'reasoningDelta', index, text, ...(itemId !== undefined && { itemId }) };
      if (Object.keys(seal).length > 0) yield { type: 'reasoningSeal', index, ...seal };
      return;
    }
    case 'toolCall': {
      const { type: _, arguments: args, cacheHint: __, ...call } = part;
      yield { type: 'toolCallStart', index, ...call };
      yield { type: 'toolCallDelta', index, arguments: args };
      yield { type: 'toolCallEnd', index };
      return;
    }
    case 'image':
      yield { type: 'image', index, source: part.source };
      return;
  }
}
