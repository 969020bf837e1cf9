/** Generates values that match a JSON Schema: arguments of tool calls, and answers in a requested format. */
import { isRecord, type JsonObject, type JsonValue } from '../formats/json.ts';

/** Values in the user's message: by the name of a property, or in the order of the strings. */
export interface Hints {
  readonly named: ReadonlyMap<string, string>;
  /** Quoted words in the message. Each string without a named value uses the next one. */
  readonly quoted: readonly string[];
}

/** Below this depth, only required properties are written, because schemas can be recursive. */
const OPTIONAL_DEPTH = 6;
/** Absolute limits, so that no schema can keep the sandbox busy. Values beyond them become null. */
const MAX_DEPTH = 64;
const MAX_VALUES = 5_000;
const MAX_ITEMS = 200;
/** Of all names and strings of a value, counting what a schema gives as it is. */
const MAX_CHARACTERS = 1_000_000;
/** So many members of merged schemas take as long as writing one value. */
const MERGED_PER_VALUE = 8;

const SAMPLES: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T12:00:00Z',
  date: '2026-01-01',
  time: '12:00:00Z',
  duration: 'PT1H',
  email: 'sandbox@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

/**
 * Generates a value for the schema. With `optional`, includes optional properties; without it, includes only those
 * named in the hints. Supports the keywords that tools and answers use, and ignores all others.
 */
export function schemaValue(
  schema: JsonValue,
  options: { readonly hints?: Hints; readonly optional?: boolean } = {},
): JsonValue {
  return new Writer(schema, options.hints ?? { named: new Map(), quoted: [] }, options.optional ?? false).value();
}

class Writer {
  readonly #root: JsonValue;
  readonly #named: ReadonlyMap<string, string>;
  readonly #quoted: string[];
  readonly #optional: boolean;
  #written = 0;
  #characters = 0;

  constructor(root: JsonValue, hints: Hints, optional: boolean) {
    this.#root = root;
    this.#named = hints.named;
    this.#quoted = [...hints.quoted];
    this.#optional = optional;
  }

  value(): JsonValue {
    return this.#write(this.#root, '', 0);
  }

  #write(given: JsonValue, name: string, depth: number): JsonValue {
    this.#written += 1;
    this.#characters += name.length;
    if (depth > MAX_DEPTH || this.#isFull) return null;
    const schema = this.#resolve(given);
    const hint = this.#named.get(name);
    if (schema.const !== undefined) return this.#given(schema.const);
    if (isList(schema.enum)) return this.#given(fromEnum(schema.enum, hint));
    if (hint === undefined && schema.default !== undefined) return this.#given(schema.default);
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return this.#array(schema, name, depth);
      case 'number':
      case 'integer':
        return number(schema, hint);
      case 'boolean':
        return hint === undefined || !/^(false|no|off|0)$/i.test(hint);
      case 'null':
        return null;
      default:
        return this.#given(string(schema, name, hint ?? this.#quoted.shift()));
    }
  }

  get #isFull(): boolean {
    return this.#written > MAX_VALUES || this.#characters > MAX_CHARACTERS;
  }

  /** The value, or null where it is too long beside all others. */
  #given(value: JsonValue): JsonValue {
    this.#characters += typeof value === 'string' ? value.length : JSON.stringify(value).length;
    return this.#characters > MAX_CHARACTERS ? null : value;
  }

  #object(schema: JsonObject, depth: number): JsonValue {
    const properties = isRecord(schema.properties) ? schema.properties : {};
    const required = isList(schema.required) ? schema.required.filter((key) => typeof key === 'string') : [];
    const needed = new Set(required);
    const chosen = Object.keys(properties).filter(
      (key) => needed.has(key) || this.#named.has(key) || (this.#optional && depth < OPTIONAL_DEPTH),
    );
    const first = Object.keys(properties)[0];
    if (depth === 0 && chosen.length === 0 && first !== undefined && this.#quoted.length > 0) chosen.push(first);
    const names = [...new Set([...chosen, ...required])].slice(0, MAX_VALUES);
    return Object.fromEntries(names.map((key) => [key, this.#write(properties[key] ?? {}, key, depth + 1)]));
  }

  #array(schema: JsonObject, name: string, depth: number): JsonValue {
    const fixed = isList(schema.prefixItems) ? schema.prefixItems : [];
    const wanted = depth < OPTIONAL_DEPTH ? Math.max(1, fixed.length) : 0;
    const minimum = Math.min(numberOr(schema.minItems, wanted), MAX_ITEMS);
    const length = Math.min(Math.max(wanted, minimum), numberOr(schema.maxItems, MAX_ITEMS), MAX_ITEMS);
    const items = schema.items ?? {};
    const values = Array.from({ length }, (_, i) => this.#write(fixed[i] ?? items, name, depth + 1));
    return schema.uniqueItems === true ? distinct(values, this.#resolve(items)) : values;
  }

  /** Follows references, and uses the first branch of a choice, so that one plain schema remains. */
  #resolve(given: JsonValue, steps = 0): JsonObject {
    this.#written += steps;
    if (!isRecord(given) || steps > MAX_DEPTH || this.#isFull) return {};
    const { $ref, anyOf, oneOf, allOf, ...rest } = given;
    const choice = isList(anyOf) ? anyOf : isList(oneOf) ? oneOf : [];
    const named = choice.find((branch) => !isRecord(branch) || branch.type !== 'null') ?? choice[0];
    const parts = [
      ...(typeof $ref === 'string' ? [this.#find($ref)] : []),
      ...(named === undefined ? [] : [named]),
      ...(isList(allOf) ? allOf : []),
    ];
    return parts.map((part) => this.#resolve(part, steps + 1)).reduce((whole, part) => this.#merge(whole, part), rest);
  }

  #merge(whole: JsonObject, part: JsonObject): JsonObject {
    const merged = merge(whole, part);
    const { properties = {}, required = [] } = merged;
    const members =
      Object.keys(merged).length + Object.keys(properties ?? {}).length + (isList(required) ? required.length : 0);
    this.#written += members / MERGED_PER_VALUE;
    return merged;
  }

  /** Resolves a reference such as `#/$defs/point` within the schema. */
  #find(reference: string): JsonValue {
    if (!reference.startsWith('#')) return {};
    const keys = reference.slice(1).split('/').slice(1);
    return keys.reduce<JsonValue>((at, key) => {
      const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
      return isRecord(at) && Object.hasOwn(at, name) ? (at[name] ?? {}) : {};
    }, this.#root);
  }
}

function merge(a: JsonObject, b: JsonObject): JsonObject {
  const properties = {
    ...(isRecord(a.properties) && a.properties),
    ...(isRecord(b.properties) && b.properties),
  };
  const required = [...(isList(a.required) ? a.required : []), ...(isList(b.required) ? b.required : [])];
  return {
    ...b,
    ...a,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function typeOf(schema: JsonObject): string {
  const type = schema.type;
  if (typeof type === 'string') return type;
  const named = isList(type) ? (type.find((one) => one !== 'null') ?? type[0]) : undefined;
  if (typeof named === 'string') return named;
  if (schema.properties !== undefined) return 'object';
  return schema.items !== undefined || schema.prefixItems !== undefined ? 'array' : 'string';
}

function fromEnum(choices: readonly JsonValue[], hint: string | undefined): JsonValue {
  const named = choices.find((choice) => hint !== undefined && String(choice).toLowerCase() === hint.toLowerCase());
  return named ?? choices[0] ?? null;
}

function number(schema: JsonObject, hint: string | undefined): number {
  const integer = typeOf(schema) === 'integer';
  const step = numberOr(schema.multipleOf, integer ? 1 : 0);
  const exclusive = (limit: JsonValue | undefined, sign: number) =>
    typeof limit === 'number' ? limit + sign * (step || 0.5) : undefined;
  const minimum = numberOr(schema.minimum, exclusive(schema.exclusiveMinimum, 1) ?? Number.NEGATIVE_INFINITY);
  const maximum = numberOr(schema.maximum, exclusive(schema.exclusiveMaximum, -1) ?? Number.POSITIVE_INFINITY);
  const wanted = hint !== undefined && hint.trim() !== '' && Number.isFinite(Number(hint)) ? Number(hint) : 1;
  const within = Math.min(Math.max(wanted, minimum), maximum);
  if (step === 0) return within;
  const up = Math.ceil(within / step) * step;
  return up <= maximum ? up : Math.floor(within / step) * step;
}

function string(schema: JsonObject, name: string, hint: string | undefined): string {
  const text = hint ?? exampleOf(schema) ?? SAMPLES[String(schema.format)] ?? `sample ${name}`.trim();
  const minimum = Math.min(numberOr(schema.minLength, 0), 100_000);
  const maximum = numberOr(schema.maxLength, Number.POSITIVE_INFINITY);
  return text.padEnd(minimum, '.').slice(0, maximum);
}

/** Patterns are not read: a schema that has one often has an example, too. */
function exampleOf({ examples, example }: JsonObject): string | undefined {
  const given = isList(examples) ? examples[0] : example;
  return typeof given === 'string' ? given : undefined;
}

/**
 * Makes the values of an array unique: appends a count to strings, increments numbers, and removes other duplicates.
 */
function distinct(values: readonly JsonValue[], items: JsonObject): readonly JsonValue[] {
  if (isList(items.enum)) return items.enum.slice(0, values.length);
  const described = values.map((value, i) =>
    typeof value === 'string' ? `${value} ${i + 1}` : typeof value === 'number' ? value + i : value,
  );
  return [...new Map(described.map((value) => [JSON.stringify(value), value])).values()];
}

function numberOr(value: JsonValue | undefined, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise;
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
