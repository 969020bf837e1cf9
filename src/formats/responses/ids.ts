/** Ids of answers and of their items. Clients tell the kinds of items apart by the prefixes. */

const OWN_PREFIX = /^resp_/;
const OTHER_PREFIXES = /^(chatcmpl|cmpl|msg|gen)[-_]/;

/** The answer's id in this format; that of another format keeps all but its prefix. */
export function responseId(id: string): string {
  return prefixed('resp', id.replace(OTHER_PREFIXES, ''));
}

/** For services that send answers without an id. */
export const UNKNOWN_ID = 'resp_unknown';

export type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'tsc';

/**
 * The ids within one answer. They are made distinct, since clients refuse two items, or two calls, with one id, and some
 * services give every call the same.
 */
export class AnswerIds {
  readonly #answer: string;
  readonly #used = new Set<string>();

  constructor(answerId: string) {
    this.#answer = answerId.replace(OWN_PREFIX, '');
  }

  /** An item's own id, else one made of the answer's id and the item's place in it. */
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
