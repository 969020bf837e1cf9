/**
 * What the gateway's worker asks of the editor in its window, and what the editor answers: plain values that travel
 * between threads. They say no more than the editor's language model API can carry.
 */
import type { ApiError } from '../../../formats/apiError.ts';
import type { JsonObject } from '../../../formats/conversation.ts';

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
  /** As in {@link EditorModel.name}, or with the family in place of the id. */
  readonly model: string;
  readonly messages: readonly EditorMessage[];
  readonly tools?: readonly EditorTool[];
  /** True when one of the tools must be called. */
  readonly mustCallTool?: true;
  /** Handed on to the model's extension, which may heed them or not. */
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

/** A piece of what a model says. */
export type EditorAnswerPart = EditorTextPart | { readonly type: 'reasoning'; readonly text: string } | EditorToolCall;

/** Of a chat: parts, and `end`. Of the other questions one answer. In place of each, `error`. */
export type EditorAnswer =
  | { readonly kind: 'models'; readonly models: readonly EditorModel[] }
  | { readonly kind: 'tokens'; readonly tokens: number }
  | { readonly kind: 'part'; readonly part: EditorAnswerPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: ApiError };

/** Asks the editor of this window. `receive` hears the answer until it is over or the returned function cancels it. */
export type AskEditor = (question: EditorQuestion, receive: (answer: EditorAnswer) => void) => () => void;

/** A question to the editor of the worker's window. Answered by {@link EditorReply}, in several pieces for a chat. */
export type EditorRequest =
  | { readonly type: 'askEditor'; readonly questionId: number; readonly question: EditorQuestion }
  | { readonly type: 'cancelEditor'; readonly questionId: number };

export interface EditorReply {
  readonly type: 'editorAnswer';
  readonly questionId: number;
  readonly answer: EditorAnswer;
}
