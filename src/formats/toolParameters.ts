import type { JsonObject } from './conversation.ts';
import { isRecord } from './json.ts';

/** Adds the members that services demand of the schema of a tool's arguments, and that it means without them. */
export function asParameters(schema: JsonObject = {}): JsonObject {
  const isObject = (schema.type ?? 'object') === 'object';
  const isOther = ['$ref', 'anyOf', 'oneOf', 'allOf'].some((name) => schema[name] !== undefined);
  if (!isObject || isOther || (schema.type === 'object' && isRecord(schema.properties))) return schema;
  return { ...schema, type: 'object', properties: isRecord(schema.properties) ? schema.properties : {} };
}
