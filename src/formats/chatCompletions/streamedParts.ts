import type { ChatEvent, ReasoningPart } from '../conversation.ts';
import { defined } from '../defined.ts';
import type { WireToolCallDelta } from './schema.ts';
import { ToolCallAssembler } from './toolCallAssembler.ts';

/** A piece of text of one kind. `key` and `seal` belong to reasoning, see `ReasoningPiece`. */
export interface Piece {
  readonly type: 'text' | 'refusal' | 'reasoning';
  readonly text: string;
  readonly key?: number;
  readonly seal?: Omit<ReasoningPart, 'type' | 'text'>;
}

interface OpenPart {
  readonly type: Piece['type'];
  readonly index: number;
  readonly key?: number;
}

/** Numbers the parts of a streamed answer in the order of their start, since this wire does not. */
export class StreamedParts {
  #started = 0;
  #open: OpenPart | undefined;
  readonly #calls: ToolCallAssembler;
  /**
   * What came after the first tool call. It waits until the calls end, which this wire does not tell before the
   * answer ends: a late fragment must still find its call open, and only calls may overlap.
   */
  readonly #held: Piece[] = [];

  constructor(answerId: string) {
    this.#calls = new ToolCallAssembler(
      () => this.#nextIndex(),
      (nth) => `call_${answerId}_${nth}`,
    );
  }

  get hasToolCalls(): boolean {
    return this.#calls.hasCalls;
  }

  add(piece: Piece): ChatEvent[] {
    if (piece.text === '' && piece.seal === undefined) return [];
    if (!this.#calls.hasCalls) return this.#tell(piece);
    this.#held.push(piece);
    return [];
  }

  addToolCall(fragment: WireToolCallDelta): ChatEvent[] {
    return this.#calls.push(fragment);
  }

  end(): ChatEvent[] {
    const ends = this.#calls.end();
    this.#open = undefined;
    return [...ends, ...this.#held.splice(0).flatMap((piece) => this.#tell(piece))];
  }

  #tell(piece: Piece): ChatEvent[] {
    const { index } = this.#partFor(piece);
    const { type, text, seal } = piece;
    const events: ChatEvent[] = text === '' ? [] : [{ type: `${type}Delta`, index, text }];
    if (seal === undefined) return events;
    this.#open = undefined;
    return [...events, { type: 'reasoningSeal', index, ...seal }];
  }

  #partFor({ type, key }: Piece): OpenPart {
    const open = this.#open;
    const fits = open?.type === type && (key === undefined || open.key === undefined || key === open.key);
    if (open !== undefined && fits) return open;
    this.#open = { type, index: this.#nextIndex(), ...defined({ key }) };
    return this.#open;
  }

  #nextIndex(): number {
    return this.#started++;
  }
}
