import { isRecord, parseJson } from './json.ts';
import type { ServerSentEvent } from './serverSentEvents.ts';

/** Members in which servers of any kind put the sentence for a person, the most specific first. */
const MEMBERS = [
  ...['message', 'detail', 'msg', 'error_description', 'description', 'error', 'errors', 'title', 'reason'],
  ...['error_message', 'errorMessage', 'data', 'response', 'body', 'cause'],
];
const MAX_LENGTH = 500;
const MAX_DEPTH = 6;

/**
 * Returns the sentence that explains an error, from JSON of any shape or from JSON inside a text, at most 500
 * characters long.
 * @returns undefined if there is none.
 */
export function errorSentence(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === 'string') return errorSentence(jsonIn(value), depth + 1) ?? asSentence(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const inner: unknown[] = Array.isArray(value) ? value.slice(0, 3) : MEMBERS.map((name) => Reflect.get(value, name));
  for (const each of inner) {
    const found = errorSentence(each, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns the sentence of an event that reports an error in a shape of its own: by its name, its type, or a member.
 * @returns undefined if it is none.
 */
export function errorInEvent({ event, data }: ServerSentEvent): string | undefined {
  const value = jsonIn(data);
  const isError = event === 'error' || (isRecord(value) && (value.type === 'error' || Boolean(value.error)));
  return isError ? (errorSentence(value ?? data) ?? 'The upstream reported an error without a reason.') : undefined;
}

function asSentence(text: string): string | undefined {
  return text.trim().slice(0, MAX_LENGTH) || undefined;
}

function jsonIn(text: string): unknown {
  return /^\s*[{[]/.test(text) ? parseJson(text) : undefined;
}
