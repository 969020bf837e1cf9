import { endedEarly, FormatError } from '../apiError.ts';
import type { AssistantPart, ChatResponse, TextPart } from '../conversation.ts';
import { asDropped, CITATIONS, otherMembers, otherTypes } from '../dropped.ts';
import { defined } from '../json.ts';
import { checkAnswer } from '../tolerant.ts';
import { decodeCitation, encodeCitation } from './citations.ts';
import { decodeStopReason, encodeFinishReason, isFailure } from './finishReason.ts';
import { messageId, UNKNOWN_ID } from './ids.ts';
import type { KnownResponseBlock, MessagesResponse, ResponseBlock } from './schema.ts';
import { isKnownResponseBlock, messagesResponse } from './schema.ts';
import { droppedFromDetails, explanationIn, UNEXPLAINED } from './stopDetails.ts';
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
