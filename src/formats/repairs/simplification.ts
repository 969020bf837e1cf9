/** What all simplifications of a request have, and the tools to write them. */
import { isRecord, type JsonRecord } from '../json.ts';

/**
 * How much a simplification changes: the form in which the same is said, a member that the answer does not depend on, or
 * anything else.
 */
export type Weight = 'form' | 'extra' | 'rest';

export interface KnownModel {
  readonly maxOutputTokens?: number;
}

export interface Problem {
  /** The sentences with their code and type. */
  readonly text: string;
  /** The sentences alone. */
  readonly sentence: string;
  /** The path of the member, from `param` or `loc`. */
  readonly path?: string;
}

/**
 * A way to ask the same question so that a stricter server accepts it. A change of a request is the name of a
 * simplification, or `name=argument`.
 */
export interface Simplification {
  readonly name: string;
  readonly weight: Weight;
  /** What the caller loses. Undefined if the request still says the same. */
  readonly lost?: string;
  /** Recognizes refusals that mean this without naming a member. */
  readonly meant?: RegExp;
  /** True if it is only made when the words of a refusal ask for it, because it changes more than others. */
  readonly isOnlyAsked?: true;
  /** True if it changes what can be long: the conversation, the tools, or what is estimated from them. */
  readonly isDeep?: true;
  /** Returns the argument of the change if the problem asks for it. */
  readonly argumentIn?: (problem: Problem, body: JsonRecord, known: KnownModel) => string | undefined;
  /** Returns the argument that stands for several, each of which was accepted for another request. */
  readonly merged?: (all: readonly string[]) => string;
  /** The argument if nothing is known about what the server accepts. Undefined if the change has none. */
  readonly guess?: (body: JsonRecord, known: KnownModel) => string | undefined;
  /** @returns undefined if the request has nothing to change. */
  readonly apply: (body: JsonRecord, argument: string) => JsonRecord | undefined;
}

/** Of several limits, the lowest is accepted everywhere. */
export function lowest(limits: readonly string[]): string {
  return String(Math.min(...limits.map((each) => Number.parseInt(each, 10))));
}

/** @returns undefined if there is no such member. */
export function without(body: JsonRecord, [name = '', ...rest]: readonly string[]): JsonRecord | undefined {
  if (!Object.hasOwn(body, name)) return undefined;
  const { [name]: value, ...others } = body;
  if (rest.length === 0) return others;
  const inner = isRecord(value) ? without(value, rest) : undefined;
  if (inner === undefined) return undefined;
  return Object.keys(inner).length === 0 ? others : { ...body, [name]: inner };
}

/**
 * Replaces the messages, or the items of the responses format.
 * @returns undefined if none changes.
 */
export function withConversation(
  body: JsonRecord,
  change: (messages: readonly unknown[]) => readonly unknown[],
): JsonRecord | undefined {
  const name = body.messages === undefined ? 'input' : 'messages';
  const messages: unknown = body[name];
  if (!Array.isArray(messages)) return undefined;
  const changed = change(messages);
  const isSame = changed.length === messages.length && changed.every((message, at) => message === messages[at]);
  return isSame ? undefined : { ...body, [name]: changed };
}

export function withMessages(body: JsonRecord, change: (message: JsonRecord) => JsonRecord): JsonRecord | undefined {
  if (body.messages === undefined) return undefined;
  return withConversation(body, (messages) =>
    messages.map((message: unknown) => (isRecord(message) ? change(message) : message)),
  );
}

export function renamed(body: JsonRecord, from: string, to: string): JsonRecord | undefined {
  if (!Object.hasOwn(body, from) || Object.hasOwn(body, to)) return undefined;
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [name === from ? to : name, value]));
}
