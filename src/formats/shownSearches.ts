import type { JsonRecord } from './json.ts';

/** A call of the service's web search that an event of a stream shows. */
export interface ShownSearch {
  readonly id: string;
  /** Whether the call only opened a page, or searched in one. Undefined if the event does not say. */
  readonly isFree?: boolean;
}

/** Where the events of a format show calls of the web search. */
export type ShownSearchReader = (event: JsonRecord) => ShownSearch | undefined;

/** More are not billed separately by anybody, and are not kept. */
const MAX_CALLS = 10_000;
const MAX_ID = 200;

/** Counts the web searches that a stream shows, because some services do not report how many there were. */
export class ShownSearches {
  readonly #read: ShownSearchReader;
  /** Whether each call is free. Services may change the ids of an item, so both kinds of events are counted separately. */
  readonly #items = new Map<string, boolean>();
  readonly #completed = new Set<string>();

  constructor(read: ShownSearchReader) {
    this.#read = read;
  }

  add(event: JsonRecord): void {
    const shown = this.#read(event);
    if (shown === undefined || this.#items.size + this.#completed.size >= MAX_CALLS) return;
    const id = shown.id.slice(0, MAX_ID);
    if (shown.isFree === undefined) this.#completed.add(id);
    else this.#items.set(id, shown.isFree);
  }

  get count(): number {
    const free = [...this.#items.values()].filter(Boolean).length;
    return Math.max(this.#items.size, this.#completed.size) - free;
  }
}
