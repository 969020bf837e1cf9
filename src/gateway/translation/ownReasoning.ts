import type { AssistantPart, FormatName, JsonObject, Message } from '../../formats/conversation.ts';
import { isRecord, parseJson } from '../../formats/json.ts';
import { reasoningFor, SEAL_MARK, withoutSealed } from '../../formats/reasoningSeal.ts';
import type { UpstreamRequest } from '../core/upstream.ts';

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
  if (!hasReasoning(messages)) return { messages, isForeign: false };
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

function hasReasoning(messages: readonly Message[]): boolean {
  for (const { parts } of messages) for (const part of parts) if (part.type === 'reasoning') return true;
  return false;
}

/** Takes reasoning that the gateway has sealed out of a request that is passed on. Without any, it is not parsed. */
export function withoutSealedReasoning(request: UpstreamRequest): UpstreamRequest {
  if (request.body === undefined || !request.body.includes(SEAL_MARK)) return request;
  const body = parseJson(request.body.toString());
  if (!isRecord(body)) return request;
  const { json: _, ...rest } = request;
  return { ...rest, body: Buffer.from(JSON.stringify(withoutSealed(body as JsonObject))) };
}
