/** Restores secrets in the strings of JSON. */
import type { OpenedCounts } from './answerOpener.ts';
import { escapeJson, unescapeJson } from './jsonEscapes.ts';
import { type JsonString, readJsonStrings } from './jsonStrings.ts';
import { NESTED_NAMES } from './requestText.ts';
import { LITERAL } from './standIns.ts';
import type { StandInTable } from './standInTable.ts';

/** Members with the texts of a model. */
const TEXT_NAMES: ReadonlySet<string> = new Set(['text', 'content']);

/** How what a stand-in stands for is written into the text of a string with this name. */
export function writerFor(name: string, isStructured: boolean): (secret: string) => string {
  return NESTED_NAMES.has(name) || (isStructured && TEXT_NAMES.has(name)) ? escapeJson : (secret) => secret;
}

/** Restores the secrets in all strings of a JSON text. Returns `undefined` if it is none. */
export function openJson(
  source: string,
  table: StandInTable,
  counts: OpenedCounts,
  isStructured: boolean,
): string | undefined {
  const strings = readJsonStrings(source);
  return (
    strings &&
    withStrings(source, strings, (string) => {
      const text = unescapeJson(source.slice(string.start, string.end));
      if (!text.includes(LITERAL)) return undefined;
      const result = table.open(text, writerFor(string.name, isStructured));
      counts.opened += result.opened;
      counts.unknown += result.unknown;
      return result.opened === 0 ? undefined : result.text;
    })
  );
}

/** Writes other texts into strings. Those for which `change` returns `undefined` stay as they are written. */
export function withStrings(
  source: string,
  strings: readonly JsonString[],
  change: (string: JsonString) => string | undefined,
): string {
  const pieces: string[] = [];
  let at = 0;
  for (const string of strings) {
    const changed = change(string);
    if (changed === undefined) continue;
    pieces.push(source.slice(at, string.start), escapeJson(changed));
    at = string.end;
  }
  pieces.push(source.slice(at));
  return pieces.join('');
}
