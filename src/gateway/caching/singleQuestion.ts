/** What becomes the blocks of a request. */
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { SESSION_MEMBERS } from '../core/requestSession.ts';
import { shortObject } from '../http/jsonBody.ts';
import type { BlockHasher } from './blockHasher.ts';
import { BlockList } from './blockList.ts';

/** Members of a request, in any format, that cause a cache miss at the upstream when they change. */
export const SETTINGS: ReadonlySet<string> = new Set([
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'speed',
  'service_tier',
  'parallel_tool_calls',
  'text',
  'response_format',
  'reasoning',
  'reasoning_effort',
  'verbosity',
  'prompt_cache_key',
]);

/** Members that are read, except for the conversation. */
const DEPENDED_ON: ReadonlySet<string> = new Set([
  ...SETTINGS,
  ...SESSION_MEMBERS,
  ...['tools', 'system', 'instructions', 'prompt_cache_options', 'cache_control', 'prompt_cache_breakpoint'],
]);

export interface SingleQuestion {
  readonly messages: BlockList;
  readonly question: string;
}

/**
 * Returns the block of a short request that consists of one text of the user, without going through its bytes. It has
 * neither tools nor a system prompt, so that no cache has a prefix of it, and only a longer conversation can continue it.
 * @returns undefined for any other request.
 */
export function singleQuestion(bytes: Buffer, hasher: BlockHasher): SingleQuestion | undefined {
  const request = shortObject(bytes);
  const message = request && onlyMessage(request);
  if (message?.role !== 'user' || typeof message.content !== 'string') return undefined;
  const quoted = Buffer.from(JSON.stringify(message.content));
  // The hash is of the text as it is written, which may be escaped in another way.
  if (!bytes.includes(quoted)) return undefined;
  const hash = hasher.hash(USER, TEXT_START, quoted, TEXT_END);
  const length = USER.length + TEXT_START.length + quoted.length + TEXT_END.length;
  return { messages: new BlockList([hash], [0], length), question: `0:${hash}` };
}

/** Returns the only message of a request that has nothing else that a cache or a session depends on. */
function onlyMessage(request: JsonRecord): JsonRecord | undefined {
  for (const name in request) if (DEPENDED_ON.has(name)) return undefined;
  const { messages = request.input } = request;
  const [message, ...others] = Array.isArray(messages) ? messages : [];
  if (!isRecord(message) || others.length > 0) return undefined;
  for (const name in message) if (name !== 'role' && name !== 'content') return undefined;
  return message;
}

const ROLES = new Map(['user', 'assistant', 'tool', 'system', 'developer'].map((role) => [role, Buffer.from(role)]));

const USER = Buffer.from('user');
const TEXT_START = Buffer.from('{"type":"text","text":');
const TEXT_END = Buffer.from('}');

export function roleBytes(role: string): Buffer {
  return ROLES.get(role) ?? Buffer.from(role);
}

export function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** Formats a text as a list with one text, because some clients write it as a list when they mark it. */
export function textPieces(role: string, quoted: Buffer): Buffer[] {
  return [roleBytes(role), TEXT_START, quoted, TEXT_END];
}
