import type { ConfigurationFormat } from './edits.ts';

export type ConfigurationFormatName = 'json' | 'yaml' | 'toml';

/** Loads a format when a tool is connected, so that the editor's startup does not load three parsers. */
export async function configurationFormat(name: ConfigurationFormatName): Promise<ConfigurationFormat> {
  if (name === 'json') return (await import('./json.ts')).json;
  if (name === 'yaml') return (await import('./yaml.ts')).yaml;
  return (await import('./toml.ts')).toml;
}
