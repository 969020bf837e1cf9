import type { ChatResponse } from '../../../../../src/formats/answer.ts';
import type { ChatRequest, FormatName, Message } from '../../../../../src/formats/conversation.ts';

/** A body of any format. */
// biome-ignore lint/suspicious/noExplicitAny: features are read from members of all kinds
export type Wire = any;

/** How each format expresses it. Formats that cannot are omitted. */
export type Spellings = { readonly [Format in FormatName]?: Wire };

/** Something that a request can express. */
export interface RequestFeature {
  readonly name: string;
  /** Members to add to a bare request. */
  readonly said: Spellings;
  /** Returns what a request contains of it, from the request in the neutral form and its body; undefined if nothing. */
  readonly see: (request: ChatRequest, body: Wire) => unknown;
  /** Upstreams that do not receive it, because the gateway implements it, or because answers always contain it. */
  readonly unasked?: readonly FormatName[];
}

/** Something that an answer can express. */
export interface AnswerFeature {
  readonly name: string;
  /** Members to replace in a bare answer. */
  readonly said: Spellings;
  /** Returns what an answer contains of it, from the answer in the neutral form and its text; undefined if nothing. */
  readonly see: (response: ChatResponse, text: string) => unknown;
}

type Part = Message['parts'][number];

/** Returns undefined instead of an empty list. */
export function found<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function partsOf({ messages }: ChatRequest): readonly Part[] {
  return messages.flatMap(({ parts }): readonly Part[] => parts);
}

/** Returns the texts of all messages with this role, in order. */
export function textsOf({ messages }: ChatRequest, role: Message['role']): readonly string[] | undefined {
  const parts = messages
    .filter((message) => message.role === role)
    .flatMap((message): readonly Part[] => message.parts);
  return found(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
}
