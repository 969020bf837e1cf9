import type { TextFrame } from '../../formats/wireFormat.ts';

/** Several events of a stream, encoded in the caller's format. */
export interface CopiedText {
  readonly copied: string;
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
    let copiedEnd = start;
    for (let isFollowed = true; isFollowed; ) {
      const end = endOfText(source, at);
      isFollowed = source.slice(end, end + between.length) === between;
      if (!isFollowed && source.slice(end, end + closing.length) !== closing) break;
      // Events without text are dropped.
      if (end > at) texts.push(source.slice(at, end));
      copiedEnd = end + closing.length;
      at = end + between.length;
    }
    if (copiedEnd === start) return undefined;
    if (texts.length === 0) return { copied: '', text: '', end: copiedEnd };
    const to = this.#to;
    const text = texts.join('');
    return {
      copied: to.opening + texts.join(to.between) + to.closing,
      text: text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text,
      end: copiedEnd,
    };
  }
}

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
