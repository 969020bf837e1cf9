/** The last round of an agent: the model's calls and their results, or its answer and the user's reply. */
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { parseJsonBody } from '../http/jsonBody.ts';

/** Longer rounds are not compared. Agents repeat themselves in fewer messages and bytes. */
const MAX_ELEMENTS = 32;
const MAX_BYTES = 256 * 1024;

const RESULT_ROLES: ReadonlySet<unknown> = new Set(['user', 'tool', 'function']);
const RESULT_TYPE = /_output$/;
const CALL_TYPE = /_call$|^tool_use$|^server_tool_use$/;
const THOUGHT_TYPE = /thinking$|^reasoning$/;
/** Members that differ between two calls that are otherwise the same. */
const VOLATILE = ['id', 'call_id', 'tool_call_id', 'tool_use_id', 'status', 'cache_control', 'signature'];

/**
 * Returns the last round of a conversation as text that is the same for the same calls with the same results.
 * Returns undefined if the conversation ends in another way or the round is too long.
 *
 * @param starts positions of the messages or items, in any of the three formats.
 * @param end position after the last one.
 */
export function lastRound(bytes: Buffer, starts: readonly number[], end: number): string | undefined {
  const results: JsonRecord[] = [];
  const calls: JsonRecord[] = [];
  let next = end;
  for (const start of starts.slice(-MAX_ELEMENTS).reverse()) {
    const element = end - start > MAX_BYTES ? undefined : parseJsonBody(withoutComma(bytes.subarray(start, next)));
    if (!isRecord(element)) return undefined;
    if (isResult(element)) {
      if (calls.length > 0) break;
      results.unshift(element);
    } else calls.unshift(element);
    next = start;
  }
  if (results.length === 0 || calls.length === 0) return undefined;
  return JSON.stringify([comparedParts(calls), results.map(comparedPart)]);
}

/** Cuts off the comma and white space after a value. */
function withoutComma(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.max(bytes.lastIndexOf('}'), 0) + 1);
}

function isResult({ role, type }: JsonRecord): boolean {
  return RESULT_ROLES.has(role) || (typeof type === 'string' && RESULT_TYPE.test(type));
}

/** Returns only the calls, if there are any, because the model's text next to a call may differ each time. */
function comparedParts(elements: readonly JsonRecord[]): readonly unknown[] {
  const visible = elements.filter(({ type }) => !isType(type, THOUGHT_TYPE));
  const calling = visible.filter(({ type, tool_calls }) => isType(type, CALL_TYPE) || isFilled(tool_calls));
  return (calling.length > 0 ? calling : visible).map(comparedPart);
}

function comparedPart(element: JsonRecord): unknown {
  const { content, tool_calls: toolCalls } = element;
  if (isFilled(toolCalls)) return toolCalls.map(withoutVolatile);
  if (!Array.isArray(content)) return withoutVolatile(element);
  const visible = content.filter((part) => isRecord(part) && !isType(part.type, THOUGHT_TYPE));
  const calling = visible.filter((part) => isType(part.type, CALL_TYPE));
  return { role: element.role, content: (calling.length > 0 ? calling : visible).map(withoutVolatile) };
}

function withoutVolatile(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !VOLATILE.includes(name)));
}

function isFilled(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0;
}

function isType(type: unknown, pattern: RegExp): boolean {
  return typeof type === 'string' && pattern.test(type);
}
