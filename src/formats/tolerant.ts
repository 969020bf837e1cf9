/**
 * Reads answers and events of servers whose members are not always of the types that a schema names. What a schema
 * says decides: a member of another type is converted where its meaning is clear, and otherwise dropped alone. Valid
 * values, which nearly all are, are only validated. Apart from `check`, because the editor's start needs only that.
 */
import type * as z from 'zod/mini';
import { FormatError } from './apiError.ts';
import { firstIssue, parsed, TOO_MUCH_WRONG } from './check.ts';
import { isRecord, parseJson } from './json.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';
import type { StreamItem } from './wireFormat.ts';

/** Maximum length of the kept part of an invalid event, in characters: enough to recognize it. */
const KEPT_OF_BAD_EVENT = 500;

/**
 * Returns the answer with the schema's type, including unknown fields; see {@link tolerate}.
 * @throws {FormatError} if a part of its output cannot be read.
 */
export function checkAnswer<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = parsed(schema, value);
  if (result === undefined) throw new FormatError(TOO_MUCH_WRONG, '');
  if (result.success) return result.data;
  const tolerated = tolerate(schema, value);
  if (tolerated.value !== undefined && tolerated.lost === undefined) return tolerated.value;
  const { path, problem } = firstIssue(result.error);
  throw new FormatError(path === '' ? problem : `${path}: ${problem}`, path);
}

/**
 * Validates the JSON of one stream event against its schema, and reads it tolerantly; see {@link tolerate}. An event
 * that cannot be read is a value, too.
 */
export function checkEvent<Schema extends z.ZodMiniType>(
  schema: Schema,
  { data }: ServerSentEvent,
): StreamItem<z.infer<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return malformed('The event is not JSON.', data, MAY_BE_JSON.test(data));
  }
  const result = parsed(schema, value);
  if (result === undefined) return malformed(TOO_MUCH_WRONG, data, true);
  if (result.success) return { type: 'event', event: result.data };
  const { value: event, lost } = tolerate(schema, value);
  if (event !== undefined) return lost === undefined ? { type: 'event', event } : { type: 'event', event, lost };
  const { path, problem } = firstIssue(result.error);
  return malformed(path === '' ? problem : `${path}: ${problem}`, data, lost !== undefined);
}

/** Some servers send single words as signs of life, which contain no part of an answer. */
const MAY_BE_JSON = /[{["]/;

function malformed(problem: string, data: string, isLost: boolean): StreamItem<never> {
  const item = { type: 'malformed', problem, data: data.slice(0, KEPT_OF_BAD_EVENT) } as const;
  return isLost ? { ...item, isLost } : item;
}

interface Tolerated<Value> {
  /** Matches the schema. Undefined if it cannot be read, even without its invalid members. */
  readonly value: Value | undefined;
  /** The path of a part of the answer's output that could not be read. Undefined if nothing of it was lost. */
  readonly lost?: string;
}

type Path = readonly PropertyKey[];
type Container = Record<PropertyKey, unknown>;

/** More wrong members than this make no answer. */
const MAX_REPAIRS = 200;

/** Reads a value that does not match its schema. */
function tolerate<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): Tolerated<z.infer<Schema>> {
  const root = { value: structuredClone(value) };
  let lost: string | undefined;
  for (let repairs = 0; repairs < MAX_REPAIRS; repairs += 1) {
    const result = schema.safeParse(root.value);
    if (result.success) return { value: result.data, ...(lost !== undefined && { lost }) };
    const { path, expected } = faultOf(result.error.issues, []);
    const removed = convert(root, ['value', ...path], expected) ? undefined : remove(root, ['value', ...path]);
    if (removed?.hadOutput) lost ??= removed.path.slice(1).join('.');
    if (root.value === undefined) return { value: undefined, ...(lost !== undefined && { lost }) };
  }
  return { value: undefined, lost: 'too many values' };
}

interface SchemaFault {
  readonly path: Path;
  readonly expected: readonly string[];
}

/** In a union, only the branches count that the value follows the furthest. */
function faultOf(issues: readonly z.core.$ZodIssue[], above: Path): SchemaFault {
  const [issue] = issues;
  if (issue === undefined) return { path: above, expected: [] };
  const path = [...above, ...issue.path];
  if (issue.code !== 'invalid_union') return { path, expected: expectedBy(issue) };
  const branches = issue.errors.filter((errors) => errors.length > 0).map((errors) => faultOf(errors, path));
  const length = Math.max(path.length, ...branches.map((branch) => branch.path.length));
  const furthest = branches.filter((branch) => branch.path.length === length);
  return { path: furthest[0]?.path ?? path, expected: furthest.flatMap(({ expected }) => expected) };
}

function expectedBy(issue: z.core.$ZodIssue): readonly string[] {
  if (issue.code === 'invalid_type') return [issue.expected];
  // The schemas of values that pass unchanged are conditions, and all of these are objects.
  return issue.code === 'custom' ? ['object'] : [];
}

/** Converts the value at a path in place. @returns false if its meaning is not clear. */
function convert(root: Container, path: Path, expected: readonly string[]): boolean {
  const [parent, name] = placeOf(root, path);
  if (parent === undefined) return false;
  for (const type of expected) {
    const converted = conversionOf(name, parent[name], type);
    if (converted === undefined) continue;
    parent[name] = converted;
    return true;
  }
  return false;
}

/** Members with a word, for which some servers send an object with the word as its type. */
const WORDS: ReadonlySet<PropertyKey> = new Set(['finish_reason', 'stop_reason', 'status', 'reason']);
const NUMBER = /^\s*-?\d+(?:\.\d+)?\s*$/;

function conversionOf(name: PropertyKey, value: unknown, type: string): unknown {
  switch (type) {
    case 'string':
      if (WORDS.has(name) && isRecord(value)) return typeof value.type === 'string' ? value.type : undefined;
      // An unknown type would change what the members beside it mean.
      return (typeof value === 'number' || typeof value === 'boolean') && name !== 'type' ? String(value) : undefined;
    case 'number':
    case 'int':
      return typeof value === 'string' && NUMBER.test(value) ? Number(value) : undefined;
    case 'array':
    case 'tuple':
      return isRecord(value) ? [value] : undefined;
    case 'object':
      return typeof value === 'string' ? objectIn(value) : undefined;
    default:
      return undefined;
  }
}

function objectIn(json: string): unknown {
  const value = parseJson(json);
  return isRecord(value) ? value : undefined;
}

/** Removes a value, or what cannot be without it. */
function remove(root: Container, path: Path): { readonly path: Path; readonly hadOutput: boolean } {
  const [parent, name] = placeOf(root, path);
  if (parent === undefined || (parent[name] === undefined && path.length > 1)) return remove(root, path.slice(0, -1));
  const hadOutput = isOutput(path, parent[name]);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else delete parent[name];
  return { path, hadOutput };
}

function placeOf(root: Container, path: Path): readonly [parent: Container | undefined, name: PropertyKey] {
  let parent: unknown = root;
  for (const name of path.slice(0, -1)) parent = (parent as Container | undefined)?.[name];
  const isContainer = typeof parent === 'object' && parent !== null;
  return [isContainer ? (parent as Container) : undefined, path.at(-1) ?? ''];
}

/** Members of all formats that are output or contain it. */
const OUTPUT: ReadonlySet<PropertyKey> = new Set([
  ...['choices', 'message', 'delta', 'tool_calls', 'function_call', 'function', 'custom'],
  ...['content', 'text', 'refusal', 'reasoning', 'reasoning_content', 'reasoning_details', 'thinking', 'summary'],
  ...['name', 'arguments', 'input', 'partial_json', 'content_block', 'output', 'item', 'part', 'images'],
]);
/** Members that describe output, with members of the same names. */
const ABOUT_OUTPUT: ReadonlySet<PropertyKey> = new Set([
  ...['usage', 'logprobs', 'annotations', 'annotation', 'citations', 'citation', 'cache_control', 'error'],
]);

/** Whether a value is a part of the output. Where there is nothing, nothing can be lost. */
function isOutput(path: Path, value: unknown): boolean {
  if (path.some((name) => ABOUT_OUTPUT.has(name))) return false;
  const name = path.findLast((each) => typeof each === 'string');
  return (OUTPUT.has(name ?? '') && hasContent(value)) || containsOutput(value);
}

function containsOutput(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(containsOutput);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => !ABOUT_OUTPUT.has(name) && ((OUTPUT.has(name) && isText(member)) || containsOutput(member)),
  );
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function hasContent(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.keys(value).length > 0;
  return value !== null && value !== undefined && value !== '';
}
