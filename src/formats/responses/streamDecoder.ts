import { CUT_ANSWER } from '../apiError.ts';
import type { AssistantPart, ChatEvent } from '../conversation.ts';
import { defined } from '../defined.ts';
import { ShownSearches } from '../shownSearches.ts';
import type { StreamDecoder, StreamItem } from '../wireFormat.ts';
import { ANNOTATIONS, decodeAnnotation } from './annotations.ts';
import { droppedFromOutput } from './dropped.ts';
import { decodeFailure } from './errors.ts';
import { isKnownEvent, type KnownEvent, type ResponsesEvent } from './eventSchema.ts';
import { decodeFinishReason } from './finishReason.ts';
import { UNKNOWN_ID } from './ids.ts';
import { isKnownOutputItem, type OutputItem, type StreamedResponse } from './schema.ts';
import { type ItemEvent, type PartNumbers, StreamedItem } from './streamedItem.ts';
import { decodeAnswerUsage } from './usage.ts';
import { searchIn } from './webSearches.ts';

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
  #parts = 0;
  #started = false;
  #ended = false;

  constructor(unnamedId = UNKNOWN_ID) {
    this.#unnamedId = unnamedId;
  }

  push(item: StreamItem<ResponsesEvent>): ChatEvent[] {
    if (this.#ended || item.type === 'done') return [];
    if (item.type === 'malformed') return [item];
    this.#searches.add(item.event);
    return isKnownEvent(item.event) ? this.#decode(item.event) : [];
  }

  end(): ChatEvent[] {
    if (this.#ended) return [];
    this.#ended = true;
    return [{ type: 'error', error: CUT_ANSWER }];
  }

  #decode(event: KnownEvent): ChatEvent[] {
    switch (event.type) {
      case 'response.created':
      case 'response.in_progress':
        return this.#start(event.response);
      case 'response.completed':
      case 'response.incomplete':
        return this.#finish(event.response);
      case 'response.failed':
        this.#ended = true;
        return [...this.#start(event.response), ...this.#failure(event.response)];
      case undefined:
      case 'error':
        this.#ended = true;
        return [{ type: 'error', error: decodeFailure({ ...event, type: undefined, ...event.error }) }];
      case 'response.output_item.added':
        return [...this.#start({}), ...this.#begin(event.output_index, event.item)];
      case 'response.output_item.done':
        return [...this.#start({}), ...this.#complete(event.output_index, event.item)];
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
    return this.#item(event.output_index).push(event);
  }

  /** Starts an item. A second item at the same position is a new item. */
  #begin(place: number, item: OutputItem): ChatEvent[] {
    const unfinished = this.#items.get(place)?.end() ?? [];
    this.#items.delete(place);
    return isKnownOutputItem(item) ? [...unfinished, ...this.#item(place).begin(item)] : unfinished;
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

  #finish(response: StreamedResponse): ChatEvent[] {
    const started = this.#start(response);
    const missing = this.#items.size === 0 ? this.#completeAll(response.output ?? []) : [];
    const open = [...this.#items.values()].flatMap((item) => item.end());
    this.#ended = true;
    const usage = decodeAnswerUsage(response, this.#searches.count);
    const counted: ChatEvent[] = usage === undefined ? [] : [{ type: 'usage', usage }];
    const reason = decodeFinishReason(response, this.#partTypes);
    return [...started, ...missing, ...open, ...counted, { type: 'finish', reason }];
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
