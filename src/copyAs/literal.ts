import type { JsonObject, JsonValue } from '../formats/json.ts';

/** How a language writes JSON values. Both languages write strings and numbers as JSON does. */
interface Dialect {
  readonly words: Readonly<Record<'true' | 'false' | 'null', string>>;
  readonly key: (name: string) => string;
  readonly indent: string;
}

export const TYPESCRIPT: Dialect = {
  words: { true: 'true', false: 'false', null: 'null' },
  key: typeScriptKey,
  indent: '  ',
};

export const PYTHON: Dialect = {
  words: { true: 'True', false: 'False', null: 'None' },
  key: quoted,
  indent: '    ',
};

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Writes the value as an expression. Lines after the first begin with `depth` indents. */
export function literal(value: JsonValue, dialect: Dialect, depth = 0): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') return JSON.stringify(value);
  if (value === null || typeof value === 'boolean') return dialect.words[`${value}`];
  if (isList(value)) {
    return block(
      '[]',
      value.map((item) => literal(item, dialect, depth + 1)),
      dialect,
      depth,
    );
  }
  return block('{}', members(value, dialect, depth), dialect, depth);
}

/** Writes the members of an object, without the braces. */
function members(value: JsonObject, dialect: Dialect, depth: number): string[] {
  return Object.entries(value).map(([name, member]) => `${dialect.key(name)}: ${literal(member, dialect, depth + 1)}`);
}

function block(brackets: '[]' | '{}', items: readonly string[], { indent }: Dialect, depth: number): string {
  if (items.length === 0) return brackets;
  const [open, close] = brackets;
  const inner = indent.repeat(depth + 1);
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent.repeat(depth)}${close}`;
}

/** Writes a string. A JSON string is valid in both languages if it is well-formed Unicode. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text.toWellFormed()));
}

/**
 * Escapes characters that a terminal would obey, or that would show the code in another order than the one in which it
 * runs. JSON itself escapes only a part of them.
 */
export function visible(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** As an identifier, `__proto__` would set the prototype. */
function typeScriptKey(name: string): string {
  if (name === '__proto__') return '["__proto__"]';
  return IDENTIFIER.test(name) ? name : quoted(name);
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
