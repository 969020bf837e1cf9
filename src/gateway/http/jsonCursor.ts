import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  endOfString,
  firstVisible,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
  SPACE,
} from './jsonMeasure.ts';

const NO_SEPARATOR = -1;
const BYTE_ORDER_MARK = 0xef;
const BYTE_ORDER_MARK_LENGTH = 3;

export type JsonKind = 'object' | 'array' | 'string' | 'other';

/**
 * Walks through the bytes of a JSON text without parsing it. A reader enters the objects and arrays that it needs and
 * skips all other values. Does not check whether the text is JSON. For invalid text, the walk still ends.
 */
export class JsonCursor {
  readonly bytes: Buffer;
  /** The start of the next value. */
  at: number;

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes;
    this.at = at;
    this.#skipPast(NO_SEPARATOR);
  }

  get kind(): JsonKind {
    switch (this.bytes[this.at]) {
      case OPENING_BRACE:
        return 'object';
      case OPENING_BRACKET:
        return 'array';
      case QUOTE:
        return 'string';
      default:
        return 'other';
    }
  }

  /**
   * Enters an object. Skips any other value.
   * @param onMember called at each value, with the name's bytes as Latin-1. A value that it does not read is skipped.
   */
  object(onMember: (name: string) => void): void {
    if (this.kind !== 'object') {
      this.skip();
      return;
    }
    this.at += 1;
    this.restOfObject(onMember);
  }

  /** Continues in an object that was entered, after its opening brace or one of its values. */
  restOfObject(onMember: (name: string) => void): void {
    this.#rest(CLOSING_BRACE, () => {
      const start = this.at + 1;
      this.skip();
      const name = this.bytes.toString('latin1', start, this.at - 1);
      this.#skipPast(COLON);
      const value = this.at;
      onMember(name);
      if (this.at === value) this.skip();
    });
  }

  /** Enters an array. Skips any other value. */
  array(onElement: () => void): void {
    if (this.kind !== 'array') {
      this.skip();
      return;
    }
    this.at += 1;
    this.restOfArray(onElement);
  }

  /** Continues in an array that was entered, after its opening bracket or one of its elements. */
  restOfArray(onElement: () => void): void {
    this.#rest(CLOSING_BRACKET, onElement);
  }

  skip(): void {
    const { bytes } = this;
    let depth = 0;
    let at = this.at;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        at = endOfString(bytes, at);
        if (depth === 0) break;
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) depth++;
      else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        depth--;
        if (depth <= 0) break;
      } else if (depth === 0 && isEndOfLiteral(bytes[at + 1])) break;
    }
    this.at = Math.min(at + 1, bytes.length);
  }

  /** Leaves all objects and arrays that were entered. */
  stop(): void {
    this.at = this.bytes.length;
  }

  /** Returns the string at the cursor, or undefined for another value. Skips the value. */
  text(): string | undefined {
    const start = this.at;
    const isString = this.kind === 'string';
    this.skip();
    return isString ? this.bytes.toString('utf8', start + 1, this.at - 1) : undefined;
  }

  #rest(closing: number, onEach: () => void): void {
    for (this.#skipPast(COMMA); this.at < this.bytes.length && this.bytes[this.at] !== closing; this.#skipPast(COMMA)) {
      const start = this.at;
      onEach();
      if (this.at === start) this.skip();
    }
    this.at = Math.min(this.at + 1, this.bytes.length);
  }

  /** Skips white space, and one such character with white space after it. */
  #skipPast(separator: number): void {
    const at = firstVisible(this.bytes, this.at);
    this.at = this.bytes[at] === separator ? firstVisible(this.bytes, at + 1) : at;
  }
}

/** Starts at the outermost value of a body, after the byte order mark if there is one. */
export function cursorOf(body: Buffer): JsonCursor {
  return new JsonCursor(body, body[0] === BYTE_ORDER_MARK ? BYTE_ORDER_MARK_LENGTH : 0);
}

function isEndOfLiteral(next: number | undefined): boolean {
  return next === undefined || next <= SPACE || next === COMMA || next === CLOSING_BRACE || next === CLOSING_BRACKET;
}
