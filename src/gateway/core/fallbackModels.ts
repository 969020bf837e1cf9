import { isRecord, type JsonRecord } from '../../formats/json.ts';

/** Members that make some services try other models if the first does not answer. */
export const FALLBACKS = ['models', 'fallbacks', 'fallback_models'] as const;

/** Some services read these members from the options of their own gateway. */
export const FALLBACK_OPTIONS = ['providerOptions', 'provider_options'] as const;

/** Returns the values that name fallback models in a request, in any form. */
export function fallbackLists(body: JsonRecord): readonly unknown[] {
  const options = FALLBACK_OPTIONS.map((name) => body[name]).filter(isRecord);
  const places = [body, ...options.map(({ gateway }) => gateway).filter(isRecord)];
  const given = places.flatMap((place) => FALLBACKS.map((name) => place[name]));
  return given.filter((value) => value !== undefined && value !== null);
}
