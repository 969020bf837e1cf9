/** IDs of answers and their items. Clients distinguish the kinds of items by their prefixes. */

const OWN_PREFIX = /^resp_/;
const OTHER_PREFIXES = /^(chatcmpl|cmpl|msg|gen)[-_]/;

/** Returns the answer's ID in this format. An ID of another format keeps everything except its prefix. */
export function responseId(id: string): string {
  return prefixed('resp', id.replace(OTHER_PREFIXES, ''));
}

/** The ID for answers of services that send none. */
export const UNKNOWN_ID = 'resp_unknown';

export type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'tsc' | 'ig';

/**
 * The IDs within one answer. They are made unique, because clients reject two items or two calls with one ID, and some
 * services give every call the same ID.
 */
export class AnswerIds {
  readonly #answer: string;
  readonly #used = new Set<string>();

  constructor(answerId: string) {
    this.#answer = answerId.replace(OWN_PREFIX, '');
  }

  /** Returns an item's own ID, or one derived from the answer's ID and the item's position. */
  item(prefix: ItemPrefix, own: string | undefined, place: number): string {
    return this.#distinct(own ? prefixed(prefix, own) : `${prefix}_${this.#answer}_${place}`);
  }

  call(id: string, place: number): string {
    return this.#distinct(id === '' ? `call_${this.#answer}_${place}` : id);
  }

  #distinct(id: string): string {
    let free = id;
    for (let count = 2; this.#used.has(free); count += 1) free = `${id}_${count}`;
    this.#used.add(free);
    return free;
  }
}

function prefixed(prefix: string, id: string): string {
  return id.startsWith(`${prefix}_`) ? id : `${prefix}_${id}`;
}
