/**
 * Reasoning of an upstream in the hands of a client with another format. Signatures and encrypted reasoning are only
 * valid for their author, so the gateway writes them, with the author's name, into the one member that clients of each
 * format return unchanged. The literal at the beginning is found in the bytes of a request without parsing it.
 */
import type { FormatName, ReasoningPart } from './conversation.ts';
import { isRecord, type JsonObject } from './json.ts';

export const SEAL_MARK = 'model-access-sealed.';

type PartSeal = Omit<ReasoningPart, 'type' | 'text'>;

interface Sealed {
  /** The upstream and the model that wrote the reasoning. */
  readonly author: string;
  readonly seal: PartSeal;
}

export function sealFor(format: FormatName, author: string, { itemId, ...rest }: PartSeal): PartSeal {
  const seal = { ...rest, ...(itemId !== undefined && { itemId }) };
  const text = SEAL_MARK + encode(JSON.stringify({ author, seal }));
  return format === 'messages' ? { signature: text } : { encrypted: text };
}

/** Returns what the author can read, or only the text for anybody else. */
export function reasoningFor(reader: string, part: ReasoningPart): ReasoningPart {
  const { type, text } = part;
  const sealed = opened(part.signature ?? part.encrypted ?? '');
  return sealed?.author === reader ? { type, text, ...sealed.seal } : { type, text };
}

function opened(text: string): Sealed | undefined {
  if (!text.startsWith(SEAL_MARK)) return undefined;
  const value = decode(text.slice(SEAL_MARK.length));
  if (!isRecord(value) || typeof value.author !== 'string' || !isRecord(value.seal)) return undefined;
  const { signature, encrypted, itemId, details } = value.seal;
  const seal = {
    ...(typeof signature === 'string' && { signature }),
    ...(typeof encrypted === 'string' && { encrypted }),
    ...(typeof itemId === 'string' && { itemId }),
    ...(Array.isArray(details) && { details: details.filter((each): each is JsonObject => isRecord(each)) }),
  };
  return { author: value.author, seal };
}

function encode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
}

/** @returns undefined if a client has changed it. */
function decode(text: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(text), (each) => each.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

/** Takes what the gateway has sealed out of a request that its upstream gets as it is. */
export function withoutSealed(body: JsonObject): JsonObject {
  if (Array.isArray(body.input)) return { ...body, input: body.input.filter((item) => !isSealed(item)) };
  if (!Array.isArray(body.messages)) return body;
  const messages = body.messages.flatMap((message): unknown[] =>
    isRecord(message) ? cleaned(message as JsonObject) : [message],
  );
  return lacksThinking(messages)
    ? withoutThinking({ ...body, messages } as JsonObject)
    : ({ ...body, messages } as JsonObject);
}

function isSealed(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const texts = [value.signature, value.encrypted_content, value.data];
  return texts.some((text) => typeof text === 'string' && text.startsWith(SEAL_MARK));
}

function cleaned(message: JsonObject): JsonObject[] {
  const { content, reasoning_details: details } = message;
  if (Array.isArray(content) && content.some(isSealed)) {
    const kept = content.filter((block) => !isSealed(block));
    return kept.length === 0 ? [] : [{ ...message, content: kept }];
  }
  if (!Array.isArray(details) || !details.some(isSealed)) return [message];
  const { reasoning_details: _, reasoning_content: __, reasoning: ___, ...rest } = message;
  return [rest];
}

/** Whether the last answer has calls without thinking before them, with which the service refuses to think. */
function lacksThinking(messages: readonly unknown[]): boolean {
  const last = messages.findLast((message) => isRecord(message) && message.role === 'assistant');
  const blocks = isRecord(last) && Array.isArray(last.content) ? last.content : [];
  const types = blocks.map((block: unknown) => (isRecord(block) ? block.type : undefined));
  return types.includes('tool_use') && types[0] !== 'thinking' && types[0] !== 'redacted_thinking';
}

function withoutThinking(body: JsonObject): JsonObject {
  const { thinking, ...rest } = body;
  return isRecord(thinking) && thinking.type === 'enabled' ? rest : body;
}
