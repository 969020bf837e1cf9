/** A text format that is edited in place: comments, order and members that nobody asked about stay as they are. */
export interface ConfigurationFormat {
  /** @throws {SyntaxError} with the place when the text cannot be read. */
  parse(text: string): unknown;
  /** The text with a value at a path; without one it is removed. Numbers count items of lists. */
  edit(text: string, path: readonly (string | number)[], value: unknown): string;
}

export type ConfigurationFormatName = 'json' | 'yaml' | 'toml';

/** Loaded when a tool is connected, so that the editor's start does not pay for three parsers. */
export async function configurationFormat(name: ConfigurationFormatName): Promise<ConfigurationFormat> {
  if (name === 'json') return (await import('./json.ts')).json;
  if (name === 'yaml') return (await import('./yaml.ts')).yaml;
  return (await import('./toml.ts')).toml;
}
