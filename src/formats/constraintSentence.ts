/** Keywords of JSON Schema as sentences, for servers that do not read the keywords. */
import type { JsonValue } from './json.ts';

const SENTENCES: Readonly<Record<string, (value: string) => string>> = {
  minimum: (value) => `The number is at least ${value}.`,
  maximum: (value) => `The number is at most ${value}.`,
  exclusiveMinimum: (value) => `The number is above ${value}.`,
  exclusiveMaximum: (value) => `The number is below ${value}.`,
  multipleOf: (value) => `The number is a multiple of ${value}.`,
  minLength: (value) => `The text has at least ${value} characters.`,
  maxLength: (value) => `The text has at most ${value} characters.`,
  pattern: (value) => `The text matches the regular expression ${value}.`,
  format: (value) => `The text has the format ${value}.`,
  minItems: (value) => `The list has at least ${value} items.`,
  maxItems: (value) => `The list has at most ${value} items.`,
  uniqueItems: () => 'The items are different from each other.',
  minProperties: (value) => `The object has at least ${value} members.`,
  maxProperties: (value) => `The object has at most ${value} members.`,
  const: (value) => `The value is ${value}.`,
  enum: (value) => `The value is one of ${value}.`,
  default: (value) => `The default is ${value}.`,
  not: (value) => `The value does not match ${value}.`,
};

/** @returns undefined if the keyword says nothing with this value. */
export function constraintSentence(keyword: string, value: JsonValue): string | undefined {
  if (value === false && keyword === 'uniqueItems') return undefined;
  const json = JSON.stringify(value);
  return SENTENCES[keyword]?.(json) ?? `The value follows the JSON Schema {${JSON.stringify(keyword)}: ${json}}.`;
}

/** Returns the description with further sentences. */
export function described(description: JsonValue | undefined, sentences: readonly string[]): string {
  const own = typeof description === 'string' && description !== '' ? [description] : [];
  return [...own, ...sentences].join('\n\n');
}
