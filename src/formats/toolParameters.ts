import type { JsonObject } from './conversation.ts';

/** Adds the members that services demand of the schema of a tool's arguments, and that it means without them. */
export function asParameters(schema: JsonObject): JsonObject {
  const isObject = schema.type === undefined || schema.type === 'object';
  const isOther = ['$ref', 'anyOf', 'oneOf', 'allOf'].some((name) => schema[name] !== undefined);
  if (!isObject || isOther || (schema.type !== undefined && schema.properties !== undefined)) return schema;
  return { type: 'object', ...schema, ...(schema.properties === undefined && { properties: {} }) };
}
