import type { AssistantPart, ChatEvent } from '../conversation.ts';
import { DraftToolSearch } from './draftToolSearch.ts';
import type { ResponsesEvent } from './eventSchema.ts';
import { AnswerIds, type ItemPrefix } from './ids.ts';
import {
  DraftCall,
  type DraftItem,
  DraftMessage,
  DraftReasoning,
  type ItemPlace,
  type ItemStatus,
} from './outputItems.ts';
import type { Seal } from './reasoning.ts';
import type { OutputItem } from './schema.ts';

/** An event about one part of an answer. */
export type PartEvent = Extract<ChatEvent, { readonly index: number }>;
type Of<Type extends PartEvent['type']> = Extract<PartEvent, { type: Type }>;

/**
 * The output of one answer: neutral events in, events of the wire out. Calls may be open side by side; of messages and
 * reasoning the last one is open at most.
 */
export class Output {
  readonly #ids: AnswerIds;
  readonly #items: DraftItem[] = [];
  readonly #said = new Set<AssistantPart['type']>();
  /** By the index of the neutral part. */
  readonly #openCalls = new Map<number, DraftCall | DraftToolSearch>();
  #current: DraftMessage | DraftReasoning | undefined;
  /** What no open text could take: it has not begun, or others have begun since. */
  readonly #cited: Of<'citation'>[] = [];

  constructor(answerId: string) {
    this.#ids = new AnswerIds(answerId);
  }

  /** The kinds of parts so far. */
  get said(): ReadonlySet<AssistantPart['type']> {
    return this.#said;
  }

  /** Whether something was cited whose text never came, or was closed by then. */
  get hasUncited(): boolean {
    return this.#cited.length > 0;
  }

  wire(): OutputItem[] {
    return this.#items.map((item) => item.wire());
  }

  push(event: PartEvent): ResponsesEvent[] {
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
        return this.#openCalls.get(event.index)?.add(event.arguments) ?? [];
      case 'toolCallEnd':
        return this.#endCall(event.index, 'completed');
    }
  }

  /** Closes all that is open. */
  close(status: ItemStatus): ResponsesEvent[] {
    const calls = [...this.#openCalls.keys()].flatMap((index) => this.#endCall(index, status));
    return [...this.#closeCurrent(status), ...calls];
  }

  /**
   * Closes what is open as incomplete, but not the calls: clients carry out a call as soon as its item is done, and half
   * of a command must not be carried out.
   */
  abandon(): ResponsesEvent[] {
    for (const call of this.#openCalls.values()) call.abandon();
    return this.#closeCurrent('incomplete');
  }

  #text(kind: 'text' | 'refusal', delta: Of<'textDelta' | 'refusalDelta'>): ResponsesEvent[] {
    const { index, text } = delta;
    const logProbs = 'logProbs' in delta ? delta.logProbs : undefined;
    if (text === '' && logProbs === undefined) return [];
    this.#said.add(kind);
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

  /** Before its text a citation waits for it. */
  #cite(citation: Of<'citation'>): ResponsesEvent[] {
    const events = this.#current instanceof DraftMessage ? this.#current.cite(citation.index, citation) : undefined;
    if (events === undefined) this.#cited.push(citation);
    return events ?? [];
  }

  #reasoningDelta({ index, text, itemId: own }: Of<'reasoningDelta'>): ResponsesEvent[] {
    if (text === '') return [];
    const { opening, reasoning } = this.#reasoning(index, own);
    return [...opening, ...reasoning.add(text)];
  }

  #reasoningSeal({ type: _, index, ...seal }: Of<'reasoningSeal'>): ResponsesEvent[] {
    const { opening, reasoning } = this.#reasoning(index, seal.itemId);
    reasoning.seal(seal satisfies Seal);
    return opening;
  }

  #reasoning(index: number, own: string | undefined): { opening: ResponsesEvent[]; reasoning: DraftReasoning } {
    if (this.#current instanceof DraftReasoning && this.#current.index === index) {
      return { opening: [], reasoning: this.#current };
    }
    this.#said.add('reasoning');
    const closing = this.#closeCurrent();
    const reasoning = new DraftReasoning(this.#place('rs', own), index);
    this.#current = reasoning;
    return { opening: [...closing, ...this.#open(reasoning)], reasoning };
  }

  #startCall(event: Of<'toolCallStart'>): ResponsesEvent[] {
    this.#said.add('toolCall');
    const closing = this.#closeCurrent();
    const call = this.#draftCall(event);
    this.#openCalls.set(event.index, call);
    return [...closing, ...this.#open(call)];
  }

  #draftCall({ id, itemId: own, name, namespace, freeForm, toolSearch }: Of<'toolCallStart'>) {
    const callId = this.#ids.call(id, this.#items.length);
    if (toolSearch) return new DraftToolSearch(this.#place('tsc', own), callId);
    const head = { callId, name, ...(namespace !== undefined && { namespace }), ...(freeForm && { freeForm }) };
    return new DraftCall(this.#place(freeForm ? 'ctc' : 'fc', own), head);
  }

  #endCall(index: number, status: ItemStatus): ResponsesEvent[] {
    const call = this.#openCalls.get(index);
    this.#openCalls.delete(index);
    return call?.close(status) ?? [];
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
