import type { ChatEvent } from '../conversation.ts';
import type { WireToolCallDelta } from './schema.ts';
import { argumentsText } from './tools.ts';

interface Call {
  readonly id: string | undefined;
  /** Position among the answer's parts. Undefined until the call has a name and is reported. */
  part?: number;
  name?: string;
  /** Arguments that arrived before the name. */
  early: string;
}

/**
 * Assembles the fragments of tool calls, even if the server breaks the rules: ID and name repeated in each fragment,
 * all calls under one `index`, no `index` at all, no IDs, or the name after the first arguments.
 */
export class ToolCallAssembler {
  readonly #nextPart: () => number;
  readonly #makeId: (nth: number) => string;
  readonly #calls: Call[] = [];
  readonly #callAtIndex = new Map<number, Call>();

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
    const call = this.#callOf(fragment);
    const name = nameOf(fragment);
    const text = fragment.custom?.input ?? argumentsText(fragment.function?.arguments);
    if (call.part !== undefined) {
      return text === '' ? [] : [{ type: 'toolCallDelta', index: call.part, arguments: text }];
    }
    call.early += text;
    if (name === '') return [];
    return this.#start(call, name, fragment.type === 'custom' || fragment.custom != null);
  }

  #start(call: Call, name: string, freeForm: boolean): ChatEvent[] {
    const index = this.#nextPart();
    call.part = index;
    call.name = name;
    const id = call.id ?? this.#makeId(this.#calls.lastIndexOf(call));
    const start: ChatEvent = { type: 'toolCallStart', index, id, name, ...(freeForm && { freeForm }) };
    return call.early === '' ? [start] : [start, { type: 'toolCallDelta', index, arguments: call.early }];
  }

  /** Ends all calls in the order of their start. A call without a name cannot be run and is reported. */
  end(): ChatEvent[] {
    const nameless = this.#calls.filter(
      (call) => call.part === undefined && (call.early !== '' || call.id !== undefined),
    );
    const parts = this.#calls.flatMap(({ part }) => part ?? []).sort((a, b) => a - b);
    return [
      ...parts.map((index): ChatEvent => ({ type: 'toolCallEnd', index })),
      ...nameless.map(
        ({ early }): ChatEvent => ({ type: 'malformed', problem: 'A tool call arrived without a name.', data: early }),
      ),
    ];
  }

  #callOf(fragment: WireToolCallDelta): Call {
    const { index } = fragment;
    const known = typeof index === 'number' ? this.#callAtIndex.get(index) : this.#calls.at(-1);
    if (known !== undefined && !isAnother(fragment, known)) return known;
    const call: Call = { id: fragment.id || undefined, early: '' };
    this.#calls.push(call);
    if (typeof index === 'number') this.#callAtIndex.set(index, call);
    return call;
  }
}

/**
 * Whether a fragment with a name starts a new call: if its ID is new, or if there is no `index` that says otherwise.
 */
function isAnother(fragment: WireToolCallDelta, known: Call): boolean {
  if (nameOf(fragment) === '' || known.name === undefined) return false;
  if (fragment.id && known.id !== undefined) return fragment.id !== known.id;
  return typeof fragment.index !== 'number';
}

function nameOf({ function: fn, custom }: WireToolCallDelta): string {
  return custom?.name || fn?.name || '';
}
