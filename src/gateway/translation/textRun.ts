import type { TextFrame } from '../../formats/wireFormat.ts';

/** Several events of a stream, encoded in the caller's format. */
export interface CopiedText {
  readonly copied: string;
  /** The joined text of the events. */
  readonly text: string;
  /** The position after the last of them in the source. */
  readonly end: number;
}

/** Valid content of a JSON string, up to the first character that is not part of it. */
const INSIDE = /[^"\\\p{Cc}]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\p{Cc}]*)*/uy;

/**
 * Copies events that only continue one text from the upstream's encoding to the caller's. They are found by the
 * constant bytes between two texts. Objects and decoded strings are not created; the text keeps its JSON escapes.
 */
export class TextRun {
  /** Index of the answer's part that the text belongs to. */
  readonly index: number;
  readonly #from: Frame;
  readonly #to: Frame;

  /** @param from the constant text around the upstream's event, from its first line to its blank line. */
  constructor(index: number, from: TextFrame, to: TextFrame) {
    this.index = index;
    this.#from = new Frame(from);
    this.#to = new Frame(to);
  }

  /** @returns undefined if no such event starts at `start` or the first one is incomplete. */
  copy(source: string, start: number): CopiedText | undefined {
    const { opening, closing, between } = this.#from;
    let at = start + opening.length;
    // Comparing slices is several times faster than `startsWith`.
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

  /** Events without text are dropped. */
  #copied(all: readonly string[], end: number): CopiedText {
    const texts = all.includes('') ? all.filter((text) => text !== '') : all;
    if (texts.length === 0) return { copied: '', text: '', end };
    const { opening, closing, between } = this.#to;
    return { copied: opening + texts.join(between) + closing, text: unescaped(texts.join('')), end };
  }
}

/** The constant text around a string, including its quotes. */
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
