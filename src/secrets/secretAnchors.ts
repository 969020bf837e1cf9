/**
 * A kind of secret. Each match contains one of the anchors, which are separated by spaces: those in lower case in any
 * case, all others as they are written. A pattern without anchors is tried on every text.
 */
export type SecretPattern = readonly [kind: string, anchors: string, pattern: RegExp];

/**
 * Finds out which rules can match a text: one search for the anchors of all rules takes a tenth of the time of the rules.
 * No anchor may be the beginning of another one, because only one is found at each place.
 */
export class SecretAnchors {
  readonly #all: RegExp;

  /** @param lists the anchors of each rule. */
  constructor(lists: readonly (readonly string[])[]) {
    const anchors = [...new Set(lists.flat())].sort();
    this.#all = new RegExp(`(?=(${anchors.map((each) => each.replace(/[.]/g, '\\.')).join('|')}))`, 'gi');
  }

  /** Returns the anchors in a text, as they are written and in lower case. */
  in(text: string): ReadonlySet<string> {
    const found = new Set<string>();
    for (const [, anchor = ''] of text.matchAll(this.#all)) found.add(anchor);
    for (const anchor of [...found]) found.add(anchor.toLowerCase());
    return found;
  }
}
