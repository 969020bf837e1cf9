/** Decodes and encodes messages. */
import type {
  AssistantPart,
  DocumentPart,
  ImagePart,
  Message,
  TextPart,
  ToolResultPart,
  UserPart,
} from '../conversation.ts';
import { inOrder, type TurnRules } from '../orderedTurns.ts';
import {
  decodeContent,
  decodeReasoningParts,
  encodeContent,
  encodeReasoningParts,
  isText,
  isUserPart,
} from './content.ts';
import { isOtherCall, type WireAnswer, type WireContent, type WirePart } from './contentSchema.ts';
import type { ChatWireMessage } from './schema.ts';
import { argumentsText, decodeToolCall, encodeToolCall, withParsableArguments } from './tools.ts';

export interface DecodedMessages {
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
}

/**
 * Decodes messages. `system` and `developer` messages at the beginning are the system prompt; later ones keep their
 * position.
 */
export function decodeMessages(wire: readonly ChatWireMessage[]): DecodedMessages {
  const firstTurn = wire.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const head = firstTurn === -1 ? wire : wire.slice(0, firstTurn);
  const reader = new MessagesReader();
  if (firstTurn !== -1) for (const message of wire.slice(firstTurn)) reader.read(message);
  return { system: head.flatMap(({ content }) => decodeTexts(content)), messages: reader.messages };
}

function decodeTexts(content: WireContent): TextPart[] {
  return decodeContent(content).filter(isText);
}

/** Remembers the calls so far, because results do not state their kind. */
class MessagesReader {
  readonly messages: Message[] = [];
  /** The parts of the last message if it contains results. */
  #results: ToolResultPart[] = [];
  readonly #freeFormCalls = new Set<string>();
  /** Calls in the older form have no ID. The function's name is used until the call is answered. */
  readonly #callOfFunction = new Map<string, string>();

  read(message: ChatWireMessage): void {
    switch (message.role) {
      case 'system':
      case 'developer':
        this.messages.push({ role: 'system', parts: decodeTexts(message.content) });
        return;
      case 'user':
        this.messages.push({ role: 'user', parts: decodeContent(message.content).filter(isUserPart) });
        return;
      case 'assistant':
        this.#readAssistant(message);
        return;
      case 'tool':
        this.#readResult(message.tool_call_id, message.content);
        return;
      case 'function':
        this.#readResult(this.#callOfFunction.get(message.name) ?? message.name, message.content);
        return;
    }
  }

  #readAssistant(message: WireAnswer): void {
    const parts = decodeAnswerParts(message, String(this.messages.length));
    for (const part of parts) {
      if (part.type !== 'toolCall') continue;
      if (part.freeForm) this.#freeFormCalls.add(part.id);
      if (part.name === message.function_call?.name) this.#callOfFunction.set(part.name, part.id);
    }
    this.messages.push({ role: 'assistant', parts });
  }

  #readResult(toolCallId: string, content: WireContent): void {
    const part: ToolResultPart = {
      type: 'toolResult',
      toolCallId,
      content: decodeContent(content).filter(isUserPart),
      ...(this.#freeFormCalls.has(toolCallId) && { freeForm: true }),
    };
    if (this.messages.at(-1)?.role !== 'tool') {
      this.#results = [];
      this.messages.push({ role: 'tool', parts: this.#results });
    }
    this.#results.push(part);
  }
}

/**
 * Decodes the parts of an assistant message in the order that this format implies: reasoning, text and refusals, tool
 * calls.
 * @param place used to create IDs for calls without one: the same message at the same position always gets the same
 * IDs.
 */
export function decodeAnswerParts(message: WireAnswer, place: string): AssistantPart[] {
  const content = decodeContent(message.content).filter((part) => part.type !== 'image' && part.type !== 'document');
  const known = (message.tool_calls ?? []).filter((call) => !isOtherCall(call));
  const calls = known.map((call, nth) => decodeToolCall(call, `call_${place}_${nth}`));
  const { function_call: legacy } = message;
  return [
    ...decodeReasoningParts(message),
    ...content,
    ...(message.refusal ? [{ type: 'refusal', text: message.refusal } as const] : []),
    ...calls,
    ...(legacy && calls.length === 0 ? [legacyCall(legacy, `call_${place}_0`)] : []),
  ];
}

function legacyCall(call: NonNullable<WireAnswer['function_call']>, id: string): AssistantPart {
  return { type: 'toolCall', id, name: call.name, arguments: argumentsText(call.arguments) };
}

export const TURNS: TurnRules = {
  refusesBlankText: false,
  endsWithReasoning: true,
  startsWithUser: false,
  maxIdLength: 40,
};

export function encodeMessages(system: readonly TextPart[], messages: readonly Message[]): ChatWireMessage[] {
  const head: ChatWireMessage[] = system.length > 0 ? [{ role: 'system', content: encodeContent(system) }] : [];
  return [...head, ...withJoinedUsers(inOrder(messages, TURNS).flatMap(encodeMessage))];
}

/** Media of results are a message of the user, which another one may follow. */
function withJoinedUsers(messages: readonly ChatWireMessage[]): ChatWireMessage[] {
  const joined: ChatWireMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role !== 'user' || message.role !== 'user') joined.push(message);
    else joined[joined.length - 1] = { role: 'user', content: [...partsOf(last), ...partsOf(message)] };
  }
  return joined;
}

function partsOf({ content }: Extract<ChatWireMessage, { role: 'user' }>): WirePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...(content ?? [])];
}

function encodeMessage(message: Message): ChatWireMessage[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content: encodeContent(message.parts) }];
    case 'assistant': {
      const parts = message.parts.map((part) => (part.type === 'toolCall' ? withParsableArguments(part) : part));
      return [{ role: 'assistant', content: assistantContent(parts), ...encodeAnswerRest(parts) }];
    }
    case 'tool':
      return encodeResults(message.parts);
  }
}

function assistantContent(parts: readonly AssistantPart[]): WireAnswer['content'] {
  const texts = parts.filter((part) => part.type === 'text');
  if (texts.length > 0) return encodeContent(texts);
  return parts.some(({ type }) => type === 'toolCall' || type === 'refusal') ? null : '';
}

export function encodeAnswerRest(parts: readonly AssistantPart[]): Omit<WireAnswer, 'content'> {
  const refusals = parts.filter((part) => part.type === 'refusal');
  const calls = parts.filter((part) => part.type === 'toolCall');
  return {
    ...(refusals.length > 0 && { refusal: refusals.map(({ text }) => text).join('') }),
    ...encodeReasoningParts(parts.filter((part) => part.type === 'reasoning')),
    ...(calls.length > 0 && { tool_calls: calls.map(encodeToolCall) }),
  };
}

/**
 * Encodes one `tool` message per result, then one `user` message with everything that the role `tool` does not support:
 * every server accepts text from a tool, but few accept images. All results come first, because they must directly
 * follow their calls.
 */
function encodeResults(results: readonly ToolResultPart[]): ChatWireMessage[] {
  const media = results.flatMap(encodeResultMedia);
  const answers = results.map((result): ChatWireMessage => {
    const texts = result.content.filter(isTextual);
    const content = texts.length < result.content.length && texts.length === 0 ? MEDIA_FOLLOWS : encodeContent(texts);
    return { role: 'tool', tool_call_id: result.toolCallId, content };
  });
  return media.length > 0 ? [...answers, { role: 'user', content: encodeContent(media) }] : answers;
}

const MEDIA_FOLLOWS = 'The result is attached to the next message.';

function encodeResultMedia({ toolCallId, content }: ToolResultPart): UserPart[] {
  const media = content.filter((part): part is ImagePart | DocumentPart => !isTextual(part));
  return media.length > 0 ? [{ type: 'text', text: `From the result of tool call ${toolCallId}:` }, ...media] : [];
}

function isTextual(part: UserPart): boolean {
  return part.type === 'text' || (part.type === 'document' && part.source.kind === 'text');
}
