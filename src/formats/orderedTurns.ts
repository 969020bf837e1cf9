/**
 * Brings the messages of a conversation into the order that services demand: the results of calls directly after them,
 * one for each call, turns of one role joined, no empty messages, distinct IDs of calls, and something of the user.
 * Clients of other formats, and those that were interrupted, write other orders.
 */
import type { AssistantPart, Message, ToolCallPart, ToolResultPart, UserMessage } from './conversation.ts';
import { isShortId, shortened, shortId } from './shortIds.ts';

export interface TurnRules {
  /** Whether a text with only white space counts as empty. */
  readonly refusesBlankText: boolean;
  /** Whether an answer may end with reasoning. */
  readonly endsWithReasoning: boolean;
  /** Whether the first turn must be the user's. */
  readonly startsWithUser: boolean;
  readonly maxIdLength: number;
  /** Characters that IDs of calls cannot contain. */
  readonly notInIds?: RegExp;
}

const NO_RESULT = { type: 'text', text: 'The call was interrupted and has no result.' } as const;

/** Stands for the question if there is nothing of the user, which services refuse. */
const NOTHING_ASKED: Message = { role: 'user', parts: [{ type: 'text', text: 'Continue.' }] };

/** Returns the messages in that order. Those that are in it already are returned as they are. */
export function inOrder(messages: readonly Message[], rules: TurnRules): readonly Message[] {
  const ordered = isInOrder(messages, rules) ? messages : new TurnOrder(messages, rules).turns();
  return hasQuestion(ordered, rules) ? ordered : withQuestion(ordered);
}

function hasQuestion(messages: readonly Message[], { startsWithUser }: TurnRules): boolean {
  if (!startsWithUser) return messages.some(({ role }) => role === 'user');
  return messages.find(({ role }) => role !== 'system')?.role === 'user';
}

function withQuestion(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return messages.toSpliced(first === -1 ? messages.length : first, 0, NOTHING_ASKED);
}

/** Most conversations are in order. Loops instead of callbacks, because each translated request passes here. */
function isInOrder(messages: readonly Message[], rules: TurnRules): boolean {
  const seen = new Set<string>();
  let open: Set<string> | undefined;
  let before: Message['role'] | undefined;
  for (const message of messages) {
    const { role, parts } = message;
    if (parts.length === 0 || (role === before && role !== 'system')) return false;
    if ((role === 'tool') !== (open !== undefined)) return false;
    if (role === 'tool') {
      if (open === undefined || parts.length !== open.size) return false;
      for (const part of parts as readonly ToolResultPart[]) {
        if (!open.delete(part.toolCallId)) return false;
      }
      open = undefined;
    } else if (role === 'assistant') {
      const last = parts.at(-1);
      if (last?.type === 'reasoning' && (!rules.endsWithReasoning || isOnlyReasoning(parts))) return false;
    }
    for (const part of parts) {
      const { type } = part;
      if (type === 'text' && (part.text === '' || (rules.refusesBlankText && part.text.trim() === ''))) return false;
      if (type !== 'toolCall') continue;
      const { id } = part;
      if (id === '' || seen.has(id) || id.length > rules.maxIdLength || rules.notInIds?.test(id)) return false;
      seen.add(id);
      open ??= new Set();
      open.add(id);
    }
    before = role;
  }
  return open === undefined;
}

function isEmptyText(text: string, rules: TurnRules): boolean {
  return text === '' || (rules.refusesBlankText && text.trim() === '');
}

function isOnlyReasoning(parts: readonly { readonly type: string }[]): boolean {
  return parts.every(({ type }) => type === 'reasoning');
}

interface OrderedCall {
  readonly part: ToolCallPart;
  readonly place: number;
  readonly id: string;
  result?: ToolResultPart;
}

class TurnOrder {
  readonly #messages: readonly Message[];
  readonly #rules: TurnRules;
  readonly #calls: readonly OrderedCall[];
  readonly #orphans: ReadonlySet<ToolResultPart>;
  readonly #turns: Message[] = [];
  /** The answer whose end has not been reached. */
  #answer: AssistantPart[] = [];
  #callsOfAnswer: OrderedCall[] = [];

  constructor(messages: readonly Message[], rules: TurnRules) {
    this.#messages = messages;
    this.#rules = rules;
    this.#calls = callsIn(messages, rules);
    this.#orphans = assignResults(messages, this.#calls);
  }

  turns(): readonly Message[] {
    for (const [place, message] of this.#messages.entries()) this.#read(message, place);
    this.#endAnswer();
    return this.#turns;
  }

  #read(message: Message, place: number): void {
    if (message.role === 'assistant') {
      this.#readAnswer(message.parts, place);
      return;
    }
    if (message.role === 'tool') {
      this.#endAnswer();
      const orphans = message.parts.filter((part) => this.#orphans.has(part));
      this.#addUser(orphans.flatMap(asUserParts));
      return;
    }
    const parts = message.parts.filter((part) => part.type !== 'text' || !isEmptyText(part.text, this.#rules));
    if (parts.length === 0) return;
    this.#endAnswer();
    if (message.role === 'user') this.#addUser(parts);
    else this.#turns.push({ ...message, parts: message.parts.filter((part) => parts.includes(part)) });
  }

  #addUser(parts: UserMessage['parts']): void {
    const filled = parts.filter((part) => part.type !== 'text' || !isEmptyText(part.text, this.#rules));
    if (filled.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === 'user') this.#turns[this.#turns.length - 1] = { ...last, parts: [...last.parts, ...filled] };
    else this.#turns.push({ role: 'user', parts: filled });
  }

  #readAnswer(parts: readonly AssistantPart[], place: number): void {
    const calls = this.#calls.filter((call) => call.place === place);
    const ids = new Map(calls.map((call) => [call.part, call.id]));
    for (const part of parts) {
      if (part.type === 'text' && isEmptyText(part.text, this.#rules)) continue;
      if (part.type === 'toolCall') this.#answer.push(withId(part, ids.get(part) ?? part.id));
      else this.#answer.push(part);
    }
    this.#callsOfAnswer.push(...calls);
  }

  #endAnswer(): void {
    const parts = this.#answer;
    const calls = this.#callsOfAnswer;
    this.#answer = [];
    this.#callsOfAnswer = [];
    if (!this.#rules.endsWithReasoning) while (parts.at(-1)?.type === 'reasoning') parts.pop();
    if (isOnlyReasoning(parts)) return;
    const last = this.#turns.at(-1);
    // Nothing was left of the messages between two answers.
    if (last?.role === 'assistant') this.#turns[this.#turns.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    else this.#turns.push({ role: 'assistant', parts });
    if (calls.length > 0) this.#turns.push({ role: 'tool', parts: calls.map(resultOf) });
  }
}

function withId(part: ToolCallPart, id: string): ToolCallPart {
  return id === part.id ? part : { ...part, id };
}

function resultOf({ part, id, result }: OrderedCall): ToolResultPart {
  if (result !== undefined) return result.toolCallId === id ? result : { ...result, toolCallId: id };
  const kind = {
    ...(part.freeForm && { freeForm: true as const }),
    ...(part.toolSearch && { toolSearch: true as const }),
  };
  return { type: 'toolResult', toolCallId: id, content: [NO_RESULT], isError: true, ...kind };
}

/** A result without its call is still something that the model was told. */
function asUserParts({ toolCallId, content }: ToolResultPart): UserMessage['parts'] {
  return [{ type: 'text', text: `From the result of tool call ${toolCallId}:` }, ...content];
}

function callsIn(messages: readonly Message[], rules: TurnRules): readonly OrderedCall[] {
  const used = new Set<string>();
  return messages.flatMap((message, place): OrderedCall[] => {
    if (message.role !== 'assistant') return [];
    const parts = message.parts.filter((part) => part.type === 'toolCall');
    return parts.map((part) => {
      const id = distinct(accepted(part.id, rules), used, rules);
      return { part, place, id };
    });
  });
}

function accepted(id: string, { notInIds, maxIdLength }: TurnRules): string {
  const plain = notInIds === undefined ? id : id.replace(new RegExp(notInIds, 'g'), '_');
  return shortened(plain === '' ? 'call' : plain, maxIdLength);
}

function distinct(id: string, used: Set<string>, { maxIdLength }: TurnRules): string {
  let free = id;
  for (let count = 2; used.has(free); count += 1) {
    const end = `_${count}`;
    // Clients write such IDs for servers that accept no others.
    free = isShortId(id) ? shortId(id + end) : id.slice(0, maxIdLength - end.length) + end;
  }
  used.add(free);
  return free;
}

/**
 * Assigns each result to the last call before it with its ID that has none, or else to the first one after it.
 * @returns the results without a call.
 */
function assignResults(messages: readonly Message[], calls: readonly OrderedCall[]): ReadonlySet<ToolResultPart> {
  const byId = Map.groupBy(calls, ({ part }) => part.id);
  const orphans = new Set<ToolResultPart>();
  for (const [place, message] of messages.entries()) {
    if (message.role !== 'tool') continue;
    for (const result of message.parts) {
      const open = (byId.get(result.toolCallId) ?? []).filter((call) => call.result === undefined);
      const call = open.findLast((each) => each.place < place) ?? open[0];
      if (call === undefined) orphans.add(result);
      else call.result = result;
    }
  }
  return orphans;
}

/** Joins adjacent messages of one role, for the given roles. */
export function joinTurns(messages: readonly Message[], isJoined: (role: Message['role']) => boolean): Message[] {
  const turns: Message[][] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (last?.[0]?.role === message.role && isJoined(message.role)) last.push(message);
    else turns.push([message]);
  }
  return turns.flatMap(joined);
}

/** Joins messages of one role. */
function joined(turn: readonly Message[]): Message[] {
  const [first] = turn;
  if (first === undefined || turn.length === 1) return [...turn];
  return [{ ...first, parts: turn.flatMap(({ parts }) => [...parts]) } as Message];
}
