import type { IncomingHttpHeaders } from 'node:http';
import { defined, isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import type { ClientSession } from '../../ledger/sessionHash.ts';
import { repositoryName } from '../../rules/repositoryName.ts';
import { isCodex } from '../core/exchangeRecord.ts';
import type { RequestClass } from '../core/requestSession.ts';

/** The members of a body that can identify a session. */
export type BodyMembers = Readonly<Record<string, unknown>>;

/** In order of precedence, after the gateway's own headers and those of Claude Code, Codex, and opencode. */
const TRACE_HEADERS = ['x-litellm-session-id', 'helicone-session-id', 'x-portkey-trace-id'] as const;

/** Longer values are not session IDs. */
const MAX_ID_LENGTH = 512;

const REQUEST_CLASSES: ReadonlySet<string> = new Set(['main', 'subagent', 'workflow', 'compaction', 'auxiliary']);

/** Earlier versions of Claude Code send `user_…_account_…_session_…`. */
const SESSION_IN_USER_ID = /_session_([\w-]+)$/;

/** All headers that say something about a session, or the kind of request. Most requests have none of them. */
export const SESSION_HEADERS: ReadonlySet<string> = new Set([
  'x-model-access-session',
  'x-claude-code-session-id',
  'x-claude-code-agent-id',
  'x-claude-code-agent-type',
  'x-claude-code-prompt-id',
  'x-claude-code-prev-tool-durations',
  'x-claude-code-request-class',
  'session-id',
  'x-codex-turn-metadata',
  'x-codex-parent-thread-id',
  'x-openai-subagent',
  'x-session-id',
  'x-session-affinity',
  'x-parent-session-id',
  ...TRACE_HEADERS,
]);

/**
 * Returns the session that a request names. Clients send its ID in different places; the first one in a fixed order is
 * used. A trace (`traceparent`) is not a session.
 * @param readMembers called only if no header that precedes `metadata.user_id` identifies the session.
 */
export function clientSession(
  headers: IncomingHttpHeaders,
  readMembers: () => BodyMembers | undefined,
): ClientSession | undefined {
  const own = ownSession(headers);
  if (own !== undefined) return own;
  const ofClaudeCode = claudeCodeSession(headers);
  if (ofClaudeCode !== undefined) return ofClaudeCode;
  const members = readMembers() ?? {};
  const ofUser = sessionOfUserId(members.metadata, headers);
  if (ofUser !== undefined) return { session: ofUser, ...claudeCodeParts(headers) };
  return codexSession(headers, members) ?? opencodeSession(headers) ?? tracedSession(headers) ?? bodySession(members);
}

/** Returns the kind of the request according to its headers. */
export function requestClass(headers: IncomingHttpHeaders): RequestClass | undefined {
  const named = text(headers['x-claude-code-request-class']);
  if (named !== undefined) return REQUEST_CLASSES.has(named) ? (named as RequestClass) : undefined;
  const kind = String(codexTurn(headers)?.request_kind ?? '');
  if (kind.includes('compact')) return 'compaction';
  const isSubagent =
    text(headers['x-claude-code-agent-id']) ??
    text(headers['x-openai-subagent']) ??
    text(headers['x-codex-parent-thread-id']) ??
    text(headers['x-parent-session-id']);
  return isSubagent === undefined ? undefined : 'subagent';
}

export function agentType(headers: IncomingHttpHeaders): string | undefined {
  return text(headers['x-claude-code-agent-type']) ?? text(headers['x-openai-subagent']);
}

/**
 * Returns how long the tools ran whose results are in the request, in milliseconds, as in `Bash=1200,Read=14`. Tools
 * that ran side by side count in full.
 */
export function toolMs(headers: IncomingHttpHeaders): number | undefined {
  const times = text(headers['x-claude-code-prev-tool-durations'])?.matchAll(/=(\d{1,9}(?:\.\d{1,9})?)(?![\w.])/g);
  return times?.reduce<number | undefined>((sum, [, ms]) => (sum ?? 0) + Number(ms), undefined);
}

/**
 * Returns the name of the repository that Codex works in. Its header has the folders of the workspace with the addresses
 * of their remotes. Nothing is read from a folder, because a caller could name any.
 */
export function clientRepository(headers: IncomingHttpHeaders): string | undefined {
  const workspaces = codexTurn(headers)?.workspaces;
  if (!isRecord(workspaces)) return undefined;
  for (const workspace of Object.values(workspaces)) {
    const remotes = isRecord(workspace) ? workspace.associated_remote_urls : undefined;
    const origin = isRecord(remotes) ? text(remotes.origin) : undefined;
    if (origin !== undefined) return repositoryName(origin);
  }
  return undefined;
}

/**
 * The gateway's own headers precede all others, so that a recorded request can be sent again in another session than
 * the one that its body names.
 */
function ownSession(headers: IncomingHttpHeaders): ClientSession | undefined {
  const session = text(headers['x-model-access-session']);
  return session === undefined ? undefined : { session, ...defined({ turn: text(headers['x-model-access-turn']) }) };
}

function claudeCodeSession(headers: IncomingHttpHeaders): ClientSession | undefined {
  const session = text(headers['x-claude-code-session-id']);
  return session === undefined ? undefined : { session, ...claudeCodeParts(headers) };
}

function claudeCodeParts(headers: IncomingHttpHeaders): Pick<ClientSession, 'agent' | 'turn'> {
  return defined({
    agent: text(headers['x-claude-code-agent-id']),
    turn: text(headers['x-claude-code-prompt-id']),
  });
}

/** A `user_id` usually identifies a person. Only the forms that agents send identify a session. */
function sessionOfUserId(metadata: unknown, headers: IncomingHttpHeaders): string | undefined {
  const userId = isRecord(metadata) ? text(metadata.user_id) : undefined;
  if (userId === undefined) return undefined;
  const parsed = userId.startsWith('{') ? parseObject(userId) : undefined;
  if (parsed !== undefined) return text(parsed.session_id);
  const isOfKimi = /^kimi/i.test(headers['user-agent'] ?? '');
  return SESSION_IN_USER_ID.exec(userId)?.[1] ?? (isOfKimi ? userId : undefined);
}

/** Applies to Codex only, because other clients use the header `session-id` for other purposes. */
function codexSession(headers: IncomingHttpHeaders, members: BodyMembers): ClientSession | undefined {
  if (!isCodex(headers)) return undefined;
  const session = text(headers['session-id']) ?? text(members.prompt_cache_key);
  if (session === undefined) return undefined;
  const thread = text(headers['thread-id']);
  const agent = thread === session ? undefined : thread;
  return { session, ...defined({ agent, turn: text(codexTurn(headers)?.turn_id) }) };
}

function codexTurn(headers: IncomingHttpHeaders): Record<string, unknown> | undefined {
  const metadata = headers['x-codex-turn-metadata'];
  return typeof metadata === 'string' ? parseObject(metadata) : undefined;
}

/** A subagent has its own session, which is treated as part of its parent's session. */
function opencodeSession(headers: IncomingHttpHeaders): ClientSession | undefined {
  const own = text(headers['x-session-id']) ?? text(headers['x-session-affinity']);
  const parent = text(headers['x-parent-session-id']);
  if (own === undefined || parent === undefined) return own === undefined ? undefined : { session: own };
  return { session: parent, agent: own };
}

function tracedSession(headers: IncomingHttpHeaders): ClientSession | undefined {
  const session = TRACE_HEADERS.map((name) => text(headers[name])).find((id) => id !== undefined);
  const agent = text(headers['helicone-session-path']);
  return session === undefined ? undefined : { session, ...defined({ agent: agent === '/' ? undefined : agent }) };
}

function bodySession({ session_id, prompt_cache_key, conversation }: BodyMembers): ClientSession | undefined {
  const named = isRecord(conversation) ? conversation.id : conversation;
  const session = text(session_id) ?? text(prompt_cache_key) ?? text(named);
  return session === undefined ? undefined : { session };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}

function parseObject(json: string): JsonRecord | undefined {
  const value = parseJson(json);
  return isRecord(value) ? value : undefined;
}
