/** Reads what a model meant by arguments that its schema does not accept as they are. */
import type * as z from 'zod/mini';
import { isRecord } from '../../formats/json.ts';

type Schema = z.core.$ZodType;

/**
 * Reads a text with JSON as what it contains, a single item as a list, and texts as numbers. An optional argument that is
 * `null` is omitted. Whatever else there is stays as it is, and is refused by the schema.
 */
export function meantBy(value: unknown, schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const object = typeof value === 'string' ? parsed(value) : value;
      if (!isRecord(object)) return value;
      const members = Object.entries(def.shape).flatMap(([name, member]) => {
        const isOmitted = object[name] === undefined || isEmptyOption(object[name], member);
        return isOmitted ? [] : [[name, meantBy(object[name], member)] as const];
      });
      return Object.fromEntries(members);
    }
    case 'optional':
      return meantBy(value, def.innerType);
    case 'array': {
      const list = typeof value === 'string' ? (parsed(value) ?? value) : value;
      const items = Array.isArray(list) ? list : [list];
      return items.map((item) => meantBy(item, def.element));
    }
    case 'number':
      return typeof value === 'string' && /^\s*-?\d+\s*$/.test(value) ? Number(value) : value;
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value;
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    default:
      return value;
  }
}

/** An example of arguments that the schema accepts, for an error. */
export function exampleOf(schema: Schema): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      const required = Object.entries(def.shape).filter(([, member]) => !isOptional(member));
      return Object.fromEntries(required.map(([name, member]) => [name, exampleOf(member)]));
    }
    case 'optional':
      return exampleOf(def.innerType);
    case 'array':
      return [exampleOf(def.element)];
    case 'enum':
      return Object.values(def.entries)[0];
    case 'number':
      return 1;
    case 'boolean':
      return true;
    default:
      return '…';
  }
}

function isOptional(schema: Schema): boolean {
  return (schema as z.core.$ZodTypes)._zod.def.type === 'optional';
}

/** Some models write `null`, or an empty text for a number, for what they omit. */
function isEmptyOption(value: unknown, member: Schema): boolean {
  const { def } = (member as z.core.$ZodTypes)._zod;
  if (def.type !== 'optional') return false;
  const { type } = (def.innerType as z.core.$ZodTypes)._zod.def;
  return value === null || (value === '' && type !== 'string');
}

/** JSON in JSON is often encoded once too often, or has line breaks that should be escaped. */
function parsed(text: string): unknown {
  const value = parsedOnce(text) ?? parsedOnce(withEscapes(text));
  return typeof value === 'string' ? (parsedOnce(value) ?? value) : value;
}

function parsedOnce(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Escapes the control characters within the strings of a JSON text. */
function withEscapes(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/gs, (string) =>
    string.replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1)),
  );
}
