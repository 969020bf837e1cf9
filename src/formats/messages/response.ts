import type { ChatResponse, FinishReason } from '../answer.ts';
import { endedEarly, FormatError } from '../apiError.ts';
import type { AssistantPart, TextPart } from '../conversation.ts';
import { asDropped, CITATIONS, otherMembers, otherTypes } from '../dropped.ts';
import { defined } from '../json.ts';
import { checkAnswer } from '../tolerant.ts';
import { decodeCitation, encodeCitation } from './citations.ts';
import {
  isKnownResponseBlock,
  type KnownResponseBlock,
  type MessagesResponse,
  messagesResponse,
  type ResponseBlock,
  type StopDetails,
} from './schema.ts';
import { decodeThinking, encodeThinking } from './thinking.ts';
import { decodeInput, encodeInput } from './tools.ts';
import { decodeUsage, encodeUsage } from './usage.ts';
import { searchesIn, usageWithSearches } from './webSearches.ts';

const READ: ReadonlySet<string> = new Set(Object.keys(messagesResponse.shape));

/** @throws {FormatError} with the name of the invalid field. */
export function decodeResponse(body: unknown, unnamedId = UNKNOWN_ID): ChatResponse {
  const response = checkAnswer(messagesResponse, body);
  const blocks = blocksOf(response);
  const { stop_reason: stopReason } = response;
  if (stopReason && isFailure(stopReason)) throw new FormatError(endedEarly(stopReason), 'stop_reason');
  const explanation = explanationIn(response.stop_details);
  const said = blocks.filter(isKnownResponseBlock).flatMap(decodeBlock);
  const parts = explanation === '' ? said : [...said, { type: 'refusal' as const, text: explanation }];
  return defined({
    id: response.id || unnamedId,
    model: response.model ?? '',
    parts,
    finishReason: decodeStopReason(stopReason, hasCalls(parts)),
    stopSequence: response.stop_sequence ?? undefined,
    usage: decodeUsage(response.usage && usageWithSearches(response.usage, searchesIn(blocks))),
    ...asDropped([
      ...otherTypes(blocks, isKnownResponseBlock),
      ...droppedCitations(blocks),
      ...otherMembers(response, READ),
      ...droppedFromDetails(response.stop_details),
    ]),
  });
}

function blocksOf({ content }: MessagesResponse): readonly ResponseBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function droppedCitations(blocks: readonly ResponseBlock[]): string[] {
  const texts = blocks.filter(isKnownResponseBlock).filter((block) => block.type === 'text');
  const cited = texts.flatMap(({ citations }) => citations ?? []);
  return cited.some((citation) => decodeCitation(citation) === undefined) ? [CITATIONS] : [];
}

export function encodeResponse(response: ChatResponse): MessagesResponse {
  const stop_reason = encodeFinishReason(response.finishReason, hasCalls(response.parts));
  return {
    id: messageId(response.id),
    type: 'message',
    role: 'assistant',
    model: response.model,
    content: response.parts.flatMap(encodePart),
    stop_reason,
    stop_sequence: response.stopSequence ?? null,
    stop_details: stop_reason === 'refusal' ? UNEXPLAINED : null,
    usage: encodeUsage(response.usage),
  };
}

type TextBlockOfAnswer = Extract<KnownResponseBlock, { type: 'text' }>;

function hasCalls(parts: readonly AssistantPart[]): boolean {
  return parts.some((part) => part.type === 'toolCall');
}

function decodeBlock(block: KnownResponseBlock): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return block.text ? [{ type: 'text', text: block.text, ...decodeCitations(block.citations) }] : [];
    case 'thinking':
    case 'redacted_thinking':
      return decodeThinking(block);
    case 'tool_use':
      return [{ type: 'toolCall', id: block.id ?? '', name: block.name, arguments: decodeInput(block.input) }];
  }
}

function decodeCitations(wire: TextBlockOfAnswer['citations']): Pick<TextPart, 'citations'> {
  const citations = (wire ?? []).flatMap((each) => decodeCitation(each) ?? []);
  return citations.length === 0 ? {} : { citations };
}

function encodeText({ text, citations = [] }: TextPart): ResponseBlock[] {
  if (text === '') return [];
  const wire = citations.flatMap((cited) => encodeCitation(cited) ?? []);
  return [{ type: 'text', text, ...(wire.length > 0 && { citations: wire }) }];
}

function encodePart(part: AssistantPart): ResponseBlock[] {
  switch (part.type) {
    case 'text':
      return encodeText(part);
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return encodeThinking(part);
    case 'toolCall':
      return [{ type: 'tool_use', id: part.id, name: part.name, input: encodeInput(part) }];
    case 'image':
      return [];
  }
}

const STOP_REASONS = {
  stop: 'end_turn',
  stopSequence: 'stop_sequence',
  length: 'max_tokens',
  toolCalls: 'tool_use',
  refusal: 'refusal',
  contentFilter: 'refusal',
  pause: 'pause_turn',
  contextWindow: 'model_context_window_exceeded',
} as const satisfies Record<FinishReason, string>;

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stopSequence'],
  ['max_tokens', 'length'],
  ['tool_use', 'toolCalls'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
  ['model_context_window_exceeded', 'contextWindow'],
  // Words of other formats, which servers of several formats send here.
  ['stop', 'stop'],
  ['length', 'length'],
  ['max_output_tokens', 'length'],
  ['tool_calls', 'toolCalls'],
  ['content_filter', 'contentFilter'],
]);

/** Whether an answer was interrupted. Only known words are a normal end. */
export function isFailure(reason: string): boolean {
  return !FINISH_REASONS.has(reason);
}

/**
 * Corrects the reason by the content: an answer that stops after tool calls ended because of them, and an answer
 * without tool calls did not.
 */
function settled(reason: FinishReason, called: boolean): FinishReason {
  if (called && reason === 'stop') return 'toolCalls';
  return !called && reason === 'toolCalls' ? 'stop' : reason;
}

export function decodeStopReason(reason: string | null | undefined, called: boolean): FinishReason {
  return settled(FINISH_REASONS.get(reason ?? '') ?? 'stop', called);
}

export function encodeFinishReason(reason: FinishReason, called: boolean): string {
  return STOP_REASONS[settled(reason, called)];
}

/** The name reported for details that the neutral form does not support. */
const STOP_DETAILS = 'stop_details';
const READ_OF_DETAILS: ReadonlySet<string> = new Set(['type', 'explanation']);

/** Returns the service's explanation of a refusal, which the refusal's text consists of. Empty if there is none. */
export function explanationIn(details: StopDetails | null | undefined): string {
  return details?.explanation ?? '';
}

export function droppedFromDetails(details: StopDetails | null | undefined): string[] {
  return details && otherMembers(details, READ_OF_DETAILS).length > 0 ? [STOP_DETAILS] : [];
}

/** The details of an answer of another format, which does not say why. The text of a refusal is in the content. */
export const UNEXPLAINED: StopDetails = { type: 'refusal', category: null, explanation: null };

/** Prefixes of answer IDs in the other formats. */
const FOREIGN_PREFIX = /^(chatcmpl-|resp_)/;

/** Returns the ID of an answer in this format. The same ID always gives the same result. */
export function messageId(id: string): string {
  return id.startsWith('msg_') ? id : `msg_${id.replace(FOREIGN_PREFIX, '')}`;
}

/** The ID for answers of services that send none. */
export const UNKNOWN_ID = 'msg_unknown';
