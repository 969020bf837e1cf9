import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import type { AskedRequest } from './askedRequest.ts';
import { isToolOfService } from './inputEstimate.ts';

/**
 * Used if the request sets no limit. One vendor documents this value for its own loop; for others no limit is
 * documented.
 */
const MAX_TURNS = 10;

/** Tools that the vendors define and the caller runs. The service does not call the model again for them. */
const RUN_BY_CALLER = /^(?:bash|computer|text_editor|memory|builtin_function)(?:_|$)/;

/**
 * The maximum number of times that the service may call its model for one answer, because its own tools run in between.
 */
export function mostTurns({ body }: AskedRequest, format: FormatName): number {
  const { tools, mcp_servers: servers } = body;
  const running = (Array.isArray(tools) ? tools : []).filter((tool): tool is unknown => !isRecord(tool) || isRun(tool));
  const hasServers = Array.isArray(servers) ? servers.length > 0 : (servers ?? undefined) !== undefined;
  if (running.length === 0 && !hasServers) return 1;
  const calls = hasServers ? undefined : mostCalls(body, running, format);
  return Math.min(MAX_TURNS, calls === undefined ? MAX_TURNS : 1 + Math.ceil(calls));
}

function isRun(tool: JsonRecord): boolean {
  return isToolOfService(tool) && tool.execution !== 'client' && !RUN_BY_CALLER.test(String(tool.type));
}

/** The maximum number of tool calls that the request itself allows. */
function mostCalls(body: JsonRecord, tools: readonly unknown[], format: FormatName): number | undefined {
  const { max_tool_calls: most } = body;
  if (format === 'responses') return isCount(most) ? most : undefined;
  const limits = tools.map((tool) => (isRecord(tool) ? tool.max_uses : undefined));
  return format === 'messages' && limits.every(isCount) ? limits.reduce((sum, limit) => sum + limit, 0) : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}
