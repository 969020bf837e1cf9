import { LITERAL, SHAPES } from './standIns.ts';

/** Stand-ins, and the texts that they stand for. */
export class StandInTable {
  readonly #texts: Map<string, string>;
  #pattern: RegExp | undefined;

  constructor(texts: Iterable<readonly [standIn: string, text: string]> = []) {
    this.#texts = new Map(texts);
  }

  /** Whether there is no stand-in. */
  get isEmpty(): boolean {
    return this.#texts.size === 0;
  }

  /** The texts by their stand-ins. */
  get texts(): ReadonlyMap<string, string> {
    return this.#texts;
  }

  know(standIn: string, text: string): void {
    this.#texts.set(standIn, text);
    this.#pattern = undefined;
  }

  /** Returns the stand-ins that occur in a text, with what they stand for. */
  textsIn(text: string): readonly (readonly [standIn: string, text: string])[] {
    return text.includes(LITERAL) ? [...this.#texts].filter(([standIn]) => text.includes(standIn)) : [];
  }

  /**
   * Restores the stand-ins in a text.
   * @param write writes what a stand-in stands for, with the escapes that its place needs.
   */
  open(text: string, write: (text: string) => string): Opened {
    if (!text.includes(LITERAL)) return { text, opened: 0, unknown: 0 };
    let [opened, unknown] = [0, 0];
    const restored = text.replace(this.#known(), (standIn) => {
      opened += 1;
      return write(this.#texts.get(standIn) ?? standIn);
    });
    for (const _ of text.replace(this.#known(), ' ').matchAll(SHAPES)) unknown += 1;
    return { text: restored, opened, unknown };
  }

  standInsIn(text: string): readonly { readonly start: number; readonly end: number }[] {
    if (!text.includes(LITERAL)) return [];
    return [...text.matchAll(this.#known())].map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
    }));
  }

  /** Returns where the beginning of a stand-in starts at the end of a text, or its length if there is none. */
  beginningAtEnd(text: string): number {
    let from = text.length;
    for (const standIn of this.#texts.keys()) {
      const first = standIn.charAt(0);
      const start = Math.max(0, text.length - standIn.length + 1);
      for (let at = text.indexOf(first, start); at !== -1 && at < from; at = text.indexOf(first, at + 1)) {
        if (standIn.startsWith(text.slice(at))) from = at;
      }
    }
    return from;
  }

  #known(): RegExp {
    this.#pattern ??= new RegExp(
      [...this.#texts.keys()]
        .sort((a, b) => b.length - a.length)
        .map((each) => each.replaceAll('.', '\\.'))
        .join('|') || '(?!)',
      'g',
    );
    return this.#pattern;
  }
}

export interface Opened {
  readonly text: string;
  /** How many stand-ins were restored. */
  readonly opened: number;
  /** How many look like stand-ins and are none of this table: a model has changed them, or they come from elsewhere. */
  readonly unknown: number;
}
