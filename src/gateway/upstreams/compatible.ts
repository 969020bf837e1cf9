import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import type { Endpoint, Upstream } from '../core/upstream.ts';
import { CACHE_KEY, CACHE_MARKS } from './cacheMarks/markingCache.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { createHttpUpstream, type WaitingLimits } from './httpUpstream.ts';
import { AskingUsage } from './includeUsage/askingUsage.ts';
import { RefusalMemory } from './repairs/refusalMemory.ts';
import { RepairingUpstream } from './repairs/repairingUpstream.ts';

export interface UpstreamLimits extends WaitingLimits {
  /** From the request to the first output. Undefined or 0 means no limit. */
  readonly firstTokenSeconds?: number | undefined;
}

/** A server that supports at least one of the formats, such as a local model server or another vendor. */
export interface CompatibleSettings {
  /** The name used in `upstream/model`, in records, and in answers. */
  readonly id: string;
  /** The base URL for the formats' paths, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Not empty. If the caller's format is not included, requests are translated to the first one. */
  readonly formats: readonly FormatName[];
  /** Names of the offered models, in which `*` matches any characters. */
  readonly models: readonly string[];
  /** Undefined for servers that require no key. */
  readonly apiKey?: string;
  /** False for servers whose chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
  /** `auto`: adds marks for the upstream's cache to requests of clients that set none. */
  readonly cache?: 'auto' | undefined;
  readonly limits?: UpstreamLimits | undefined;
  readonly network?: NetworkSettings;
}

/** @throws {TypeError} if the base address is not an HTTP or HTTPS address. */
export function createCompatible(settings: CompatibleSettings, refusals = new RefusalMemory()): Upstream {
  const { id, baseUrl, formats, apiKey, askUsage = true, cache, network, limits } = settings;
  const alsoAsMessages = new Set<Endpoint>(['/messages', '/messages/count_tokens']);
  if (formats.includes('messages')) alsoAsMessages.add('/models');
  const http = createHttpUpstream({
    id,
    baseAddress: baseUrl,
    credentials: ({ endpoint }) => credentials(apiKey, alsoAsMessages.has(endpoint)),
    ...(apiKey !== undefined && { apiKey }),
    ...(network !== undefined && { network }),
    limits,
  });
  const additions = [...(askUsage ? [new AskingUsage()] : []), ...(cache === 'auto' ? [CACHE_MARKS, CACHE_KEY] : [])];
  const { apiKey: _, network: __, ...known } = settings;
  return new RepairingUpstream(http, additions, refusals.ofUpstream(id, known));
}

/** Servers of the messages format read one of the two headers. */
function credentials(apiKey: string | undefined, asMessages: boolean): IncomingHttpHeaders {
  if (apiKey === undefined) return {};
  return { authorization: `Bearer ${apiKey}`, ...(asMessages && { 'x-api-key': apiKey }) };
}
