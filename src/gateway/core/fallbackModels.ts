import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import { shortObject } from '../http/jsonBody.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import { WordSearch } from '../http/wordSearch.ts';

/** Members that make some services try other models if the first does not answer. */
export const FALLBACKS = ['models', 'fallbacks', 'fallback_models'] as const;

/** Each of the names begins with one of these. */
const SEARCHES = ['"models"', '"fallback'].map((word) => new WordSearch(word));

/** Some services read these members from the options of their own gateway. */
const OPTIONS = ['providerOptions', 'provider_options'] as const;

/** Returns the values that name fallback models in a request, in any form. */
export function fallbackLists(body: JsonRecord): readonly unknown[] {
  const options = OPTIONS.map((name) => body[name]).filter(isRecord);
  const places = [body, ...options.map(({ gateway }) => gateway).filter(isRecord)];
  const given = places.flatMap((place) => FALLBACKS.map((name) => place[name]));
  return given.filter((value) => value !== undefined && value !== null);
}

const WANTED: ReadonlySet<string> = new Set([...FALLBACKS, ...OPTIONS]);

/** Returns the names of fallback models in a request that was not validated: every string that may be a name. */
export function fallbackModels(bytes: Buffer): readonly string[] {
  const body = shortObject(bytes) ?? foundMembers(bytes);
  for (const name of WANTED) if (body[name] !== undefined) return [...new Set(fallbackLists(body).flatMap(textsIn))];
  return [];
}

/** Only bodies that contain one of the words are searched for the members, which few do, and only these are parsed. */
function foundMembers(bytes: Buffer): JsonRecord {
  if (!SEARCHES.some((search) => search.isIn(bytes))) return {};
  const scanner = new ObjectScanner();
  scanner.push(bytes);
  const wanted = scanner.members.filter(({ name }) => WANTED.has(name));
  const values = wanted.map(({ name, start, end }) => [name, parseJson(bytes.toString('utf8', start, end))]);
  return Object.fromEntries(values);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const values: readonly unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return values.flatMap(textsIn);
}
