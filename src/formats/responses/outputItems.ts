import type { PlacedCitation, TokenLogProb } from '../conversation.ts';
import { defined } from '../json.ts';
import { encodeLogProbs } from '../logProbs.ts';
import { encodeAnnotation } from './annotations.ts';
import type { ResponsesAnnotation } from './contentSchema.ts';
import type { ResponsesEvent } from './eventSchema.ts';
import { functionArguments } from './items.ts';
import { encodeSummary, encryptedContent, type ReasoningSeal } from './reasoning.ts';
import type { OutputItem } from './schema.ts';
import { searchCall } from './toolSearch.ts';

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The position of an item: `output_index` in the answer, `item_id` in all its events. */
export interface ItemPlace {
  readonly output_index: number;
  readonly item_id: string;
}

/** An item of an answer that is being written, with its own events. */
export abstract class DraftItem {
  protected readonly place: ItemPlace;
  protected status: ItemStatus = 'in_progress';

  constructor(place: ItemPlace) {
    this.place = place;
  }

  /** Returns the current state of the item. */
  abstract wire(): OutputItem;

  open(): ResponsesEvent[] {
    const { output_index } = this.place;
    return [{ type: 'response.output_item.added', output_index, item: this.wire() }];
  }

  close(status: ItemStatus): ResponsesEvent[] {
    const content = this.closeContent();
    this.status = status;
    const { output_index } = this.place;
    return [...content, { type: 'response.output_item.done', output_index, item: this.wire() }];
  }

  /** Marks it as incomplete without sending an event. */
  abandon(): void {
    this.status = 'incomplete';
  }

  /** Returns the events that end its content. */
  protected closeContent(): ResponsesEvent[] {
    return [];
  }
}

/** Reasoning, as the single part of a summary. */
export class DraftReasoning extends DraftItem {
  /** Index of the neutral part. */
  readonly index: number;
  #text = '';
  #seal: ReasoningSeal = {};

  constructor(place: ItemPlace, index: number) {
    super(place);
    this.index = index;
  }

  wire(): OutputItem {
    return {
      id: this.place.item_id,
      type: 'reasoning',
      summary: encodeSummary(this.#text),
      ...defined({ encrypted_content: encryptedContent(this.#seal) }),
      status: this.status,
    };
  }

  add(delta: string): ResponsesEvent[] {
    const part = { type: 'summary_text', text: '' };
    const opening: ResponsesEvent[] =
      this.#text === '' ? [{ type: 'response.reasoning_summary_part.added', ...this.#summaryPlace(), part }] : [];
    this.#text += delta;
    return [...opening, { type: 'response.reasoning_summary_text.delta', ...this.#summaryPlace(), delta }];
  }

  seal(seal: ReasoningSeal): void {
    this.#seal = seal;
  }

  protected override closeContent(): ResponsesEvent[] {
    if (this.#text === '') return [];
    const place = this.#summaryPlace();
    const part = { type: 'summary_text', text: this.#text };
    return [
      { type: 'response.reasoning_summary_text.done', ...place, text: this.#text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ];
  }

  #summaryPlace() {
    return { ...this.place, summary_index: 0 };
  }
}

export class DraftImage extends DraftItem {
  readonly #result: string;

  /** @param result in base64. */
  constructor(place: ItemPlace, result: string) {
    super(place);
    this.#result = result;
  }

  wire(): OutputItem {
    const result = this.status === 'completed' ? this.#result : null;
    return { id: this.place.item_id, type: 'image_generation_call', status: this.status, result };
  }

  protected override closeContent(): ResponsesEvent[] {
    return [{ type: 'response.image_generation_call.completed', ...this.place }];
  }
}

export interface CallHead {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string;
  readonly freeForm?: true;
}

/** A function call, or a free-form call of a custom tool. */
export class DraftCall extends DraftItem {
  readonly #head: CallHead;
  #written = '';

  constructor(place: ItemPlace, head: CallHead) {
    super(place);
    this.#head = head;
  }

  wire(): OutputItem {
    const { callId, name, namespace, freeForm } = this.#head;
    const call = { id: this.place.item_id, status: this.status, call_id: callId, name, ...defined({ namespace }) };
    return freeForm
      ? { type: 'custom_tool_call', ...call, input: this.#written }
      : { type: 'function_call', ...call, arguments: this.#written };
  }

  add(delta: string): ResponsesEvent[] {
    this.#written += delta;
    const type = this.#head.freeForm
      ? 'response.custom_tool_call_input.delta'
      : 'response.function_call_arguments.delta';
    return [{ type, ...this.place, delta }];
  }

  protected override closeContent(): ResponsesEvent[] {
    const empty = this.#written === '' && !this.#head.freeForm;
    const filling = empty ? this.add(functionArguments('')) : [];
    return [...filling, this.#whole()];
  }

  #whole(): ResponsesEvent {
    return this.#head.freeForm
      ? { type: 'response.custom_tool_call_input.done', ...this.place, input: this.#written }
      : {
          type: 'response.function_call_arguments.done',
          ...this.place,
          name: this.#head.name,
          arguments: this.#written,
        };
  }
}

/** A tool search that is being written. The format has no events for its content. */
export class DraftToolSearch extends DraftItem {
  readonly #callId: string;
  #written = '';

  constructor(place: ItemPlace, callId: string) {
    super(place);
    this.#callId = callId;
  }

  wire(): OutputItem {
    const call = this.status === 'completed' ? searchCall(this.#callId, this.#written) : searchCall(this.#callId, '');
    return { id: this.place.item_id, type: 'tool_search_call', status: this.status, ...call };
  }

  add(delta: string): ResponsesEvent[] {
    this.#written += delta;
    return [];
  }
}

type OutputPartKind = 'text' | 'refusal';

interface OutputPart {
  /** Index of the neutral part. */
  readonly index: number;
  readonly kind: OutputPartKind;
  text: string;
  readonly annotations: ResponsesAnnotation[];
  /** Citations of the whole text, whose length is only known at its end. */
  readonly ofAll: PlacedCitation[];
  readonly logProbs: TokenLogProb[];
}

/** Consecutive text and refusals are the content of one message. */
export class DraftMessage extends DraftItem {
  readonly #parts: OutputPart[] = [];

  wire(): OutputItem {
    const content = this.#parts.map(encodePart);
    return { id: this.place.item_id, type: 'message', status: this.status, role: 'assistant', content };
  }

  /** Adds a delta of the neutral part `index`. A new part starts a new content. */
  add(index: number, kind: OutputPartKind, delta: string, logProbs: readonly TokenLogProb[] = []): ResponsesEvent[] {
    const last = this.#parts.at(-1);
    if (last?.index === index && last.kind === kind) {
      last.text += delta;
      last.logProbs.push(...logProbs);
      return [this.#delta(kind, delta, logProbs)];
    }
    const closing = this.closeContent();
    const part: OutputPart = { index, kind, text: '', annotations: [], ofAll: [], logProbs: [] };
    this.#parts.push(part);
    const opening = { type: 'response.content_part.added', ...this.#contentPlace(), part: encodePart(part) };
    return [...closing, opening, ...this.add(index, kind, delta, logProbs)];
  }

  /** @returns undefined if the text of the neutral part `index` is not open. */
  cite(index: number, cited: PlacedCitation): ResponsesEvent[] | undefined {
    const last = this.#parts.at(-1);
    if (last?.index !== index || last.kind !== 'text') return undefined;
    if (cited.span !== undefined) return this.#annotate(last, cited);
    last.ofAll.push(cited);
    return [];
  }

  #contentPlace() {
    return { ...this.place, content_index: this.#parts.length - 1 };
  }

  #annotate(part: OutputPart, cited: PlacedCitation): ResponsesEvent[] {
    const annotation = encodeAnnotation(cited, part.text.length);
    if (annotation === undefined) return [];
    const annotation_index = part.annotations.push(annotation) - 1;
    return [{ type: 'response.output_text.annotation.added', ...this.#contentPlace(), annotation_index, annotation }];
  }

  #delta(kind: OutputPartKind, delta: string, logProbs: readonly TokenLogProb[]): ResponsesEvent {
    return kind === 'text'
      ? { type: 'response.output_text.delta', ...this.#contentPlace(), delta, logprobs: encodeLogProbs(logProbs) }
      : { type: 'response.refusal.delta', ...this.#contentPlace(), delta };
  }

  protected override closeContent(): ResponsesEvent[] {
    const last = this.#parts.at(-1);
    if (last === undefined) return [];
    const { kind, text, logProbs } = last;
    const place = this.#contentPlace();
    const cited = last.ofAll.splice(0).flatMap((citation) => this.#annotate(last, citation));
    const whole: ResponsesEvent =
      kind === 'text'
        ? { type: 'response.output_text.done', ...place, text, logprobs: encodeLogProbs(logProbs) }
        : { type: 'response.refusal.done', ...place, refusal: text };
    return [...cited, whole, { type: 'response.content_part.done', ...place, part: encodePart(last) }];
  }
}

function encodePart({ kind, text, annotations, logProbs }: OutputPart) {
  return kind === 'text'
    ? { type: 'output_text', text, annotations: [...annotations], logprobs: encodeLogProbs(logProbs) }
    : { type: 'refusal', refusal: text };
}
