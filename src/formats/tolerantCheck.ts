/** Checks answers and events, which are read tolerantly. Apart from `check`, because the editor's start needs only that. */
import type * as z from 'zod/mini';
import { FormatError } from './apiError.ts';
import { firstIssue, parsed, TOO_MUCH_WRONG } from './check.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';
import { tolerate } from './tolerant.ts';
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
