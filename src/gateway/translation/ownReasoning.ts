import type { AssistantPart, FormatName, Message } from '../../formats/conversation.ts';
import { isRecord, type JsonObject, parseJson } from '../../formats/json.ts';
import { reasoningFor, SEAL_MARK, withoutSealed } from '../../formats/reasoningSeal.ts';
import type { UpstreamRequest } from '../core/upstream.ts';
import { WordSearch } from '../http/wordSearch.ts';

interface Own {
  readonly messages: readonly Message[];
  /** Whether reasoning of others was dropped. */
  readonly isForeign: boolean;
}

/**
 * Returns the conversation with the reasoning that this author has written, an upstream's model. Of other reasoning, only the
 * chat-completions format can carry the text.
 */
export function withOwnReasoning(messages: readonly Message[], author: string, format: FormatName): Own {
  let isForeign = false;
  const readable = (part: AssistantPart): AssistantPart[] => {
    if (part.type !== 'reasoning') return [part];
    const own = reasoningFor(author, part);
    if (Object.keys(own).length > 2) return [own];
    const isText = format === 'chat-completions' && own.text !== '';
    isForeign ||= !isText;
    return isText ? [own] : [];
  };
  const kept = messages.map((message): Message => {
    return message.role === 'assistant' ? { ...message, parts: message.parts.flatMap(readable) } : message;
  });
  return { messages: kept, isForeign };
}

const SEALED = new WordSearch(SEAL_MARK);

/** Takes reasoning that the gateway has sealed out of a request that is passed on. Only bodies with the mark have any. */
export function withoutSealedReasoning(request: UpstreamRequest): UpstreamRequest {
  if (request.body === undefined || SEALED.indexIn(request.body) === -1) return request;
  const body = parseJson(String(request.body));
  if (!isRecord(body)) return request;
  const { json: _, ...rest } = request;
  return { ...rest, body: Buffer.from(JSON.stringify(withoutSealed(body as JsonObject))) };
}
