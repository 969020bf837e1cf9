/** Converts requests of the editor's own chat to the neutral form. */
import * as vscode from 'vscode';
import { textOfTree } from '../../agent/tools/treeText.ts';
import type {
  AssistantPart,
  ChatRequest,
  Message,
  TextPart,
  Tool,
  ToolResultPart,
  UserPart,
} from '../../formats/conversation.ts';
import type { JsonObject } from '../../formats/json.ts';
import { effortOf, isCacheMark, isSystem, sealedReasoning } from './nativeExtras.ts';

type RequestMessages = readonly vscode.LanguageModelChatRequestMessage[];

/** @param maxTokens The answer's token limit if the caller sets none. */
export function asChatRequest(
  model: string,
  messages: RequestMessages,
  options: vscode.ProvideLanguageModelChatResponseOptions,
  maxTokens: number,
): ChatRequest {
  const { modelOptions = {}, tools = [], toolMode } = options;
  const effort = effortOf(options);
  const reasons = effort !== undefined && effort !== 'none';
  const { temperature, top_p: topP, max_tokens: limit } = modelOptions;
  const mustCall = toolMode === vscode.LanguageModelChatToolMode.Required;
  return {
    ...asPrompt(model, messages),
    maxTokens: typeof limit === 'number' ? limit : maxTokens,
    // The editor's agent always sets a temperature, which services refuse for answers with reasoning.
    ...(typeof temperature === 'number' && !reasons && { temperature }),
    ...(typeof topP === 'number' && { topP }),
    ...(effort !== undefined && { reasoning: { effort } }),
    ...(tools.length > 0 && { tools: tools.map(asTool), toolChoice: { type: mustCall ? 'required' : 'auto' } }),
  };
}

/** The part of a request that has tokens to count, without its tools. */
export function asPrompt(model: string, messages: RequestMessages): ChatRequest {
  const firstTurn = messages.findIndex((message) => !isSystem(message));
  const head = firstTurn === -1 ? messages.length : firstTurn;
  return {
    model,
    system: messages.slice(0, head).flatMap(textParts),
    messages: messages.slice(head).flatMap((message) => asMessages(message, model)),
  };
}

function asTool({ name, description, inputSchema }: vscode.LanguageModelChatTool): Tool {
  return { name, description, parameters: (inputSchema ?? { type: 'object', properties: {} }) as JsonObject };
}

/** Tool results are placed before the user's text, because services expect them right after the calls. */
function asMessages(message: vscode.LanguageModelChatRequestMessage, model: string): Message[] {
  if (isSystem(message)) return filled({ role: 'system', parts: textParts(message) });
  const { role, content } = message;
  if (role === vscode.LanguageModelChatMessageRole.Assistant) {
    return filled({ role: 'assistant', parts: marked(content, (part) => asAssistantPart(part, model)) });
  }
  const results = marked(content, asResults);
  return [...filled({ role: 'tool', parts: results }), ...filled({ role: 'user', parts: marked(content, asUserPart) })];
}

/** Reads the parts of a message. The editor places its cache mark after the part that ends the prefix. */
function marked<Part extends UserPart | AssistantPart | ToolResultPart>(
  content: readonly unknown[],
  read: (part: unknown) => readonly Part[],
): Part[] {
  const parts: Part[] = [];
  // Whether the last part that was read is in this list. A mark after any other part does not belong to it.
  let isLast = false;
  for (const part of content) {
    const last = parts.at(-1);
    if (!isCacheMark(part)) {
      const own = read(part);
      isLast = own.length > 0;
      parts.push(...own);
    } else if (isLast && last !== undefined && canBeMarked(last)) {
      parts[parts.length - 1] = { ...last, cacheHint: {} };
    }
  }
  return parts;
}

/** Services do not accept cache marks on reasoning and refusals. */
function canBeMarked({ type }: UserPart | AssistantPart | ToolResultPart): boolean {
  return type !== 'reasoning' && type !== 'refusal';
}

function filled(message: Message): Message[] {
  return message.parts.length === 0 ? [] : [message];
}

function textParts({ content }: vscode.LanguageModelChatRequestMessage): TextPart[] {
  return marked(content, asUserPart).filter((part) => part.type === 'text');
}

function asAssistantPart(part: unknown, model: string): AssistantPart[] {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ type: 'toolCall', id, name, arguments: JSON.stringify(input ?? {}) }];
  }
  const reasoning = sealedReasoning(part, model);
  if (reasoning !== undefined) return [reasoning];
  return asUserPart(part).filter((each) => each.type === 'text');
}

function asUserPart(part: unknown): UserPart[] {
  if (part instanceof vscode.LanguageModelTextPart)
    return part.value === '' ? [] : [{ type: 'text', text: part.value }];
  return part instanceof vscode.LanguageModelDataPart ? asMedia(part) : [];
}

/** Other data is internal to the editor and is ignored. */
function asMedia({ mimeType: mediaType, data }: vscode.LanguageModelDataPart): UserPart[] {
  const bytes = Buffer.from(data);
  if (mediaType.startsWith('image/')) {
    return [{ type: 'image', source: { kind: 'base64', mediaType, data: bytes.toString('base64') } }];
  }
  const isText = mediaType.startsWith('text/') || mediaType === 'application/json';
  return isText ? [{ type: 'text', text: bytes.toString() }] : [];
}

function asResults(part: unknown): ToolResultPart[] {
  if (!(part instanceof vscode.LanguageModelToolResultPart)) return [];
  return [{ type: 'toolResult', toolCallId: part.callId, content: part.content.flatMap(asResultContent) }];
}

function asResultContent(part: unknown): UserPart[] {
  const known = asUserPart(part);
  if (known.length > 0 || part instanceof vscode.LanguageModelDataPart) return known;
  const text = textOfTree(part);
  return text === '' ? [] : [{ type: 'text', text }];
}
