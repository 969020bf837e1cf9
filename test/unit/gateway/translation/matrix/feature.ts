import type { ChatRequest, ChatResponse, FormatName, Message } from '../../../../../src/formats/conversation.ts';

/** A body of any format, looked at by tests. */
// biome-ignore lint/suspicious/noExplicitAny: features are read from members of all kinds
export type Wire = any;

/** How each of the formats says it; those that cannot are left out. */
export type Spellings = { readonly [Format in FormatName]?: Wire };

/** Something that a request can say. */
export interface RequestFeature {
  readonly name: string;
  /** Members to add to a bare request. */
  readonly said: Spellings;
  /** What of it is in a request, told by the request in the neutral form and by its body; undefined when nothing is. */
  readonly see: (request: ChatRequest, body: Wire) => unknown;
  /** Upstreams that are not asked for it since the gateway does it, or the answer says it anyway. */
  readonly unasked?: readonly FormatName[];
}

/** Something that an answer can say. */
export interface AnswerFeature {
  readonly name: string;
  /** Members to replace in a bare answer. */
  readonly said: Spellings;
  /** What of it is in an answer, told by the answer in the neutral form and by its text; undefined when nothing is. */
  readonly see: (response: ChatResponse, text: string) => unknown;
}

type Part = Message['parts'][number];

/** Undefined instead of a list of nothing. */
export function found<Value>(values: readonly Value[]): readonly Value[] | undefined {
  return values.length === 0 ? undefined : values;
}

export function partsOf({ messages }: ChatRequest): readonly Part[] {
  return messages.flatMap(({ parts }): readonly Part[] => parts);
}

/** Of all messages with this role, in their order. */
export function textsOf({ messages }: ChatRequest, role: Message['role']): readonly string[] | undefined {
  const parts = messages
    .filter((message) => message.role === role)
    .flatMap((message): readonly Part[] => message.parts);
  return found(parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])));
}
