import type { TextFrame } from '../../formats/wireFormat.ts';

/** Some events of a stream in the caller's spelling. */
export interface CopiedText {
  readonly copied: string;
  /** What they say, put together. */
  readonly text: string;
  /** The position behind the last of them in the source. */
  readonly end: number;
}

/** What may stand within the quotes of a string of JSON, as far as it goes. */
const INSIDE = /[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\p{Cc}]*)*/uy;

/**
 * Copies events that say nothing but more of one text from the upstream's spelling into the caller's. They are found by
 * what stands between two texts, without an object or a string for any of them but its text, which stays as it is spelt.
 */
export class TextRun {
  /** Of the answer's part that the text belongs to. */
  readonly index: number;
  readonly #from: Frame;
  readonly #to: Frame;

  /** @param from around a whole event of the upstream, from its first line to its blank line. */
  constructor(index: number, from: TextFrame, to: TextFrame) {
    this.index = index;
    this.#from = new Frame(from);
    this.#to = new Frame(to);
  }

  /** @returns undefined when no such event begins at `start`, or the first is not whole. */
  copy(source: string, start: number): CopiedText | undefined {
    const { opening, closing, between } = this.#from;
    let at = start + opening.length;
    // Slices compare several times as fast as startsWith does.
    if (source.slice(start, at) !== opening) return undefined;
    const texts: string[] = [];
    let end = endOfText(source, at);
    for (; source.slice(end, end + between.length) === between; end = endOfText(source, at)) {
      texts.push(source.slice(at, end));
      at = end + between.length;
    }
    if (source.slice(end, end + closing.length) === closing) {
      texts.push(source.slice(at, end));
      return this.#copied(texts, end + closing.length);
    }
    return texts.length === 0 ? undefined : this.#copied(texts, at - opening.length);
  }

  /** An event without text says nothing. */
  #copied(all: readonly string[], end: number): CopiedText {
    const texts = all.includes('') ? all.filter((text) => text !== '') : all;
    if (texts.length === 0) return { copied: '', text: '', end };
    const { opening, closing, between } = this.#to;
    return { copied: opening + texts.join(between) + closing, text: unescaped(texts.join('')), end };
  }
}

/** The quotes belong to the frame here. */
class Frame {
  readonly opening: string;
  readonly closing: string;
  readonly between: string;

  constructor({ before, after }: TextFrame) {
    this.opening = `${before}"`;
    this.closing = `"${after}`;
    this.between = this.closing + this.opening;
  }
}

function endOfText(source: string, at: number): number {
  INSIDE.lastIndex = at;
  INSIDE.test(source);
  return INSIDE.lastIndex;
}

function unescaped(text: string): string {
  return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
}
