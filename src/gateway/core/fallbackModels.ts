import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { parseJson } from '../../service/json.ts';
import { asBuffer } from '../http/asBuffer.ts';
import { WordSearch } from '../http/wordSearch.ts';

/** Members by which some services ask another model when the first does not answer. */
export const FALLBACKS = ['models', 'fallbacks', 'fallback_models'] as const;

/** Each of the names begins with one of these. */
const SEARCHES = ['"models"', '"fallback'].map((word) => new WordSearch(word));

/** Some services have them among the options of their own gateway. */
const OPTIONS = ['providerOptions', 'provider_options'] as const;

/** What a request says about models to fall back on, in whatever form. */
export function fallbackLists(body: JsonRecord): readonly unknown[] {
  const options = OPTIONS.map((name) => body[name]).filter(isRecord);
  const places = [body, ...options.map(({ gateway }) => gateway).filter(isRecord)];
  const given = places.flatMap((place) => FALLBACKS.map((name) => place[name]));
  return given.filter((value) => value !== undefined && value !== null);
}

/**
 * The names of these models in a request that nobody has checked: any text counts that may be one. Few requests have
 * such members, so the others are not parsed.
 */
export function fallbackModels(bytes: Uint8Array): readonly string[] {
  const buffer = asBuffer(bytes);
  if (!SEARCHES.some((search) => search.isIn(buffer, () => true))) return [];
  const body = parseJson(buffer.toString());
  return isRecord(body) ? [...new Set(fallbackLists(body).flatMap(textsIn))] : [];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const values: readonly unknown[] = typeof value === 'object' && value !== null ? Object.values(value) : [];
  return values.flatMap(textsIn);
}
