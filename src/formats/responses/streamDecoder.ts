import type { ChatEvent } from '../answer.ts';
import { CUT_ANSWER } from '../apiError.ts';
import type { AssistantPart } from '../conversation.ts';
import { defined } from '../json.ts';
import { LostOutput } from '../lostOutput.ts';
import { ShownSearches } from '../shownSearches.ts';
import type { StreamDecoder, StreamItem } from '../wireFormat.ts';
import { ANNOTATIONS, decodeAnnotation } from './annotations.ts';
import { droppedFromOutput } from './dropped.ts';
import { decodeFailure } from './errors.ts';
import { isKnownEvent, type ResponsesEvent, type ResponsesKnownEvent } from './eventSchema.ts';
import { UNKNOWN_ID } from './ids.ts';
import { decodeFinishReason, endedEarlyBy } from './response.ts';
import { isKnownOutputItem, type OutputItem, type StreamedResponse } from './schema.ts';
import { type ItemEvent, type PartNumbers, StreamedItem } from './streamedItem.ts';
import { decodeAnswerUsage } from './usage.ts';
import { searchIn } from './webSearches.ts';

interface IndexedEvent {
  readonly output_index?: number | null | undefined;
  readonly item_id?: string | null | undefined;
}

/** Events that repeat what others contain, that only report progress, or that keep a connection open. */
const NOT_MISSED: ReadonlySet<string> = new Set([
  'response.queued',
  'response.content_part.added',
  'response.content_part.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
  'response.reasoning_summary_text.done',
  'response.reasoning_text.done',
  'response.image_generation_call.in_progress',
  'response.image_generation_call.generating',
  'response.image_generation_call.partial_image',
  'response.image_generation_call.completed',
  'keepalive',
  'ping',
]);

/**
 * Decodes a stream. Items are identified by their position in the output, because some services change an item's ID in
 * every event. What the deltas omit is taken from the closing events, which repeat everything.
 */
export class ResponsesStreamDecoder implements StreamDecoder<ResponsesEvent> {
  readonly dropped = new Set<string>();
  readonly #unnamedId: string;
  readonly #items = new Map<number, StreamedItem>();
  readonly #partTypes = new Set<AssistantPart['type']>();
  readonly #searches = new ShownSearches(searchIn);
  readonly #lost = new LostOutput();
  /** The places of the items that have begun, by their IDs. */
  readonly #places = new Map<string, number>();
  /** The places of the items that are dropped. */
  readonly #dropped = new Set<number>();
  /** The place of the item that began last. */
  #latest = -1;
  #parts = 0;
  #started = false;
  #ended = false;

  constructor(unnamedId = UNKNOWN_ID) {
    this.#unnamedId = unnamedId;
  }

  push(item: StreamItem<ResponsesEvent>): ChatEvent[] {
    if (this.#ended || item.type === 'done') return [];
    if (item.type === 'malformed' || item.lost !== undefined) this.#lost.note(item);
    if (item.type === 'malformed') return [item];
    this.#searches.add(item.event);
    return isKnownEvent(item.event) ? this.#decode(item.event) : this.#ignore(item.event);
  }

  /** Names an event of an unknown type. Those of an item that is dropped are named by its type. */
  #ignore(event: IndexedEvent & { readonly type: string }): ChatEvent[] {
    const isMissed = !NOT_MISSED.has(event.type) && !this.#dropsItemOf(event);
    if (isMissed) this.dropped.add(event.type);
    return [];
  }

  #dropsItemOf({ output_index: place, item_id: id }: IndexedEvent): boolean {
    return this.#dropped.has(place ?? (typeof id === 'string' ? this.#places.get(id) : undefined) ?? Number.NaN);
  }

  end(): ChatEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    return [{ type: 'error', error: CUT_ANSWER }];
  }

  #decode(event: ResponsesKnownEvent): ChatEvent[] {
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        return this.#start(event.response ?? {});
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(event.response ?? {}, event.type);
      case 'response.failed':
        this.#ended = true;
        return [...this.#start(event.response ?? {}), ...this.#failure(event.response ?? {})];
      case undefined:
      case 'error':
        this.#ended = true;
        return [{ type: 'error', error: decodeFailure({ ...event, type: undefined, ...event.error }) }];
      case 'response.output_item.added':
        return [...this.#start({}), ...this.#begin(this.#newPlace(event), event.item)];
      case 'response.output_item.done':
        return [...this.#start({}), ...this.#complete(this.#placeOf(event, event.item), event.item)];
      default:
        return [...this.#start({}), ...this.#inside(event)];
    }
  }

  #start({ id, model, created_at }: StreamedResponse): ChatEvent[] {
    if (this.#started) return [];
    this.#started = true;
    const createdAt = created_at ?? undefined;
    return [{ type: 'start', id: id || this.#unnamedId, model: model ?? '', ...defined({ createdAt }) }];
  }

  #inside(event: ItemEvent): ChatEvent[] {
    if (event.type === 'response.output_text.annotation.added' && decodeAnnotation(event.annotation) === undefined) {
      this.dropped.add(ANNOTATIONS);
    }
    return this.#item(this.#placeOf(event)).push(event);
  }

  /** Returns the place of an item that begins: the one that the event names, or the next. */
  #newPlace({ output_index: place, item }: IndexedEvent & { readonly item: OutputItem }): number {
    this.#latest = place ?? this.#latest + 1;
    if (typeof item.id === 'string') this.#places.set(item.id, this.#latest);
    return this.#latest;
  }

  /** Returns the place of an event's item: the one that it names, or that of its ID if none has begun there. */
  #placeOf({ output_index: place, item_id: id }: IndexedEvent, item?: OutputItem): number {
    if (typeof place === 'number' && this.#items.has(place)) return place;
    const own = id ?? item?.id;
    const known = typeof own === 'string' ? this.#places.get(own) : undefined;
    return known ?? place ?? Math.max(0, this.#latest);
  }

  #begin(place: number, item: OutputItem): ChatEvent[] {
    const known = this.#items.get(place);
    const unfinished = known?.hasBegun ? known.end() : [];
    if (known?.hasBegun) this.#items.delete(place);
    if (isKnownOutputItem(item)) return [...unfinished, ...this.#item(place).begin(item)];
    this.#dropped.add(place);
    for (const name of droppedFromOutput(item)) this.dropped.add(name);
    return unfinished;
  }

  /** Completes an item. The closing event repeats everything from the item's events. */
  #complete(place: number, item: OutputItem): ChatEvent[] {
    for (const name of droppedFromOutput(item)) this.dropped.add(name);
    return isKnownOutputItem(item) ? this.#item(place).complete(item) : [];
  }

  #item(place: number): StreamedItem {
    const known = this.#items.get(place);
    if (known !== undefined) return known;
    const item = new StreamedItem(this.#numbers);
    this.#items.set(place, item);
    return item;
  }

  readonly #numbers: PartNumbers = (type) => {
    this.#partTypes.add(type);
    return this.#parts++;
  };

  #finish(response: StreamedResponse, type: 'response.completed' | 'response.incomplete'): ChatEvent[] {
    const started = this.#start(response);
    const missing = this.#items.size === 0 ? this.#completeAll(response.output ?? []) : [];
    const open = [...this.#items.values()].flatMap((item) => item.end());
    this.#ended = true;
    const usage = decodeAnswerUsage(response, this.#searches.count);
    const counted: ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }];
    for (const event of open) if (event.type === 'malformed') this.#lost.note(event);
    const early = endedEarlyBy(response, type === 'response.incomplete');
    if (early !== undefined) return [...started, ...missing, ...open, ...counted, { type: 'error', error: early }];
    const reason = decodeFinishReason(response, this.#partTypes);
    return [...started, ...missing, ...open, ...counted, this.#lost.ending({ type: 'finish', reason })];
  }

  /**
   * Completes all items, for services without item events. If there were some, the positions in the last event may
   * differ.
   */
  #completeAll(output: readonly OutputItem[]): ChatEvent[] {
    return output.flatMap((item, place) => this.#complete(place, item));
  }

  /** A failed answer is billed, too, and reports its whole usage. */
  #failure(response: StreamedResponse): ChatEvent[] {
    const usage = decodeAnswerUsage(response, this.#searches.count);
    const counted: ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage, isPartial: false }];
    return [...counted, { type: 'error', error: decodeFailure(response.error) }];
  }
}
