/** Longer patterns, deeper groups, and longer samples are not supported. */
const MAX_PATTERN = 2_000;
const MAX_DEPTH = 50;
const MAX_SAMPLE = 1_000;

/** A sample character for each class shorthand. */
const SHORTHANDS: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' };
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' };
/** Tried in turn for a negated class. */
const CANDIDATES = ['a', 'A', '1', '-', '_', '.', ' ', '/', '~'];

/**
 * Generates a text that matches a regular expression in a JSON Schema, by reading the pattern once. Returns `undefined`
 * for unsupported syntax, such as lookahead, lookbehind, and backreferences. Patterns come from callers and are never
 * executed, because one that backtracks would block all other requests.
 */
export function patternSample(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN) return undefined;
  const reader = new PatternReader(pattern);
  try {
    return reader.read();
  } catch (error) {
    if (error instanceof UnreadPattern) return undefined;
    throw error;
  }
}

class UnreadPattern extends Error {}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  read(): string {
    const sample = this.#alternatives(0);
    if (this.#next !== undefined) throw new UnreadPattern();
    return sample;
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  #take(): string {
    const character = this.#next;
    if (character === undefined) throw new UnreadPattern();
    this.#at += 1;
    return character;
  }

  #skip(text: string): boolean {
    const follows = this.#characters.slice(this.#at, this.#at + text.length).join('') === text;
    if (follows) this.#at += text.length;
    return follows;
  }

  /** Uses the first alternative as the sample. The others are only parsed. */
  #alternatives(depth: number): string {
    if (depth > MAX_DEPTH) throw new UnreadPattern();
    const first = this.#sequence(depth);
    while (this.#skip('|')) this.#sequence(depth);
    return first;
  }

  #sequence(depth: number): string {
    let sample = '';
    for (let next = this.#next; next !== undefined && next !== '|' && next !== ')'; next = this.#next) {
      const atom = this.#atom(depth);
      const times = this.#times();
      if (sample.length + atom.length * times > MAX_SAMPLE) throw new UnreadPattern();
      sample += atom.repeat(times);
    }
    return sample;
  }

  #atom(depth: number): string {
    const character = this.#take();
    switch (character) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '(':
        return this.#group(depth);
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        throw new UnreadPattern();
      default:
        return character;
    }
  }

  #group(depth: number): string {
    if (this.#skip('?')) this.#groupName();
    const sample = this.#alternatives(depth + 1);
    if (!this.#skip(')')) throw new UnreadPattern();
    return sample;
  }

  #groupName(): void {
    if (this.#skip(':')) return;
    const isNamed = this.#skip('<') && this.#next !== '=' && this.#next !== '!';
    if (!isNamed) throw new UnreadPattern();
    while (this.#take() !== '>');
  }

  #escape(): string {
    const character = this.#take();
    if (character === 'b') return '';
    const known = SHORTHANDS[character] ?? CONTROLS[character];
    if (known !== undefined) return known;
    if (character === 'x') return this.#code(2);
    if (character === 'u') return this.#code(4);
    if (/\w/.test(character)) throw new UnreadPattern();
    return character;
  }

  #code(digits: number): string {
    const code = Array.from({ length: digits }, () => this.#take()).join('');
    if (!/^[\da-f]+$/i.test(code)) throw new UnreadPattern();
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #class(): string {
    const isNegated = this.#skip('^');
    const ranges: [first: string, last: string][] = [];
    const shorthands: string[] = [];
    while (!this.#skip(']')) {
      const shorthand = this.#shorthand();
      if (shorthand === undefined) ranges.push(this.#range());
      else shorthands.push(shorthand);
    }
    const takes = (candidate: string): boolean =>
      ranges.some(([first, last]) => first <= candidate && candidate <= last) ||
      shorthands.some((shorthand) => isOf(shorthand, candidate));
    const sample = isNegated
      ? CANDIDATES.find((candidate) => !takes(candidate))
      : (ranges[0]?.[0] ?? SHORTHANDS[shorthands[0] ?? '']);
    if (sample === undefined) throw new UnreadPattern();
    return sample;
  }

  #shorthand(): string | undefined {
    const [slash, letter = ''] = this.#characters.slice(this.#at, this.#at + 2);
    if (slash !== '\\' || SHORTHANDS[letter] === undefined) return undefined;
    this.#at += 2;
    return letter;
  }

  #range(): [first: string, last: string] {
    const first = this.#member();
    const isRange = this.#next === '-' && this.#characters[this.#at + 1] !== ']';
    if (!isRange) return [first, first];
    this.#at += 1;
    return [first, this.#member()];
  }

  #member(): string {
    const character = this.#take();
    return character === '\\' ? this.#escape() : character;
  }

  /** Returns 1 unless the quantifier requires another number. */
  #times(): number {
    const next = this.#next;
    if (next === '*' || next === '+' || next === '?') this.#at += 1;
    const times = next === '{' ? this.#bounds() : 1;
    this.#skip('?');
    return times;
  }

  #bounds(): number {
    const end = this.#characters.indexOf('}', this.#at);
    const text = this.#characters.slice(this.#at + 1, end).join('');
    const [, minCount] = /^(\d{1,6})(?:,\d{0,6})?$/.exec(text) ?? [];
    if (end === -1 || minCount === undefined) throw new UnreadPattern();
    this.#at = end + 1;
    const isNever = text === '0' || text === '0,0';
    return isNever ? 0 : Math.max(1, Number(minCount));
  }
}

function isOf(shorthand: string, character: string): boolean {
  switch (shorthand) {
    case 'd':
      return /\d/.test(character);
    case 'w':
      return /\w/.test(character);
    case 's':
      return /\s/.test(character);
    default:
      return !isOf(shorthand.toLowerCase(), character);
  }
}
