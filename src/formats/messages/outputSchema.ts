/** The form of JSON Schema that services of this format accept for the output. */
import type { JsonObject, JsonValue } from '../conversation.ts';
import { isRecord } from '../json.ts';

/** Conditions that the services refuse. The model reads them in the description instead. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['minContains', 'maxContains', 'contains', 'patternProperties', 'propertyNames', 'not', 'if', 'then', 'else'],
]);
/** Members that contain schemas: by names, in a list, or one. */
const NAMED: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);
const LISTED: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);

/** Returns the schema with closed objects, and with what the services refuse as a part of its descriptions. */
export function asOutputSchema(schema: JsonObject): JsonObject {
  const accepted: Record<string, JsonValue> = {};
  const moved: string[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (isRefused(name, value)) moved.push(`${name}: ${JSON.stringify(value)}`);
    else accepted[name] = converted(name, value);
  }
  const isObject = schema.type === 'object' || isRecord(schema.properties);
  if (isObject) accepted.additionalProperties = false;
  if (moved.length === 0) return accepted;
  const description = typeof schema.description === 'string' ? `${schema.description}\n` : '';
  return { ...accepted, description: `${description}${moved.join(', ')}` };
}

/** Of the smallest numbers of elements, only 0 and 1 are accepted. */
function isRefused(name: string, value: JsonValue): boolean {
  return REFUSED.has(name) || (name === 'minItems' && value !== 0 && value !== 1);
}

function converted(name: string, value: JsonValue): JsonValue {
  if (name === 'items' && isRecord(value)) return asOutputSchema(value);
  if (LISTED.has(name) && Array.isArray(value)) return value.map(asSchema);
  if (!NAMED.has(name) || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([each, inner]) => [each, asSchema(inner)]));
}

function asSchema(value: JsonValue): JsonValue {
  return isRecord(value) ? asOutputSchema(value) : value;
}

/** Whether a schema has conditions that {@link asOutputSchema} moves, or objects that it closes. */
export function isChangedForOutput(schema: JsonObject): boolean {
  return JSON.stringify(asOutputSchema(schema)) !== JSON.stringify(schema);
}
