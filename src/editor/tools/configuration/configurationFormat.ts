/** A text format that is edited in place: comments, order and members that nobody asked about stay as they are. */
export interface ConfigurationFormat {
  /** @throws {SyntaxError} with the place when the text cannot be read. */
  parse(text: string): unknown;
  /** The text with a value at a path; without one it is removed. Numbers count items of lists. */
  edit(text: string, path: readonly (string | number)[], value: unknown): string;
}
