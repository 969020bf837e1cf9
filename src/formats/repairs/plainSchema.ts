/** JSON Schema in the form that every server reads: without references, branches beside a type, or rare keywords. */
import { constraintSentence, described } from '../constraintSentence.ts';
import { isRecord, type JsonObject, type JsonValue } from '../json.ts';
import { asObjectSchema, lookUp } from '../objectSchema.ts';

/** Keywords that every server reads. The others become sentences. */
const KEPT: ReadonlySet<string> = new Set(['minimum', 'maximum', 'minItems', 'maxItems']);
/** They say nothing about the value, or are read elsewhere. */
const NOT_SAID: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$comment', '$defs', 'definitions', '$anchor', 'examples', 'deprecated', 'readOnly'],
  ...['type', 'title', 'description', 'enum', 'const', 'properties', 'required', 'items', 'prefixItems'],
  ...['anyOf', 'oneOf', 'allOf', '$ref', 'additionalProperties', 'nullable', 'writeOnly', 'propertyOrdering'],
]);
/** Recursive schemas end here. */
const MAX_DEPTH = 12;
/** A schema that grows beyond this by its references stays shallow from there on. */
const MAX_NODES = 4_000;
const ANYTHING: JsonObject = { type: 'string' };

/** Returns the parameters of a tool in plain form. */
export function plainParameters(schema: JsonObject): JsonObject {
  const plain = new PlainSchema(schema).of(asObjectSchema(schema), 0, new Set());
  return { ...plain, type: 'object', properties: plain.properties ?? {} };
}

class PlainSchema {
  readonly #root: JsonObject;
  #nodes = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  of(value: JsonValue | undefined, depth: number, open: ReadonlySet<string>): JsonObject {
    this.#nodes += 1;
    if (!isRecord(value)) return ANYTHING;
    if (depth > MAX_DEPTH || this.#nodes > MAX_NODES) return { type: 'object' };
    if (typeof value.$ref === 'string') return this.#referred(value, value.$ref, depth, open);
    const { allOf, ...rest } = value;
    if (Array.isArray(allOf)) {
      this.#nodes += allOf.length;
      return this.of(withAll(rest, allOf, this.#root), depth + 1, open);
    }
    const branches = branchesOf(value);
    return branches === undefined ? this.#single(value, depth, open) : this.#choice(value, branches, depth, open);
  }

  /** A reference to a schema that contains it becomes an object of any form. */
  #referred(
    { $ref: _, ...beside }: JsonObject,
    reference: string,
    depth: number,
    open: ReadonlySet<string>,
  ): JsonObject {
    const found = open.has(reference) ? undefined : lookUp(this.#root, reference);
    if (found === undefined) return { type: 'object', ...textOf(beside.description) };
    return this.of({ ...found, ...beside }, depth + 1, new Set([...open, reference]));
  }

  #choice(value: JsonObject, branches: readonly JsonValue[], depth: number, open: ReadonlySet<string>): JsonObject {
    const { anyOf: _, oneOf: __, type, description, ...shared } = value;
    const wide = branches.map((branch): JsonObject => {
      const inner = isRecord(branch) ? branch : {};
      const typed = inner.type === undefined && inner.$ref === undefined && type !== undefined ? { type } : {};
      return { ...shared, ...typed, ...inner };
    });
    const kept = wide.filter((branch) => branch.type !== 'null');
    const [only] = kept;
    if (kept.length <= 1) return this.of({ ...only, ...textOf(description ?? only?.description) }, depth + 1, open);
    return { ...textOf(description), anyOf: kept.map((branch) => this.of(branch, depth + 1, open)) };
  }

  #single(value: JsonObject, depth: number, open: ReadonlySet<string>): JsonObject {
    const type = typeOf(value);
    const values = valuesOf(value);
    const isText = type === 'string' && values?.every((each) => typeof each === 'string') === true;
    const others = Object.entries(value).filter(([name]) => !NOT_SAID.has(name) && !KEPT.has(name));
    const sentences = [
      ...(values !== undefined && !isText ? [constraintSentence('enum', values)] : []),
      ...others.map(([name, each]) => constraintSentence(name, each)),
    ].filter((each) => each !== undefined);
    return {
      type,
      ...textOf(described(value.description, sentences)),
      ...(isText && values !== undefined && { enum: values }),
      ...Object.fromEntries(Object.entries(value).filter(([name]) => KEPT.has(name))),
      ...(type === 'object' && this.#object(value, depth, open)),
      ...(type === 'array' && { items: this.of(itemsOf(value), depth + 1, open) }),
    };
  }

  #object({ properties, required }: JsonObject, depth: number, open: ReadonlySet<string>): JsonObject {
    if (!isRecord(properties)) return {};
    const inner = Object.entries(properties).map(([name, schema]) => [name, this.of(schema, depth + 1, open)]);
    const names = Array.isArray(required) ? required.filter((name) => Object.hasOwn(properties, String(name))) : [];
    return { properties: Object.fromEntries(inner), ...(names.length > 0 && { required: names }) };
  }
}

function textOf(description: JsonValue | undefined): JsonObject {
  return typeof description === 'string' && description !== '' ? { description } : {};
}

/** Several types are branches, too, unless one of them is only that the value may be absent. */
function branchesOf({ anyOf, oneOf, type }: JsonObject): readonly JsonValue[] | undefined {
  const given = anyOf ?? oneOf;
  if (Array.isArray(given) && given.length > 0) return given;
  if (!Array.isArray(type)) return undefined;
  const types = type.filter((each) => each !== 'null');
  return types.length > 1 ? types.map((each) => ({ type: each })) : undefined;
}

function withAll(rest: JsonObject, allOf: readonly JsonValue[], root: JsonObject): JsonObject {
  const resolved = allOf.map((each) =>
    isRecord(each) && typeof each.$ref === 'string' ? lookUp(root, each.$ref) : each,
  );
  const parts = [rest, ...resolved].filter((each) => isRecord(each));
  const isObject = parts.some(({ properties, required }) => isRecord(properties) || required !== undefined);
  return isObject
    ? asObjectSchema({ ...rest, allOf: resolved.filter((each) => isRecord(each)) })
    : Object.assign({}, ...parts);
}

function typeOf(schema: JsonObject): JsonValue {
  const { type, properties, required, items, prefixItems } = schema;
  if (Array.isArray(type)) return type.find((each) => each !== 'null') ?? 'string';
  if (typeof type === 'string') return type === 'null' ? 'string' : type;
  if (properties !== undefined || required !== undefined) return 'object';
  if (items !== undefined || prefixItems !== undefined) return 'array';
  const [first] = valuesOf(schema) ?? [];
  return typeof first === 'number' || typeof first === 'boolean' ? typeof first : 'string';
}

function valuesOf({ enum: values, const: value }: JsonObject): readonly JsonValue[] | undefined {
  if (value !== undefined) return [value];
  return Array.isArray(values) ? values.filter((each) => each !== null) : undefined;
}

function itemsOf({ items, prefixItems }: JsonObject): JsonValue | undefined {
  if (isRecord(items)) return items;
  const [first] = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
  return first;
}
