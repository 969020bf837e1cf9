/** Finds the strings in the text of a JSON value, without parsing it, so that its other characters stay as they are. */

/** An object or a list. */
export interface JsonContainer {
  readonly isList: boolean;
  /** The member in which it is, or the place in its list. */
  readonly place: string | number;
  readonly parent: JsonContainer | undefined;
}

/** A string. Its position is that of its characters, without the quotes. */
export interface JsonString {
  readonly start: number;
  readonly end: number;
  /** The nearest member in which it is, as it was written. A name of a member has none. */
  readonly name: string;
  readonly isName: boolean;
  readonly place: string | number;
  readonly parent: JsonContainer | undefined;
}

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [
  0x22, 0x5c, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
] as const;

/** The characters of numbers, literals, and white space. */
const OTHERS: ReadonlySet<number> = new Set(
  [...' \t\r\n0123456789.+-eEtrufalsn'].map((character) => character.charCodeAt(0)),
);

/** Returns all strings in their order, or `undefined` if the text is not JSON. */
export function readJsonStrings(source: string): readonly JsonString[] | undefined {
  return new Scanner(source).read();
}

/** Returns the path of a value, such as `choices.0.delta.content`. */
export function pathOf({ place, parent }: Pick<JsonString, 'place' | 'parent'>): string {
  const places = [place];
  for (let at = parent; at?.parent !== undefined; at = at.parent) places.unshift(at.place);
  return places.join('.');
}

class Scanner {
  readonly #source: string;
  readonly #strings: JsonString[] = [];
  /** The innermost container, and the place of the next value in it. */
  #inside: JsonContainer | undefined;
  #place: string | number = '';
  #name = '';
  /** The places and names outside of the innermost container. */
  readonly #outside: (readonly [place: string | number, name: string])[] = [];
  #expectsName = false;

  constructor(source: string) {
    this.#source = source;
  }

  read(): readonly JsonString[] | undefined {
    const source = this.#source;
    for (let at = 0; at < source.length; at += 1) {
      const code = source.charCodeAt(at);
      if (code === QUOTE) {
        const end = endOfString(source, at + 1);
        if (end === -1) return undefined;
        this.#add(at + 1, end);
        at = end;
      } else if (!OTHERS.has(code) && !this.#take(code)) return undefined;
    }
    return this.#inside === undefined ? this.#strings : undefined;
  }

  #add(start: number, end: number): void {
    const isName = this.#expectsName;
    const [place, parent] = [this.#place, this.#inside];
    this.#strings.push({ start, end, isName, name: isName ? '' : this.#name, place, parent });
    if (!isName) return;
    this.#name = this.#source.slice(start, end);
    this.#place = this.#name;
  }

  /** @returns false if the character cannot be here. */
  #take(code: number): boolean {
    const { isList = true } = this.#inside ?? {};
    switch (code) {
      case OPEN:
      case OPEN_LIST:
        this.#open(code === OPEN_LIST);
        return true;
      case CLOSE:
      case CLOSE_LIST:
        return this.#inside !== undefined && isList === (code === CLOSE_LIST) && this.#close();
      case COMMA:
        if (isList) this.#place = Number(this.#place) + 1;
        this.#expectsName = !isList;
        return this.#inside !== undefined;
      case COLON:
        this.#expectsName = false;
        return !isList;
      default:
        return false;
    }
  }

  #open(isList: boolean): void {
    this.#outside.push([this.#place, this.#name]);
    this.#inside = { isList, place: this.#place, parent: this.#inside };
    this.#place = isList ? 0 : '';
    if (!isList) this.#name = '';
    this.#expectsName = !isList;
  }

  #close(): boolean {
    this.#inside = this.#inside?.parent;
    [this.#place, this.#name] = this.#outside.pop() ?? ['', ''];
    this.#expectsName = false;
    return true;
  }
}

/** Returns the position of the quote that ends the string, or -1. */
function endOfString(source: string, start: number): number {
  for (let end = source.indexOf('"', start); end !== -1; end = source.indexOf('"', end + 1)) {
    let before = end;
    while (before > start && source.charCodeAt(before - 1) === BACKSLASH) before -= 1;
    if ((end - before) % 2 === 0) return end;
  }
  return -1;
}
