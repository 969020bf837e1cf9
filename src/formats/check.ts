import type * as z from 'zod/mini';
import { FormatError } from './apiError.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';
import type { StreamItem } from './wireFormat.ts';

/** At most this much of a bad event is kept, in characters: enough to recognise it. */
const KEPT_OF_BAD_EVENT = 500;

/**
 * The value as the schema's type, unknown fields kept.
 * @throws {FormatError} whose message names the first field that does not fit and what it should be.
 */
export function check<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, problem } = firstIssue(result.error);
  throw new FormatError(path === '' ? problem : `${path}: ${problem}`, path);
}

/** Checks the JSON of one event of a stream against its schema; a bad event is a value. */
export function checkEvent<Schema extends z.ZodMiniType>(
  schema: Schema,
  { data }: ServerSentEvent,
): StreamItem<z.infer<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(data);
  } catch {
    return malformed('The event is not JSON.', data);
  }
  const result = schema.safeParse(value);
  if (result.success) return { type: 'event', event: result.data };
  const { path, problem } = firstIssue(result.error);
  return malformed(path === '' ? problem : `${path}: ${problem}`, data);
}

function malformed(problem: string, data: string): StreamItem<never> {
  return { type: 'malformed', problem, data: data.slice(0, KEPT_OF_BAD_EVENT) };
}

/** Of a union, the branch that got furthest tells most: its deepest issue is the one to show. */
function firstIssue(error: z.core.$ZodError): { path: string; problem: string } {
  const issue = deepest(error.issues, []);
  return { path: issue.path.join('.'), problem: issue.message };
}

interface Located {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

function deepest(issues: readonly z.core.$ZodIssue[], above: readonly PropertyKey[]): Located {
  const located = issues.map((issue): Located => {
    const path = [...above, ...issue.path];
    const branches = issue.code === 'invalid_union' ? issue.errors.filter((branch) => branch.length > 0) : [];
    const inner = branches.map((branch) => deepest(branch, path));
    return inner.reduce((a, b) => (b.path.length > a.path.length ? b : a), { path, message: issue.message });
  });
  return located[0] ?? { path: above, message: 'The value does not fit.' };
}
