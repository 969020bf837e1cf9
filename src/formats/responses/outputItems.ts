/** The items of an answer that is being written, each with its own events. */
import { defined } from '../json.ts';
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

export interface DraftItem {
  /** Returns the current state of the item. */
  wire(): OutputItem;
  open(): ResponsesEvent[];
  close(status: ItemStatus): ResponsesEvent[];
}

export function added({ output_index }: ItemPlace, item: OutputItem): ResponsesEvent {
  return { type: 'response.output_item.added', output_index, item };
}

export function done({ output_index }: ItemPlace, item: OutputItem): ResponsesEvent {
  return { type: 'response.output_item.done', output_index, item };
}

/** Reasoning, as the single part of a summary. */
export class DraftReasoning implements DraftItem {
  /** Index of the neutral part. */
  readonly index: number;
  readonly #place: ItemPlace;
  #text = '';
  #seal: ReasoningSeal = {};
  #status: ItemStatus = 'in_progress';

  constructor(place: ItemPlace, index: number) {
    this.#place = place;
    this.index = index;
  }

  wire(): OutputItem {
    return {
      id: this.#place.item_id,
      type: 'reasoning',
      summary: encodeSummary(this.#text),
      ...defined({ encrypted_content: encryptedContent(this.#seal) }),
      status: this.#status,
    };
  }

  open(): ResponsesEvent[] {
    return [added(this.#place, this.wire())];
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

  close(status: ItemStatus): ResponsesEvent[] {
    this.#status = status;
    return [...this.#closeSummary(), done(this.#place, this.wire())];
  }

  #closeSummary(): ResponsesEvent[] {
    if (this.#text === '') return [];
    const place = this.#summaryPlace();
    const part = { type: 'summary_text', text: this.#text };
    return [
      { type: 'response.reasoning_summary_text.done', ...place, text: this.#text },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ];
  }

  #summaryPlace() {
    return { ...this.#place, summary_index: 0 };
  }
}

export class DraftImage implements DraftItem {
  readonly #place: ItemPlace;
  readonly #result: string;
  #status: ItemStatus = 'in_progress';

  /** @param result in base64. */
  constructor(place: ItemPlace, result: string) {
    this.#place = place;
    this.#result = result;
  }

  wire(): OutputItem {
    const result = this.#status === 'completed' ? this.#result : null;
    return { id: this.#place.item_id, type: 'image_generation_call', status: this.#status, result };
  }

  open(): ResponsesEvent[] {
    return [added(this.#place, this.wire())];
  }

  close(status: ItemStatus): ResponsesEvent[] {
    this.#status = status;
    const event = { type: 'response.image_generation_call.completed', ...this.#place };
    return [event, done(this.#place, this.wire())];
  }
}

export interface CallHead {
  readonly callId: string;
  readonly name: string;
  readonly namespace?: string;
  readonly freeForm?: true;
}

/** A function call, or a free-form call of a custom tool. */
export class DraftCall implements DraftItem {
  readonly #place: ItemPlace;
  readonly #head: CallHead;
  #written = '';
  #status: ItemStatus = 'in_progress';

  constructor(place: ItemPlace, head: CallHead) {
    this.#place = place;
    this.#head = head;
  }

  wire(): OutputItem {
    const { callId, name, namespace, freeForm } = this.#head;
    const call = { id: this.#place.item_id, status: this.#status, call_id: callId, name, ...defined({ namespace }) };
    return freeForm
      ? { type: 'custom_tool_call', ...call, input: this.#written }
      : { type: 'function_call', ...call, arguments: this.#written };
  }

  open(): ResponsesEvent[] {
    return [added(this.#place, this.wire())];
  }

  add(delta: string): ResponsesEvent[] {
    this.#written += delta;
    const type = this.#head.freeForm
      ? 'response.custom_tool_call_input.delta'
      : 'response.function_call_arguments.delta';
    return [{ type, ...this.#place, delta }];
  }

  close(status: ItemStatus): ResponsesEvent[] {
    const empty = this.#written === '' && !this.#head.freeForm;
    const filling = empty ? this.add(functionArguments('')) : [];
    this.#status = status;
    return [...filling, this.#whole(), done(this.#place, this.wire())];
  }

  /** Marks it as incomplete without sending an event. */
  abandon(): void {
    this.#status = 'incomplete';
  }

  #whole(): ResponsesEvent {
    return this.#head.freeForm
      ? { type: 'response.custom_tool_call_input.done', ...this.#place, input: this.#written }
      : {
          type: 'response.function_call_arguments.done',
          ...this.#place,
          name: this.#head.name,
          arguments: this.#written,
        };
  }
}

/** A tool search that is being written. The format has no events for its content. */
export class DraftToolSearch implements DraftItem {
  readonly #place: ItemPlace;
  readonly #callId: string;
  #written = '';
  #status: ItemStatus = 'in_progress';

  constructor(place: ItemPlace, callId: string) {
    this.#place = place;
    this.#callId = callId;
  }

  wire(): OutputItem {
    const call = this.#status === 'completed' ? searchCall(this.#callId, this.#written) : searchCall(this.#callId, '');
    return { id: this.#place.item_id, type: 'tool_search_call', status: this.#status, ...call };
  }

  open(): ResponsesEvent[] {
    return [added(this.#place, this.wire())];
  }

  add(delta: string): ResponsesEvent[] {
    this.#written += delta;
    return [];
  }

  close(status: ItemStatus): ResponsesEvent[] {
    this.#status = status;
    return [done(this.#place, this.wire())];
  }

  /** Marks it as incomplete without sending an event. */
  abandon(): void {
    this.#status = 'incomplete';
  }
}
