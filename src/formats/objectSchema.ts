/** Schemas of arguments as one object, because services refuse alternatives at the top of a tool's schema. */
import { described } from './constraintSentence.ts';
import { isRecord, type JsonObject, type JsonValue } from './json.ts';

const ALTERNATIVES = ['anyOf', 'oneOf'] as const;
/** They say what else the whole object must or must not be, which no service reads at the top. */
const CONDITIONS = ['not', 'enum', 'const', 'if', 'then', 'else', 'dependentSchemas'] as const;
const MAX_DEPTH = 8;
const MAX_NODES = 500;

const OTHERS: readonly string[] = [...ALTERNATIVES, 'allOf', '$ref', ...CONDITIONS];

/** Whether the top of a schema has anything but the properties of one object. */
export function isOtherAtTop(schema: JsonObject): boolean {
  if (Array.isArray(schema.type)) return true;
  for (const keyword in schema) if (OTHERS.includes(keyword)) return true;
  return false;
}

/**
 * Returns a schema whose top is one object with the properties of all branches. It requires what every branch
 * requires, and its description says what the branches require.
 */
export function asObjectSchema(schema: JsonObject): JsonObject {
  return isOtherAtTop(schema) ? new ObjectMerge(schema).of(schema, 0, new Set()) : schema;
}

class ObjectMerge {
  readonly #root: JsonObject;
  /** A schema that refers to itself in several places would grow exponentially. */
  #nodesLeft = MAX_NODES;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** @param open references that are being followed. */
  of(schema: JsonObject, depth: number, open: ReadonlySet<string>): JsonObject {
    const { $ref: reference, allOf, anyOf, oneOf, type: _, description, properties, required, ...others } = schema;
    const rest = Object.fromEntries(Object.entries(others).filter(([name]) => !OTHERS.includes(name)));
    const own: JsonObject = { ...rest, ...(isRecord(properties) && { properties }), required: textsIn(required) };
    this.#nodesLeft -= 1;
    if (depth > MAX_DEPTH || this.#nodesLeft < 0) return { ...own, type: 'object' };
    const all = [...this.#referred(reference, depth, open), ...this.#branches(allOf, depth, open)];
    const groups = [anyOf, oneOf]
      .map((list) => this.#branches(list, depth, open))
      .filter((branches) => branches.length > 0);
    const together = all.reduce(both, own);
    const whole = groups.reduce((object, branches) => both(object, either(branches)), together);
    const sentences = [
      ...all.flatMap(({ description: each }) => (typeof each === 'string' ? [each] : [])),
      ...groups.flatMap(choiceIn),
    ];
    return finished(whole, described(description, sentences), depth === 0);
  }

  #branches(list: JsonValue | undefined, depth: number, open: ReadonlySet<string>): readonly JsonObject[] {
    if (!Array.isArray(list)) return [];
    return list.flatMap((each: JsonValue) => (isRecord(each) ? [this.of(each, depth + 1, open)] : []));
  }

  #referred(reference: JsonValue | undefined, depth: number, open: ReadonlySet<string>): readonly JsonObject[] {
    if (typeof reference !== 'string' || open.has(reference)) return [];
    const found = lookUp(this.#root, reference);
    return found === undefined ? [] : [this.of(found, depth + 1, new Set([...open, reference]))];
  }
}

/** A branch can require properties of the object around it. */
function finished(whole: JsonObject, words: string, isTop: boolean): JsonObject {
  const { properties = {}, required, description: _, ...members } = whole;
  const isKnown = (name: string) => !isTop || (isRecord(properties) && Object.hasOwn(properties, name));
  const names = textsIn(required).filter(isKnown);
  return {
    type: 'object',
    ...(words !== '' && { description: words }),
    properties,
    ...members,
    ...(names.length > 0 && { required: names }),
  };
}

function both(first: JsonObject, second: JsonObject): JsonObject {
  const { additionalProperties: a } = first;
  const { additionalProperties: b, description: _, type: __, ...rest } = second;
  const required = [...new Set([...textsIn(first.required), ...textsIn(second.required)])];
  const isOpen = a === undefined || b === undefined || a === true || b === true;
  const { additionalProperties: ___, ...own } = first;
  return {
    ...rest,
    ...own,
    properties: propertiesOf([first, second]),
    required,
    ...(!isOpen && { additionalProperties: a === false && b === false ? false : a }),
  };
}

function either(branches: readonly JsonObject[]): JsonObject {
  const [first, ...others] = branches.map(({ required }) => textsIn(required));
  const required = (first ?? []).filter((name) => others.every((each) => each.includes(name)));
  return { properties: propertiesOf(branches), required };
}

/** A property that branches define differently may follow any of the definitions. */
function propertiesOf(schemas: readonly JsonObject[]): JsonObject {
  const found = new Map<string, JsonValue[]>();
  for (const { properties } of schemas) {
    if (!isRecord(properties)) continue;
    for (const [name, schema] of Object.entries(properties)) {
      const known = found.get(name) ?? [];
      const isNew = isFilled(schema) && !known.some((each) => JSON.stringify(each) === JSON.stringify(schema));
      found.set(name, isNew ? [...known, schema] : known);
    }
  }
  return Object.fromEntries(
    [...found].map(([name, [only = {}, ...others]]) => [name, others.length === 0 ? only : joined([only, ...others])]),
  );
}

function isFilled(schema: JsonValue): boolean {
  return isRecord(schema) && Object.keys(schema).length > 0;
}

/** Constants of one kind, by which branches differ, become one list. */
function joined(schemas: readonly JsonValue[]): JsonObject {
  const values = schemas.map((schema) => (isRecord(schema) ? valuesIn(schema) : undefined));
  const lists = values.filter((each) => each !== undefined);
  const [first] = schemas;
  if (lists.length < schemas.length || !isRecord(first)) return { anyOf: schemas };
  const { const: _, enum: __, ...rest } = first;
  return { ...rest, enum: [...new Set(lists.flat())] };
}

function valuesIn({ const: value, enum: values }: JsonObject): readonly JsonValue[] | undefined {
  return value !== undefined ? [value] : Array.isArray(values) ? values : undefined;
}

function choiceIn(branches: readonly JsonObject[]): readonly string[] {
  const groups = branches.map(({ required }) => textsIn(required)).filter((names) => names.length > 0);
  const distinct = [...new Set(groups.map((names) => names.map((name) => `"${name}"`).join(' and ')))];
  return distinct.length < 2 ? [] : [`Give the arguments of one of these groups: ${distinct.join('; ')}.`];
}

function textsIn(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((each) => typeof each === 'string') : [];
}

/** Finds `#/$defs/Name`. */
export function lookUp(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  const names = reference
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const found = names.reduce<JsonValue | undefined>((at, name) => (isRecord(at) ? at[name] : undefined), root);
  return isRecord(found) ? found : undefined;
}
