import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { ObjectScanner } from '../http/objectScanner.ts';
import type { AskedRequest } from './askedRequest.ts';
import { isToolOfService } from './inputEstimate.ts';

/**
 * In the messages format: the vendor documents that its loop of model and tools ends the answer after 10 iterations, with
 * the stop reason `pause_turn`.
 */
const MAX_ITERATIONS = 10;

/**
 * In the other formats, if the request sets no limit. This is an assumption: their first vendor documents no limit, and
 * the highest that another one documents for `max_tool_calls` is 30.
 */
const ASSUMED_CALLS = 30;

/** How often the service may call its model for one answer, because its own tools run in between. */
export interface ModelTurns {
  readonly max: number;
  /** False if `most` is assumed. */
  readonly isLimited: boolean;
}

/** Tools that the vendors define and the caller runs. The service does not call the model again for them. */
const RUN_BY_CALLER = /^(?:bash|computer|text_editor|memory|builtin_function)(?:_|$)/;

export function maxTurns({ body }: AskedRequest, format: FormatName): ModelTurns {
  const { tools, mcp_servers: servers } = body;
  const running = (Array.isArray(tools) ? tools : []).filter((tool): tool is unknown => !isRecord(tool) || isRun(tool));
  const hasServers = Array.isArray(servers) ? servers.length > 0 : (servers ?? undefined) !== undefined;
  if (running.length === 0 && !hasServers) return { max: 1, isLimited: true };
  const calls = hasServers ? undefined : mostCalls(body, running, format);
  const max = 1 + Math.ceil(calls ?? ASSUMED_CALLS);
  if (format === 'messages') return { max: Math.min(MAX_ITERATIONS, max), isLimited: true };
  return { max, isLimited: calls !== undefined };
}

function isRun(tool: JsonRecord): boolean {
  return isToolOfService(tool) && tool.execution !== 'client' && !RUN_BY_CALLER.test(String(tool.type));
}

/** The maximum number of tool calls that the request itself allows. */
function mostCalls(body: JsonRecord, tools: readonly unknown[], format: FormatName): number | undefined {
  const { max_tool_calls: max } = body;
  if (format === 'responses') return isCount(max) ? max : undefined;
  const limits = tools.map((tool) => (isRecord(tool) ? tool.max_uses : undefined));
  return format === 'messages' && limits.every(isCount) ? limits.reduce((sum, limit) => sum + limit, 0) : undefined;
}

export function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

/** The limit that the gateway adds to a request whose tools the service may call any number of times. */
export const CALL_LIMIT = 'max_tool_calls';

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
  return { ...asked, body: { ...asked.body, [CALL_LIMIT]: calls } };
}

/** Adds the limit to the bytes of the request, leaving all others unchanged. */
export function bytesWithCallLimit(body: Buffer, calls: number): Buffer {
  return bytesWithNumber(body, CALL_LIMIT, calls);
}

/** Sets a member of the request, which has other members, leaving all other bytes unchanged. */
export function bytesWithNumber(body: Buffer, member: string, value: number): Buffer {
  const scanner = new ObjectScanner();
  scanner.push(body);
  const { start, end } = scanner.members.find(({ name }) => name === member) ?? endOfObject(body);
  const text = start === end ? `,"${member}":${value}` : String(value);
  return Buffer.concat([body.subarray(0, start), Buffer.from(text), body.subarray(end)]);
}

/** The body was parsed before, so nothing but white space follows the last brace. */
function endOfObject(bytes: Buffer): { readonly start: number; readonly end: number } {
  const at = bytes.lastIndexOf('}');
  return { start: at, end: at };
}
