/** Converts between input items and messages. */
import type {
  AssistantPart,
  ImagePart,
  Message,
  TextPart,
  ToolCallPart,
  ToolResultPart,
  UserMessage,
} from '../conversation.ts';
import { defined } from '../json.ts';
import { mediaOf } from '../media.ts';
import { inOrder, joinTurns, type TurnRules } from '../orderedTurns.ts';
import { encodeAnswerText } from './annotations.ts';
import { decodeContent, decodeTexts, encodeContent } from './content.ts';
import { isKnownPart } from './contentSchema.ts';
import { decodeReasoning, encodeSummary } from './reasoning.ts';
import {
  type InputItem,
  isKnownInputItem,
  type KnownInputItem,
  type MessageItem,
  type ResponsesWireTool,
} from './schema.ts';
import {
  decodeSearchCall,
  decodeSearchOutput,
  encodeSearchCall,
  encodeSearchOutput,
  foundTools,
} from './toolSearch.ts';

export interface DecodedItems {
  readonly system: readonly TextPart[];
  readonly messages: readonly Message[];
  /** Tools that were items of the conversation. */
  readonly tools: readonly ResponsesWireTool[];
}

/** Decodes input items. Items of other types, such as calls of hosted tools, are dropped, as are empty messages. */
export function decodeItems(items: readonly InputItem[]): DecodedItems {
  const known = items.filter(isKnownInputItem);
  const messages = known.flatMap(decodeItem).filter(({ parts }) => parts.length > 0);
  const start = messages.findIndex(({ role }) => role !== 'system');
  const head = start < 0 ? messages : messages.slice(0, start);
  return {
    system: head.flatMap((message) => (message.role === 'system' ? message.parts : [])),
    // Consecutive items of the model form one message, as do the results of its calls.
    messages: joinTurns(messages.slice(head.length), (role) => role === 'assistant' || role === 'tool'),
    tools: known.flatMap(toolsIn),
  };
}

function toolsIn(item: KnownInputItem): readonly ResponsesWireTool[] {
  if (item.type === 'tool_search_output') return foundTools(item);
  return item.type === 'additional_tools' ? item.tools : [];
}

function decodeItem(item: KnownInputItem): Message[] {
  switch (item.type) {
    case undefined:
    case 'message':
      return [decodeMessage(item)];
    case 'reasoning':
      return [{ role: 'assistant', parts: [decodeReasoning(item)] }];
    case 'function_call':
      return [{ role: 'assistant', parts: [decodeCall(item, item.arguments)] }];
    case 'custom_tool_call':
      return [{ role: 'assistant', parts: [{ ...decodeCall(item, item.input), freeForm: true }] }];
    case 'function_call_output':
      return [{ role: 'tool', parts: [decodeResult(item)] }];
    case 'custom_tool_call_output':
      return [{ role: 'tool', parts: [{ ...decodeResult(item), freeForm: true }] }];
    case 'tool_search_call':
      return decodeSearchCall(item);
    case 'tool_search_output':
      return decodeSearchOutput(item);
    case 'additional_tools':
      return [];
  }
}

function decodeMessage({ role, content }: MessageItem): Message {
  switch (role) {
    case 'user':
      return { role, parts: decodeContent(content) };
    case 'assistant':
      return { role, parts: decodeAnswerContent(content) };
    case 'system':
    case 'developer':
      return { role: 'system', parts: decodeTexts(content) };
  }
}

export function decodeAnswerContent(content: MessageItem['content']): AssistantPart[] {
  if (content === null || typeof content === 'string') return decodeTexts(content);
  return content.flatMap((part): AssistantPart[] =>
    isKnownPart(part) && part.type === 'refusal' ? [{ type: 'refusal', text: part.refusal }] : decodeTexts([part]),
  );
}

interface GeneratedImage {
  readonly result?: string | null | undefined;
  readonly output_format?: string | null | undefined;
}

interface WireCall {
  readonly id?: string | null | undefined;
  readonly call_id?: string | null | undefined;
  readonly name: string;
  readonly namespace?: string | null | undefined;
}

export function decodeCall(call: WireCall, written: string): ToolCallPart {
  const { name } = call;
  const id = call.call_id ?? '';
  const extra = defined({ namespace: call.namespace || undefined, itemId: call.id || undefined });
  return { type: 'toolCall', id, name, arguments: written, ...extra };
}

export function decodeImage({ result, output_format: kind }: GeneratedImage): ImagePart[] {
  return result ? [{ type: 'image', source: mediaOf(`image/${kind || 'png'}`, result) }] : [];
}

function decodeResult(item: Extract<KnownInputItem, { call_id: string; output: unknown }>): ToolResultPart {
  const content = decodeContent(item.output);
  return { type: 'toolResult', toolCallId: item.call_id, content, ...defined({ itemId: item.id || undefined }) };
}

export const TURNS: TurnRules = {
  refusesBlankText: false,
  endsWithReasoning: false,
  startsWithUser: false,
  maxIdLength: 64,
};

export function encodeItems(messages: readonly Message[]): InputItem[] {
  return inOrder(messages, TURNS).flatMap(encodeTurn);
}

function encodeTurn(message: Message): InputItem[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return encodeMessage(message.role, message.parts);
    case 'assistant':
      return message.parts.flatMap(encodeAssistantPart);
    case 'tool':
      return message.parts.map(encodeResult);
  }
}

/**
 * Encodes a message. The role `system` is used instead of `developer`: more services support it, and the meaning is the
 * same.
 */
export function encodeMessage(role: 'system' | 'user', parts: UserMessage['parts']): InputItem[] {
  const content = encodeContent(parts);
  return content === '' ? [] : [{ type: 'message', role, content }];
}

/** Encodes each text as a separate message in the short form, which requires no ID. */
function encodeAssistantPart(part: AssistantPart): InputItem[] {
  switch (part.type) {
    case 'text':
      return part.text === '' ? [] : [{ type: 'message', role: 'assistant', content: encodeAnswerText(part) }];
    case 'refusal':
      return [{ type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: part.text }] }];
    case 'reasoning': {
      const { text, encrypted, itemId } = part;
      // A signature is only valid for the service that created it, which uses another format.
      if (text === '' && encrypted === undefined && itemId === undefined) return [];
      const seal = defined({ id: itemId, encrypted_content: encrypted });
      return [{ type: 'reasoning', ...seal, summary: encodeSummary(text) }];
    }
    case 'toolCall':
      return [encodeCall(part)];
    case 'image':
      return [];
  }
}

function encodeCall(part: ToolCallPart): InputItem {
  if (part.toolSearch) return encodeSearchCall(part);
  const { id, name, arguments: written, namespace, freeForm, itemId } = part;
  const call = { ...defined({ id: itemId, namespace }), call_id: id, name };
  return freeForm
    ? { type: 'custom_tool_call', ...call, input: written }
    : { type: 'function_call', ...call, arguments: functionArguments(written) };
}

/** Returns the arguments, or an empty object if there are none, because clients and services parse them as JSON. */
export function functionArguments(written: string): string {
  return written === '' ? '{}' : written;
}

function encodeResult({ toolCallId, content, freeForm, toolSearch, itemId }: ToolResultPart): InputItem {
  if (toolSearch) return encodeSearchOutput(toolCallId, itemId);
  const type = freeForm ? 'custom_tool_call_output' : 'function_call_output';
  return { type, ...defined({ id: itemId }), call_id: toolCallId, output: encodeContent(content) };
}
