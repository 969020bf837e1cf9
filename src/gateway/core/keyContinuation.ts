import type { Quote, QuotedKey } from './quotedKey.ts';

const [QUOTATION_MARK, BACKSLASH] = [0x22, 0x5c] as const;

/** Characters of the key, at the beginnings of one or more texts. */
interface KeyContinuation {
  readonly count: number;
  readonly places: readonly Quote[];
  /** Whether one of the texts consists of nothing else. */
  readonly isWholeText: boolean;
}

/** The texts from there on that go on with the key behind its `first` characters, as far as the longest of them does. */
export function keyContinuation(key: QuotedKey, bytes: Buffer, from: number, first: number): KeyContinuation {
  let [count, places, isWholeText]: [number, Quote[], boolean] = [0, [], false];
  for (let at = bytes.indexOf(QUOTATION_MARK, from); at !== -1; at = bytes.indexOf(QUOTATION_MARK, at + 1)) {
    if (bytes[at - 1] === BACKSLASH) continue;
    const match = key.match(bytes, at + 1, first);
    if (match.count === 0 || match.count < count) continue;
    if (match.count > count) [count, places, isWholeText] = [match.count, [], false];
    places.push({ start: at + 1, end: match.end });
    isWholeText ||= bytes[match.end] === QUOTATION_MARK;
  }
  return { count, places, isWholeText };
}
