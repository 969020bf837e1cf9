import * as z from 'zod/mini';
import { FormatError } from './apiError.ts';
import { isRecord, type JsonObject } from './json.ts';

/** An object that is passed on unchanged, with the order of its keys. */
export const jsonObject = z.custom<JsonObject>((value) => isRecord(value), 'This must be an object.');

/** Maximum number of unknown members that an error names. */
const MAX_NAMED = 10;

/**
 * Returns the value with the schema's type, including unknown fields.
 * @throws {FormatError} whose message names the first invalid field and its expected type.
 */
export function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = parsed(schema, value);
  if (result === undefined) throw new FormatError(TOO_MUCH_WRONG, '');
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error);
  throw new FormatError(path === '' ? problem : `${path}: ${problem}`, path);
}

export const TOO_MUCH_WRONG = 'Too many values are invalid.';

/**
 * Parses a value. zod passes its issues on as arguments of a call, which fails if there are more than fit on the stack.
 * @returns undefined in that case.
 */
export function parsed<Schema extends z.ZodMiniType>(schema: Schema, value: unknown) {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Mismatch {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
}

export function firstIssue({ issues }: z.core.$ZodError): { path: string; problem: string } {
  const { path, problem } = deepest(issues, []);
  return { path: path.join('.'), problem };
}

/** Returns the first issue. For a union, this is the deepest issue of all branches, which is the most informative. */
function deepest(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): Mismatch {
  const [issue] = issues;
  if (issue === undefined) return { path: above, problem: 'This value is not valid.' };
  const path = [...above, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors.filter((branch) => branch.length > 0) : [];
  const inner = branches.map((branch) => deepest(branch, path));
  return inner.reduce((a, b) => (b.path.length > a.path.length ? b : a), { path, problem: explain(issue) });
}

/** Describes the expected value. The small build of zod has no messages. */
function explain(issue: z.core.$ZodIssue): string {
  const expected = expectation(issue);
  if (expected !== undefined) return `This must be ${expected}.`;
  if (issue.code === 'unrecognized_keys')
    return `There is no member ${issue.keys.slice(0, MAX_NAMED).join(', ')} here.`;
  if (issue.code === 'invalid_key') return deepest(issue.issues, []).problem;
  return issue.message === 'Invalid input' ? 'This value is not valid.' : issue.message;
}

function expectation(issue: z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return withArticle(issue.expected);
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ');
    case 'too_small':
      return bound(issue.origin, 'at least', issue.minimum);
    case 'too_big':
      return bound(issue.origin, 'at most', issue.maximum);
    case 'invalid_union': {
      if ('options' in issue) return issue.options?.map((option) => JSON.stringify(option)).join(' or ');
      const choices = issue.errors.flatMap((branch) => branch.slice(0, 1).map(expectation));
      const known = new Set(choices.filter((choice) => choice !== undefined));
      return known.size > 0 ? [...known].join(' or ') : undefined;
    }
    default:
      return undefined;
  }
}

function withArticle(type: string): string {
  if (type === 'null' || type === 'undefined') return type;
  if (type === 'int') return 'a whole number';
  if (type === 'record') return 'an object';
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  if (limit === 1 && relation === 'at least' && origin !== 'number') return 'non-empty';
  const unit = origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '';
  return `${relation} ${limit}${unit}`;
}

/** An object schema whose `type` is a literal, possibly optional. */
type Tagged = z.ZodMiniObject<{ readonly type: z.ZodMiniType<string | undefined> }, z.core.$loose>;

/**
 * Creates a schema for objects distinguished by their `type`. Objects of any other type are accepted unchanged, but an
 * object of a known type must match that type. `isKnown` distinguishes the two where the compiler cannot.
 */
export function openUnion<const Known extends readonly [Tagged, ...Tagged[]]>(options: Known) {
  const known = z.discriminatedUnion('type', options);
  const types = new Set<unknown>(options.flatMap((option) => [...(option._zod.propValues.type ?? [])]));
  const otherType = z.string().check(z.refine((type) => !types.has(type), { abort: true }));
  return {
    known,
    schema: z.union([known, z.looseObject({ type: otherType })]),
    isKnown: (value: { readonly type?: string | undefined }): value is z.infer<typeof known> => types.has(value.type),
  };
}
