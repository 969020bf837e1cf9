import * as fc from 'fast-check';
import type { FormatName, HostedTool } from '../../../src/formats/conversation.ts';
import type { JsonObject } from '../../../src/formats/json.ts';
import { anyCharacter } from '../anyCharacter.ts';
import type { Members } from './carried.ts';

/** At least one character that is not white space, because formats may drop empty text. */
export const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }).filter((value) => value.trim() !== '');
export const word = fc.stringMatching(/^[a-z][a-z0-9_]{0,11}$/);
export const identifier = fc.stringMatching(/^[A-Za-z0-9]{6,12}$/);
export const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 24 })
  .map((bytes) => Buffer.from(bytes).toString('base64'));
/** `fc.webUrl` has the table that `anyCharacter` avoids. */
export const address = fc
  .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(fc.string({ unit: anyCharacter, maxLength: 8 })))
  .map(([scheme, domain, path]) => `${scheme}://${domain}/${path.map(encodeURIComponent).join('/')}`);

const jsonLeaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null));
/** A JSON object with a few levels, without numbers that JSON text changes. */
export const jsonObject: fc.Arbitrary<JsonObject> = fc.dictionary(
  word,
  fc.oneof(
    jsonLeaf,
    fc.array(jsonLeaf, { maxLength: 3 }),
    fc.dictionary(word, jsonLeaf, { maxKeys: 3, noNullPrototype: true }),
  ),
  { maxKeys: 4, noNullPrototype: true },
);
export const jsonSchema: fc.Arbitrary<JsonObject> = fc
  .dictionary(word, fc.constantFrom<JsonObject>({ type: 'string' }, { type: 'integer', minimum: 0 }), {
    maxKeys: 3,
    noNullPrototype: true,
  })
  .map((properties) => ({ type: 'object', properties, required: Object.keys(properties) }));

const fraction = fc.integer({ min: 0, max: 20 }).map((tenths) => tenths / 10);
const count = fc.integer({ min: 1, max: 200_000 });

/** Common values of the members that several formats have, for {@link Carried.members}. */
export const members = {
  parallelToolCalls: fc.boolean(),
  maxTokens: count,
  temperature: fraction,
  topP: fraction,
  topK: fc.integer({ min: 1, max: 100 }),
  frequencyPenalty: fraction,
  presencePenalty: fraction,
  seed: fc.integer(),
  stopSequences: fc.array(text, { minLength: 1, maxLength: 3 }),
  reasoning: fc.record({ effort: fc.constantFrom('none', 'low', 'medium', 'high', 'max') }),
  responseFormat: fc.record({ type: fc.constant('jsonSchema' as const), schema: jsonSchema }),
  verbosity: fc.constantFrom('low', 'medium', 'high'),
  serviceTier: fc.constantFrom('auto', 'default', 'priority'),
  userId: word,
  metadata: fc.dictionary(word, fc.string(), { maxKeys: 3, noNullPrototype: true }),
  stream: fc.boolean(),
  includeUsage: fc.boolean(),
  store: fc.boolean(),
  logProbs: fc.record({ top: fc.nat(20) }),
  previousResponseId: identifier.map((id) => `resp_${id}`),
} satisfies Members;

/** Tools that the upstream of this format runs, each with one of the given types. */
export function hostedTools(format: FormatName, ...types: string[]): fc.Arbitrary<readonly HostedTool[]> {
  const tool = fc.record({ type: fc.constantFrom(...types), options: jsonObject });
  return fc.array(
    tool.map(({ type, options }) => ({ format, type, definition: { ...options, type, name: type } })),
    { minLength: 1, maxLength: 2 },
  );
}

/** Objects with the prototype of parsed JSON, because fast-check also generates objects without one. */
export function plain<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return arbitrary.map((value) => structuredClone(value));
}

/** Generates objects with some of the optional members, which are never undefined. */
export function some<Needed extends object, Extra extends object>(
  needed: { [K in keyof Needed]: fc.Arbitrary<Needed[K]> },
  extra: { [K in keyof Extra]?: fc.Arbitrary<Exclude<Extra[K], undefined>> | false | undefined },
): fc.Arbitrary<Needed & Extra> {
  const optional = Object.fromEntries(Object.entries(extra).filter(([, arbitrary]) => arbitrary));
  const requiredKeys = Object.keys(needed);
  return fc.record({ ...needed, ...optional } as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys,
    noNullPrototype: true,
  }) as fc.Arbitrary<Needed & Extra>;
}
