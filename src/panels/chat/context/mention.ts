/** An `@` with the text after it, which searches for something to attach. */
export interface Mention {
  /** The position of the `@` in the draft. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** Returns the mention that ends at the cursor. An `@` inside a word, as in an email address, is not a mention. */
export function mentionAt(draft: string, cursor: number): Mention | undefined {
  const found = /(?:^|[\s(])@([^\s@]*)$/.exec(draft.slice(0, cursor));
  const query = found?.[1];
  return query === undefined ? undefined : { start: cursor - query.length - 1, end: cursor, query };
}

/** Returns the draft without the mention, after an item was chosen. */
export function withoutMention(draft: string, { start, end }: Mention): string {
  const [before, after] = [draft.slice(0, start), draft.slice(end)];
  return /\s$/.test(before) || before === '' ? before + after.replace(/^ /, '') : before + after;
}
