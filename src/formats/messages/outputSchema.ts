/** The form of JSON Schema that services of this format accept for answers and strict tools. */
import { constraintSentence, described } from '../constraintSentence.ts';
import { isRecord, type JsonObject, type JsonValue } from '../json.ts';

/** Keywords that the messages format's service reads; see its documentation of structured outputs. */
const KEPT: ReadonlySet<string> = new Set([
  'type',
  'title',
  'description',
  'enum',
  'const',
  'default',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
  'format',
]);
/** They say nothing about the value. */
const NOT_MISSED: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'examples', 'deprecated', 'readOnly']);
const FORMATS: ReadonlySet<unknown> = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

export function isChangedIfStrict(schema: JsonObject): boolean {
  return JSON.stringify(asStrictSchema(schema)) !== JSON.stringify(schema);
}

function strict(value: JsonValue | undefined): JsonValue {
  if (isRecord(value)) return asStrictSchema(value);
  return value ?? {};
}

/** Returns the schema with all objects closed, and with unsupported keywords as words of the descriptions. */
export function asStrictSchema(schema: JsonObject): JsonObject {
  const kept: Record<string, JsonValue> = {};
  const words: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    const read = readKeyword(keyword, value);
    if (read !== undefined) Object.assign(kept, read);
    else if (!NOT_MISSED.has(keyword)) {
      const sentence = constraintSentence(keyword, value);
      if (sentence !== undefined) words.push(sentence);
    }
  }
  if (words.length > 0) kept.description = described(kept.description, words);
  return closed(kept);
}

/** @returns undefined if the keyword is not supported with this value. */
function readKeyword(keyword: string, value: JsonValue): JsonObject | undefined {
  switch (keyword) {
    case 'properties':
    case '$defs':
    case 'definitions':
      return isRecord(value)
        ? {
            [keyword]: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strict(inner)])),
          }
        : undefined;
    case 'oneOf':
      return Array.isArray(value) ? { anyOf: value.map((each: JsonValue) => strict(each)) } : undefined;
    case 'anyOf':
    case 'allOf':
      return Array.isArray(value) ? { [keyword]: value.map((each: JsonValue) => strict(each)) } : undefined;
    case 'items':
      return isRecord(value) ? { items: asStrictSchema(value) } : undefined;
    case 'minItems':
      return value === 0 || value === 1 ? { minItems: value } : undefined;
    case 'format':
      return FORMATS.has(value) ? { format: value } : undefined;
    case 'additionalProperties':
      return value === false || value === true ? { additionalProperties: false } : undefined;
    default:
      return KEPT.has(keyword) ? { [keyword]: value } : undefined;
  }
}

function closed(kept: Record<string, JsonValue>): JsonObject {
  const { type } = kept;
  const isObject = type === 'object' || (Array.isArray(type) && type.includes('object'));
  const isUntypedObject = type === undefined && kept.properties !== undefined;
  if (!isObject && !isUntypedObject) return kept;
  return { ...kept, ...(isUntypedObject && { type: 'object' }), additionalProperties: false };
}
