/** Decodes messages to the neutral form. */
import type { AssistantPart, Message, TextPart, ToolResultPart } from '../conversation.ts';
import { decodeContent, isText, isUserPart } from './content.ts';
import { isOtherCall, type WireAnswer, type WireContent } from './contentSchema.ts';
import { decodeReasoningParts } from './reasoning.ts';
import type { WireMessage } from './schema.ts';
import { argumentsText, decodeToolCall } from './tools.ts';

export interface Conversation {
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
}

/**
 * Decodes messages. `system` and `developer` messages at the beginning are the system prompt; later ones keep their
 * position.
 */
export function decodeMessages(wire: readonly WireMessage[]): Conversation {
  const firstTurn = wire.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const head = firstTurn === -1 ? wire : wire.slice(0, firstTurn);
  const reader = new MessageReader();
  if (firstTurn !== -1) for (const message of wire.slice(firstTurn)) reader.read(message);
  return { system: head.flatMap(({ content }) => decodeTexts(content)), messages: reader.messages };
}

function decodeTexts(content: WireContent): TextPart[] {
  return decodeContent(content).filter(isText);
}

/** Remembers the calls so far, because results do not state their kind. */
class MessageReader {
  readonly messages: Message[] = [];
  /** The parts of the last message if it contains results. */
  #results: ToolResultPart[] = [];
  readonly #freeFormCalls = new Set<string>();
  /** Calls in the older form have no ID. The function's name is used until the call is answered. */
  readonly #callOfFunction = new Map<string, string>();

  read(message: WireMessage): void {
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
