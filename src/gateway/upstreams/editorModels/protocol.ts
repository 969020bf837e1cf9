/**
 * Requests of the gateway's worker to the editor in its window, and their answers: plain values that can be sent
 * between threads. They contain only what the editor's language model API supports.
 */
import type { ApiError } from '../../../formats/apiError.ts';
import type { JsonObject } from '../../../formats/json.ts';

export type EditorTextPart = { readonly type: 'text'; readonly text: string };

/** `data` is base64. */
export type EditorDataPart = { readonly type: 'data'; readonly mediaType: string; readonly data: string };

export type EditorToolCall = {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
};

export type EditorToolResult = {
  readonly type: 'toolResult';
  readonly toolCallId: string;
  readonly content: readonly (EditorTextPart | EditorDataPart)[];
};

export type EditorPart = EditorTextPart | EditorDataPart | EditorToolCall | EditorToolResult;

export interface EditorMessage {
  readonly role: 'user' | 'assistant';
  readonly parts: readonly EditorPart[];
}

export interface EditorTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly inputSchema?: JsonObject;
}

export interface EditorChatRequest {
  /** As in {@link EditorModel.name}, or with the family in place of the ID. */
  readonly model: string;
  readonly messages: readonly EditorMessage[];
  readonly tools?: readonly EditorTool[];
  readonly mustCallTool?: true;
  /** Passed to the model's extension, which may ignore them. */
  readonly modelOptions?: JsonObject;
}

export interface EditorModel {
  /** `vendor/id`. */
  readonly name: string;
  readonly displayName: string;
  readonly vendor: string;
  readonly family: string;
  readonly maxInputTokens: number;
}

export type EditorQuestion =
  | { readonly kind: 'models' }
  | { readonly kind: 'chat'; readonly request: EditorChatRequest }
  | { readonly kind: 'count'; readonly request: EditorChatRequest };

export type EditorAnswerPart = EditorTextPart | { readonly type: 'reasoning'; readonly text: string } | EditorToolCall;

/** A chat is answered by parts and an `end`, the other requests by one answer. Each can end with an `error` instead. */
export type EditorAnswer =
  | { readonly kind: 'models'; readonly models: readonly EditorModel[] }
  | { readonly kind: 'tokens'; readonly tokens: number }
  | { readonly kind: 'part'; readonly part: EditorAnswerPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: ApiError };

/**
 * Sends a request to the editor of this window. `receive` is called until the answer is complete or the returned
 * function cancels it.
 */
export type AskEditor = (question: EditorQuestion, receive: (answer: EditorAnswer) => void) => () => void;

/** A request to the editor of the worker's window. Answered by {@link EditorReply}, in several pieces for a chat. */
export type EditorRequest =
  | { readonly type: 'askEditor'; readonly questionId: number; readonly question: EditorQuestion }
  | { readonly type: 'cancelEditor'; readonly questionId: number };

export interface EditorReply {
  readonly type: 'editorAnswer';
  readonly questionId: number;
  readonly answer: EditorAnswer;
}
