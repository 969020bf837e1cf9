import type { ResponsesEvent } from './eventSchema.ts';
import { added, type DraftItem, done, type ItemPlace, type ItemStatus } from './outputItems.ts';
import type { OutputItem } from './schema.ts';
import { searchCall } from './toolSearch.ts';

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
