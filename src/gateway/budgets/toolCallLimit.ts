/** The limit that the gateway adds to a request whose tools the service may call any number of times. */
import type { FormatName } from '../../formats/conversation.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import type { AskedRequest } from './askedRequest.ts';
import { maxTurns } from './modelTurns.ts';

const MEMBER = 'max_tool_calls';

/**
 * The numbers of calls that are tried, until a budget covers one. A higher one would leave less of the budget to
 * concurrent requests, and cost more if the client disconnects.
 */
export const ADDED_LIMITS: readonly number[] = [3, 1];

/** Whether only the service knows how often it calls its tools. The other formats have no limit for all tools. */
export function lacksCallLimit(asked: AskedRequest, format: FormatName): boolean {
  return format === 'responses' && !maxTurns(asked, format).isLimited;
}

export function withCallLimit(asked: AskedRequest, calls: number): AskedRequest {
  return { ...asked, body: { ...asked.body, [MEMBER]: calls } };
}

/** Adds the limit to the bytes of the request, leaving all others unchanged. */
export function bytesWithCallLimit(body: Buffer, calls: number): Buffer {
  const scanner = new ObjectScanner();
  scanner.push(body);
  // A member without a number, such as null, is replaced.
  const { start, end } = scanner.members.find(({ name }) => name === MEMBER) ?? endOfObject(body);
  const text = start === end ? `,"${MEMBER}":${calls}` : String(calls);
  return Buffer.concat([body.subarray(0, start), Buffer.from(text), body.subarray(end)]);
}

/** The body was parsed before, so nothing but white space follows the last brace. */
function endOfObject(bytes: Buffer): { readonly start: number; readonly end: number } {
  const at = bytes.lastIndexOf('}');
  return { start: at, end: at };
}
