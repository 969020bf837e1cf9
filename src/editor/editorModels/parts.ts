/** Converts between the messages of the gateway's worker and the editor's classes. */
import * as vscode from 'vscode';
import { isRecord } from '../../formats/json.ts';
import type {
  EditorAnswerPart,
  EditorChatRequest,
  EditorDataPart,
  EditorMessage,
  EditorPart,
  EditorTextPart,
} from '../../gateway/upstreams/editorModels/protocol.ts';

export function asMessages({ messages }: EditorChatRequest): vscode.LanguageModelChatMessage[] {
  return messages.map(asMessage);
}

export function asRequestOptions(
  { tools, mustCallTool, modelOptions }: EditorChatRequest,
  justification: string,
): vscode.LanguageModelChatRequestOptions {
  return {
    justification,
    ...(tools !== undefined && { tools: [...tools] }),
    ...(mustCallTool && { toolMode: vscode.LanguageModelChatToolMode.Required }),
    ...(modelOptions !== undefined && { modelOptions }),
  };
}

/**
 * Returns `undefined` for a part that no wire format supports. Thinking parts are a proposed API, and recognized by
 * their shape.
 */
export function readPart(part: unknown): EditorAnswerPart | undefined {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const input = isRecord(part.input) ? JSON.parse(JSON.stringify(part.input)) : {};
    return { type: 'toolCall', id: part.callId, name: part.name, input };
  }
  if (part instanceof vscode.LanguageModelDataPart) return undefined;
  return readThinking(part);
}

function readThinking(part: unknown): EditorAnswerPart | undefined {
  if (!isRecord(part) || part.constructor.name !== 'LanguageModelThinkingPart') return undefined;
  const text = Array.isArray(part.value) ? part.value.join('') : part.value;
  return typeof text === 'string' && text !== '' ? { type: 'reasoning', text } : undefined;
}

function asMessage({ role, parts }: EditorMessage): vscode.LanguageModelChatMessage {
  if (role === 'user') return vscode.LanguageModelChatMessage.User(parts.filter(isUserPart).map(asUserPart));
  return vscode.LanguageModelChatMessage.Assistant(parts.filter(isAssistantPart).map(asAssistantPart));
}

type UserPart = Exclude<EditorPart, { type: 'toolCall' }>;
type AssistantPart = Exclude<EditorPart, { type: 'toolResult' }>;

const isUserPart = (part: EditorPart): part is UserPart => part.type !== 'toolCall';
const isAssistantPart = (part: EditorPart): part is AssistantPart => part.type !== 'toolResult';

function asUserPart(part: UserPart) {
  if (part.type !== 'toolResult') return asContent(part);
  return new vscode.LanguageModelToolResultPart(part.toolCallId, part.content.map(asContent));
}

function asAssistantPart(part: AssistantPart) {
  if (part.type !== 'toolCall') return asContent(part);
  return new vscode.LanguageModelToolCallPart(part.id, part.name, part.input);
}

function asContent(part: EditorTextPart | EditorDataPart) {
  if (part.type === 'text') return new vscode.LanguageModelTextPart(part.text);
  return new vscode.LanguageModelDataPart(Buffer.from(part.data, 'base64'), part.mediaType);
}
