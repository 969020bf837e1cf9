import type { ChatEvent } from '../answer.ts';
import type { ToolCallPart } from '../conversation.ts';
import { lostPart } from '../lostOutput.ts';
import type { WireToolCallDelta } from './schema.ts';
import { argumentsText, extraOf } from './tools.ts';

interface AssembledCall {
  readonly id: string | undefined;
  /** Position among the answer's parts. Undefined until the call has a name and is reported. */
  part?: number;
  name?: string;
  extra?: ToolCallPart['extra'];
  /** Whether it arrived after the call was reported. */
  isExtraLate?: boolean;
  /** All arguments so far, reported or not. */
  text: string;
  readonly objectEnd: ObjectEnd;
}

/**
 * Assembles the fragments of tool calls, even if the server breaks the rules: ID and name repeated in each fragment,
 * all calls under one `index`, an `index` that changes within a call, no `index` at all, no IDs, the name after the
 * first arguments, all arguments so far in each fragment, or the arguments of several calls in one.
 */
export class ToolCallAssembler {
  readonly #nextPart: () => number;
  readonly #makeId: (nth: number) => string;
  readonly #calls: AssembledCall[] = [];
  readonly #callAtIndex = new Map<number, AssembledCall>();

  /**
   * @param nextPart returns the position of the next part of the answer.
   * @param makeId creates an ID for the nth call if the server sent none.
   */
  constructor(nextPart: () => number, makeId: (nth: number) => string) {
    this.#nextPart = nextPart;
    this.#makeId = makeId;
  }

  /** Whether there is a call that the client can run. */
  get hasCalls(): boolean {
    return this.#calls.some(({ part }) => part !== undefined);
  }

  push(fragment: WireToolCallDelta): ChatEvent[] {
    return this.#add(this.#callOf(fragment), fragment);
  }

  #add(call: AssembledCall, fragment: WireToolCallDelta): ChatEvent[] {
    const name = nameOf(fragment);
    const written = fragment.function?.arguments;
    // Some servers send all arguments as an object, but nothing can continue one, or be continued by one.
    if (typeof written === 'object' && written !== null && call.text !== '') {
      return [lostPart('arguments of a tool call', argumentsText(written))];
    }
    const all = fragment.custom?.input ?? newArguments(call.text, argumentsText(written));
    // The arguments of a call are one object, so that another one belongs to another call of the same tool.
    const end = fragment.custom ? undefined : call.objectEnd.read(all);
    if (end !== undefined) return this.#divide(call, fragment, all, end);
    return this.#append(call, fragment, name, all);
  }

  #divide(call: AssembledCall, fragment: WireToolCallDelta, text: string, end: number): ChatEvent[] {
    const own = this.#append(call, fragment, nameOf(fragment), text.slice(0, end));
    const next = this.#create(fragment.index, undefined);
    const name = nameOf(fragment) || call.name || '';
    return [...own, ...this.#add(next, { ...fragment, id: null, function: { name, arguments: text.slice(end) } })];
  }

  #append(call: AssembledCall, fragment: WireToolCallDelta, name: string, text: string): ChatEvent[] {
    call.text += text;
    if (fragment.extra_content) Object.assign(call, extraOf(fragment), { isExtraLate: call.part !== undefined });
    if (call.part !== undefined) {
      return text === '' ? [] : [{ type: 'toolCallDelta', index: call.part, arguments: text }];
    }
    if (name === '') return [];
    return this.#start(call, name, fragment.type === 'custom' || fragment.custom != null);
  }

  #start(call: AssembledCall, name: string, freeForm: boolean): ChatEvent[] {
    const index = this.#nextPart();
    call.part = index;
    call.name = name;
    const id = call.id ?? this.#makeId(this.#calls.lastIndexOf(call));
    const { extra } = call;
    const start: ChatEvent = {
      type: 'toolCallStart',
      index,
      id,
      name,
      ...(freeForm && { freeForm }),
      ...(extra && { extra }),
    };
    return call.text === '' ? [start] : [start, { type: 'toolCallDelta', index, arguments: call.text }];
  }

  /** Ends all calls in the order of their start. A call without a name cannot be run and is reported. */
  end(): ChatEvent[] {
    const nameless = this.#calls.filter(
      (call) => call.part === undefined && (call.text !== '' || call.id !== undefined),
    );
    const ends = this.#calls.flatMap(({ part: index, extra, isExtraLate }) =>
      index === undefined ? [] : [{ type: 'toolCallEnd', index, ...(extra && isExtraLate && { extra }) } as const],
    );
    return [
      ...ends.sort((a, b) => a.index - b.index),
      ...nameless.map(({ text }) => lostPart('a tool call without a name', text)),
    ];
  }

  #callOf(fragment: WireToolCallDelta): AssembledCall {
    const { index } = fragment;
    const atIndex = typeof index === 'number' ? this.#callAtIndex.get(index) : this.#calls.at(-1);
    const known = atIndex ?? this.#continued(fragment);
    if (known !== undefined && !isAnother(fragment, known)) return known;
    return this.#create(index, fragment.id || undefined);
  }

  #create(index: WireToolCallDelta['index'], id: string | undefined): AssembledCall {
    const call: AssembledCall = { id, text: '', objectEnd: new ObjectEnd() };
    this.#calls.push(call);
    if (typeof index === 'number') this.#callAtIndex.set(index, call);
    return call;
  }

  /** The call that a fragment at a new index continues: the one with its ID, or the last if it has no ID and no name. */
  #continued(fragment: WireToolCallDelta): AssembledCall | undefined {
    if (fragment.id) return this.#calls.find(({ id }) => id === fragment.id);
    return nameOf(fragment) === '' && this.#calls.at(-1)?.part !== undefined ? this.#calls.at(-1) : undefined;
  }
}

/**
 * Returns what a fragment adds to the arguments so far. Some servers repeat all of them in each fragment. A fragment
 * that begins as the arguments did cannot continue a JSON object.
 */
function newArguments(known: string, text: string): string {
  const mayRepeat = known !== '' && text.length >= known.length && text.startsWith('{');
  return mayRepeat && text.startsWith(known) ? text.slice(known.length) : text;
}

/**
 * Whether a fragment with a name starts a new call: if its ID is new, or if there is no `index` that says otherwise.
 */
function isAnother(fragment: WireToolCallDelta, known: AssembledCall): boolean {
  if (nameOf(fragment) === '' || known.name === undefined) return false;
  if (fragment.id && known.id !== undefined) return fragment.id !== known.id;
  return typeof fragment.index !== 'number';
}

function nameOf({ function: fn, custom }: WireToolCallDelta): string {
  return custom?.name || fn?.name || '';
}

/** Follows the JSON of a call's arguments, which arrives in pieces, to find where one object ends and another begins. */
class ObjectEnd {
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #isWhole = false;

  /**
   * Reads a piece.
   * @returns the position at which another object begins. Undefined if none does: the piece was read to its end.
   */
  read(piece: string): number | undefined {
    for (let at = 0; at < piece.length; at += 1) {
      const character = piece[at];
      if (this.#isWhole && character === '{') return at;
      this.#step(character);
    }
    return undefined;
  }

  #step(character: string | undefined): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (this.#isInString) {
      this.#isEscaped = character === '\\';
      this.#isInString = character !== '"';
    } else if (character === '"') this.#isInString = true;
    else if (character === '{') this.#depth += 1;
    else if (character === '}') {
      this.#depth -= 1;
      this.#isWhole = this.#depth === 0;
    }
  }
}
