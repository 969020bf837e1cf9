import type { PartEvent } from '../answer.ts';
import type { ResponsesEvent } from './eventSchema.ts';
import { AnswerIds, type ItemPrefix } from './ids.ts';
import {
  DraftCall,
  DraftImage,
  type DraftItem,
  DraftMessage,
  DraftReasoning,
  DraftToolSearch,
  type ItemPlace,
  type ItemStatus,
} from './outputItems.ts';
import type { ReasoningSeal } from './reasoning.ts';
import type { OutputItem } from './schema.ts';

type PartEventOf<Type extends PartEvent['type']> = Extract<PartEvent, { type: Type }>;

interface OpenCall {
  /** Index of the neutral part. */
  readonly index: number;
  readonly draft: DraftCall | DraftToolSearch;
}

/**
 * Writes the output of one answer: converts neutral events to the format's events. One item at a time is open, as with
 * services, because some clients apply each delta to the last item that was added. Deltas of other parts that arrive
 * while a call is open wait until it ends.
 */
export class Output {
  readonly #ids: AnswerIds;
  readonly #items: DraftItem[] = [];
  #hasRefusal = false;
  #openCall: OpenCall | undefined;
  #current: DraftMessage | DraftReasoning | undefined;
  /** Deltas that wait for the end of the open call, by neutral part, in the order of their start. */
  readonly #held = new Map<number, PartEvent[]>();
  /** Citations without an open text: it has not started, or others have started since. */
  readonly #cited: PartEventOf<'citation'>[] = [];

  constructor(answerId: string) {
    this.#ids = new AnswerIds(answerId);
  }

  /** Whether the answer contains a refusal text. */
  get hasRefusal(): boolean {
    return this.#hasRefusal;
  }

  /** Whether there are citations whose text never arrived or was already closed. */
  get hasUncited(): boolean {
    return this.#cited.length > 0;
  }

  wire(): OutputItem[] {
    return this.#items.map((item) => item.wire());
  }

  push(event: PartEvent): ResponsesEvent[] {
    if (event.type === 'refusalDelta' && event.text !== '') this.#hasRefusal = true;
    if (this.#openCall !== undefined && this.#openCall.index !== event.index) {
      this.#hold(event);
      return [];
    }
    const events = this.#encode(event);
    return this.#held.size === 0 ? events : [...events, ...this.#release()];
  }

  /** Closes all open items, and writes the waiting deltas. */
  close(status: ItemStatus): ResponsesEvent[] {
    const events: ResponsesEvent[] = [];
    while (this.#openCall !== undefined) events.push(...this.#endCall(status), ...this.#release());
    return [...events, ...this.#closeCurrent(status)];
  }

  /**
   * Closes open items as incomplete, except the call: clients run a call as soon as its item is done, and an incomplete
   * command must not be run. The deltas that waited for its end are never written.
   */
  abandon(): ResponsesEvent[] {
    this.#openCall?.draft.abandon();
    return this.#closeCurrent('incomplete');
  }

  #encode(event: PartEvent): ResponsesEvent[] {
    switch (event.type) {
      case 'textDelta':
        return this.#text('text', event);
      case 'citation':
        return this.#cite(event);
      case 'refusalDelta':
        return this.#text('refusal', event);
      case 'reasoningDelta':
        return this.#reasoningDelta(event);
      case 'reasoningSeal':
        return this.#reasoningSeal(event);
      case 'toolCallStart':
        return this.#startCall(event);
      case 'toolCallDelta':
        return this.#openCall?.draft.add(event.arguments) ?? [];
      case 'toolCallEnd':
        return this.#endCall('completed');
      case 'image':
        return this.#image(event);
    }
  }

  #hold(event: PartEvent): void {
    const held = this.#held.get(event.index);
    if (held === undefined) this.#held.set(event.index, [event]);
    else held.push(event);
  }

  /** Writes the waiting deltas, part by part, until a call is open again. */
  #release(): ResponsesEvent[] {
    const events: ResponsesEvent[] = [];
    for (const [index, held] of this.#held) {
      if (this.#openCall !== undefined) break;
      this.#held.delete(index);
      for (const event of held) events.push(...this.#encode(event));
    }
    return events;
  }

  #text(kind: 'text' | 'refusal', delta: PartEventOf<'textDelta' | 'refusalDelta'>): ResponsesEvent[] {
    const { index, text } = delta;
    const logProbs = 'logProbs' in delta ? delta.logProbs : undefined;
    if (text === '' && logProbs === undefined) return [];
    const [opening, message] = this.#message();
    const added = message.add(index, kind, text, logProbs);
    if (this.#cited.length === 0) return [...opening, ...added];
    return [...opening, ...added, ...this.#cited.splice(0).flatMap((citation) => this.#cite(citation))];
  }

  #message(): [opening: ResponsesEvent[], message: DraftMessage] {
    if (this.#current instanceof DraftMessage) return [[], this.#current];
    const closing = this.#closeCurrent();
    const message = new DraftMessage(this.#place('msg'));
    this.#current = message;
    return [[...closing, ...this.#open(message)], message];
  }

  /** Adds a citation, which waits until its text is open. */
  #cite(citation: PartEventOf<'citation'>): ResponsesEvent[] {
    const events = this.#current instanceof DraftMessage ? this.#current.cite(citation.index, citation) : undefined;
    if (events === undefined) this.#cited.push(citation);
    return events ?? [];
  }

  #reasoningDelta({ index, text, itemId: own }: PartEventOf<'reasoningDelta'>): ResponsesEvent[] {
    if (text === '') return [];
    const { opening, reasoning } = this.#reasoning(index, own);
    return [...opening, ...reasoning.add(text)];
  }

  #reasoningSeal({ type: _, index, ...seal }: PartEventOf<'reasoningSeal'>): ResponsesEvent[] {
    const { opening, reasoning } = this.#reasoning(index, seal.itemId);
    reasoning.seal(seal satisfies ReasoningSeal);
    return opening;
  }

  #reasoning(index: number, own: string | undefined): { opening: ResponsesEvent[]; reasoning: DraftReasoning } {
    if (this.#current instanceof DraftReasoning && this.#current.index === index) {
      return { opening: [], reasoning: this.#current };
    }
    const closing = this.#closeCurrent();
    const reasoning = new DraftReasoning(this.#place('rs', own), index);
    this.#current = reasoning;
    return { opening: [...closing, ...this.#open(reasoning)], reasoning };
  }

  /** An image is whole, so that its item is never open. Addresses have no place in this format. */
  #image({ source }: PartEventOf<'image'>): ResponsesEvent[] {
    if (source.kind !== 'base64') return [];
    const closing = this.#closeCurrent();
    const image = new DraftImage(this.#place('ig'), source.data);
    return [...closing, ...this.#open(image), ...image.close('completed')];
  }

  #startCall(event: PartEventOf<'toolCallStart'>): ResponsesEvent[] {
    const closing = this.#closeCurrent();
    const draft = this.#draftCall(event);
    this.#openCall = { index: event.index, draft };
    return [...closing, ...this.#open(draft)];
  }

  #draftCall({ id, itemId: own, name, namespace, freeForm, toolSearch }: PartEventOf<'toolCallStart'>) {
    const callId = this.#ids.call(id, this.#items.length);
    if (toolSearch) return new DraftToolSearch(this.#place('tsc', own), callId);
    const head = { callId, name, ...(namespace !== undefined && { namespace }), ...(freeForm && { freeForm }) };
    return new DraftCall(this.#place(freeForm ? 'ctc' : 'fc', own), head);
  }

  #endCall(status: ItemStatus): ResponsesEvent[] {
    const call = this.#openCall;
    this.#openCall = undefined;
    return call?.draft.close(status) ?? [];
  }

  #place(prefix: ItemPrefix, own?: string): ItemPlace {
    const output_index = this.#items.length;
    return { output_index, item_id: this.#ids.item(prefix, own, output_index) };
  }

  #open(item: DraftItem): ResponsesEvent[] {
    this.#items.push(item);
    return item.open();
  }

  #closeCurrent(status: ItemStatus = 'completed'): ResponsesEvent[] {
    const closing = this.#current?.close(status) ?? [];
    this.#current = undefined;
    return closing;
  }
}
