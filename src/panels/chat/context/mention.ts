/** What is typed after an `@`: the search for something to attach. */
export interface Mention {
  /** Where the `@` stands in the draft. */
  readonly start: number;
  readonly end: number;
  readonly query: string;
}

/** The mention that the cursor is at the end of. An `@` within a word, as in an address, begins none. */
export function mentionAt(draft: string, cursor: number): Mention | undefined {
  const found = /(?:^|[\s(])@([^\s@]*)$/.exec(draft.slice(0, cursor));
  const query = found?.[1];
  return query === undefined ? undefined : { start: cursor - query.length - 1, end: cursor, query };
}

/** The draft once something was chosen: its chip stands for the mention. */
export function withoutMention(draft: string, { start, end }: Mention): string {
  const [before, after] = [draft.slice(0, start), draft.slice(end)];
  return /\s$/.test(before) || before === '' ? before + after.replace(/^ /, '') : before + after;
}
