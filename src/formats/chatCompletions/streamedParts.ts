import type { ChatEvent } from '../answer.ts';
import type { MediaSource, PlacedCitation, ReasoningPart, TokenLogProb } from '../conversation.ts';
import { defined, type JsonObject } from '../json.ts';
import { asLogProbs } from '../logProbs.ts';
import { foreignDetails } from './content.ts';
import type { WireToolCallDelta } from './schema.ts';
import { ToolCallAssembler } from './toolCallAssembler.ts';

/** A delta of one kind of text. `key` and `seal` apply to reasoning, see `ReasoningPiece`; `logProbs` to text. */
export interface StreamedPiece {
  readonly type: 'text' | 'refusal' | 'reasoning';
  readonly text: string;
  readonly key?: number;
  readonly seal?: Omit<ReasoningPart, 'type' | 'text'>;
  /** As received, for reasoning. */
  readonly details?: readonly JsonObject[];
  readonly logProbs?: readonly TokenLogProb[];
}

interface OpenPart {
  readonly type: StreamedPiece['type'];
  readonly index: number;
  readonly key?: number;
}

/** Numbers the parts of a streamed answer in the order of their start, because this format does not. */
export class StreamedParts {
  #started = 0;
  #open: OpenPart | undefined;
  readonly #calls: ToolCallAssembler;
  /** Index of the last text. */
  #text: number | undefined;
  /** Whether there was another text before the last one. */
  #hasTexts = false;
  /** The details of the last reasoning, until something else follows. */
  #detailed: { readonly index: number; seal: StreamedPiece['seal']; readonly details: JsonObject[] } | undefined;
  /** Citations that arrived before any text. */
  readonly #cited: PlacedCitation[] = [];
  /**
   * Everything after the first tool call. It waits until the calls end, which this format does not signal before the
   * end of the answer: a late fragment must find its call open, and only calls may overlap.
   */
  readonly #held: StreamedPiece[] = [];

  constructor(answerId: string) {
    this.#calls = new ToolCallAssembler(
      () => this.#nextIndex(),
      (nth) => `call_${answerId}_${nth}`,
    );
  }

  /** Whether no part has begun. */
  get isEmpty(): boolean {
    return this.#started === 0 && !this.hasToolCalls;
  }

  get hasToolCalls(): boolean {
    return this.#calls.hasCalls;
  }

  add(piece: StreamedPiece): ChatEvent[] {
    if (isEmpty(piece)) return [];
    if (!this.#calls.hasCalls) return this.#emit(piece);
    this.#held.push(piece);
    return [];
  }

  /** An image may be among the fragments of a call, because it is whole. */
  addImage(source: MediaSource): ChatEvent[] {
    this.#open = undefined;
    return [...this.#endDetails(), { type: 'image', index: this.#nextIndex(), source }];
  }

  addToolCall(fragment: WireToolCallDelta): ChatEvent[] {
    return this.#detailed === undefined
      ? this.#calls.push(fragment)
      : [...this.#endDetails(), ...this.#calls.push(fragment)];
  }

  /** Accepts citations even after other parts have started: some servers send them with their last chunk. */
  cite({ citation, span }: PlacedCitation): ChatEvent[] {
    if (this.#text === undefined) {
      this.#cited.push({ citation, ...defined({ span }) });
      return [];
    }
    // Positions count from the beginning of the whole text, which equals the part's own text only if there is just one.
    const own = this.#hasTexts ? {} : defined({ span });
    return [{ type: 'citation', index: this.#text, citation, ...own }];
  }

  /** Whether citations arrived without any text. */
  get hasUncited(): boolean {
    return this.#cited.length > 0;
  }

  end(): ChatEvent[] {
    const ends = this.#calls.end();
    this.#open = undefined;
    const held = this.#held.splice(0).flatMap((piece) => this.#emit(piece));
    return [...ends, ...held, ...this.#endDetails()];
  }

  #emit(piece: StreamedPiece): ChatEvent[] {
    const { index } = this.#partFor(piece);
    const { type, text, seal, details, logProbs = [] } = piece;
    const ends = this.#detailed === undefined || this.#detailed.index === index ? [] : this.#endDetails();
    if (type === 'text') return [...ends, ...this.#emitText(index, text, logProbs)];
    const events: ChatEvent[] = text === '' ? ends : [...ends, { type: `${type}Delta`, index, text }];
    const isDetailed = this.#detailed !== undefined || (details !== undefined && 'details' in foreignDetails(details));
    if (isDetailed) this.#addDetails(index, piece);
    if (this.#detailed !== undefined || seal === undefined) return events;
    this.#open = undefined;
    return [...events, { type: 'reasoningSeal', index, ...seal }];
  }

  #addDetails(index: number, { seal, details = [] }: StreamedPiece): void {
    this.#detailed ??= { index, seal: undefined, details: [] };
    this.#detailed.details.push(...details);
    if (seal !== undefined) this.#detailed.seal = { ...this.#detailed.seal, ...seal };
  }

  #endDetails(): ChatEvent[] {
    const detailed = this.#detailed;
    this.#detailed = undefined;
    if (detailed === undefined) return [];
    const { index, seal, details } = detailed;
    return [{ type: 'reasoningSeal', index, ...seal, ...foreignDetails(details) }];
  }

  #emitText(index: number, text: string, logProbs: readonly TokenLogProb[]): ChatEvent[] {
    if (this.#text !== undefined && this.#text !== index) this.#hasTexts = true;
    this.#text = index;
    const delta: ChatEvent = { type: 'textDelta', index, text, ...asLogProbs(logProbs) };
    if (this.#cited.length === 0) return [delta];
    return [delta, ...this.#cited.splice(0).flatMap((cited) => this.cite(cited))];
  }

  #partFor({ type, key }: StreamedPiece): OpenPart {
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

function isEmpty({ text, seal, logProbs }: StreamedPiece): boolean {
  return text === '' && seal === undefined && logProbs === undefined;
}
