import { createHash } from 'node:crypto';
import { isRecord, type JsonObject, type JsonValue, parseJson } from '../../formats/json.ts';

/** What services of the messages format accept as the name of a property. */
const ACCEPTED = /^[\w.-]{1,64}$/;
const NOT_ACCEPTED = /[^\w.-]/g;
const MAX_LENGTH = 64;
const HASH_LENGTH = 8;

/** The properties of a tool's arguments whose names a service refuses, with names that it accepts. */
export class PropertyNames {
  readonly schema: JsonObject;
  readonly #accepted: ReadonlyMap<string, string>;
  readonly #original: ReadonlyMap<string, string>;

  private constructor(schema: JsonObject, accepted: ReadonlyMap<string, string>) {
    this.#accepted = accepted;
    this.#original = new Map([...accepted].map(([name, other]) => [other, name]));
    this.schema = this.#renamedSchema(schema) as JsonObject;
  }

  /** @returns undefined if all names are accepted. */
  static of(schema: JsonObject): PropertyNames | undefined {
    const names = new Set<string>();
    collect(schema, names);
    const refused = [...names].filter((name) => !ACCEPTED.test(name));
    if (refused.length === 0) return undefined;
    const used = new Set(names);
    const accepted = refused.map((name): [string, string] => {
      const free = freeName(name, used);
      used.add(free);
      return [name, free];
    });
    return new PropertyNames(schema, new Map(accepted));
  }

  /** Returns arguments of a call, as the caller knows them, for the service. */
  accepted(json: string): string {
    return renamedJson(json, this.#accepted);
  }

  /** Returns arguments of a call by the service for the caller. */
  original(json: string): string {
    return renamedJson(json, this.#original);
  }

  #renamedSchema(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((each: JsonValue) => this.#renamedSchema(each));
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([keyword, inner]): [string, JsonValue] => {
        if (keyword === 'required' && Array.isArray(inner)) return [keyword, inner.map((name) => this.#nameOf(name))];
        if (keyword !== 'properties' || !isRecord(inner)) return [keyword, this.#renamedSchema(inner)];
        const properties = Object.entries(inner).map(([name, each]) => [this.#nameOf(name), this.#renamedSchema(each)]);
        return [keyword, Object.fromEntries(properties)];
      }),
    );
  }

  #nameOf<Name extends JsonValue>(name: Name): Name | string {
    return (typeof name === 'string' ? this.#accepted.get(name) : undefined) ?? name;
  }
}

/** The names of all properties, on every level. */
function collect(value: JsonValue, names: Set<string>): void {
  if (Array.isArray(value)) for (const each of value) collect(each, names);
  if (!isRecord(value)) return;
  for (const [keyword, inner] of Object.entries(value)) {
    if (keyword === 'properties' && isRecord(inner)) for (const name of Object.keys(inner)) names.add(name);
    collect(inner, names);
  }
}

function freeName(name: string, used: ReadonlySet<string>): string {
  const plain = name.replace(NOT_ACCEPTED, '_');
  if (plain !== '' && plain.length <= MAX_LENGTH && !used.has(plain)) return plain;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, HASH_LENGTH);
  return `${plain.slice(0, MAX_LENGTH - HASH_LENGTH - 1)}_${hash}`;
}

function renamedJson(json: string, names: ReadonlyMap<string, string>): string {
  const value = parseJson(json);
  if (value === undefined) return json;
  const renamed = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(renamed);
    if (!isRecord(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([name, inner]) => [names.get(name) ?? name, renamed(inner)]));
  };
  return JSON.stringify(renamed(value));
}

/** Collects streamed arguments, because a name can be split anywhere. */
export class PropertyReader {
  readonly #names: PropertyNames;
  #json = '';

  constructor(names: PropertyNames) {
    this.#names = names;
  }

  push(json: string): string {
    this.#json += json;
    return '';
  }

  /** Returns the arguments when they are complete. */
  end(): string {
    return this.#names.original(this.#json);
  }
}
