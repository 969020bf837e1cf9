import { estimateTokens } from '../../tokens/textEstimate.ts';

/** Characters of one request that are counted with the tokenizer, in total and in one group of similar texts. */
const MAX_COUNTED = 112 * 1024;
const MAX_COUNTED_OF_GROUP = 24 * 1024;
/** If a text is longer, only a slice from its middle is counted. */
const MIN_SLICED = 8 * 1024;
const SLICE = 512;

interface Group {
  counted: number;
  tokens: number;
  estimated: number;
}

/**
 * Counts the tokens of a request's texts. A tokenizer takes five times as long as an estimate, so of a very long
 * request only a part is counted, and the estimates of the rest are corrected by what was counted of similar texts.
 */
export class TextTally {
  readonly #count: (text: string) => number;
  readonly #groups = new Map<string, Group>();
  #left = MAX_COUNTED;

  /** @param count the tokenizer. */
  constructor(count: (text: string) => number) {
    this.#count = count;
  }

  /** @param name of the group of texts that are alike, such as the results of one tool. */
  tokensOf(text: string, name: string): number {
    if (text === '') return 0;
    const group = this.#groupOf(name);
    if (text.length > this.#left || text.length > MAX_COUNTED_OF_GROUP - group.counted) {
      return this.#estimate(text, group);
    }
    this.#left -= text.length;
    group.counted += text.length;
    const tokens = this.#count(text);
    // The ratio is needed only if the group becomes long.
    group.tokens += tokens;
    group.estimated += text.length > SLICE ? estimateTokens(text.slice(0, SLICE)) * (text.length / SLICE) : tokens;
    return tokens;
  }

  #estimate(text: string, group: Group): number {
    const estimated = estimateTokens(text);
    if (text.length >= MIN_SLICED && this.#left >= SLICE) {
      this.#left -= SLICE;
      const start = (text.length - SLICE) >> 1;
      const slice = text.slice(start, start + SLICE);
      group.tokens += this.#count(slice);
      group.estimated += estimateTokens(slice);
    }
    const ratio = group.estimated === 0 ? 1 : group.tokens / group.estimated;
    return Math.round(estimated * ratio);
  }

  #groupOf(name: string): Group {
    const known = this.#groups.get(name);
    if (known !== undefined) return known;
    const group = { counted: 0, tokens: 0, estimated: 0 };
    this.#groups.set(name, group);
    return group;
  }
}
