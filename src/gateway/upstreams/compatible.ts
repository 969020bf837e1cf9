import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import type { Endpoint, Upstream } from '../core/upstream.ts';
import { MarkingUpstream } from './cacheMarks/markingUpstream.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { createHttpUpstream, type WaitingLimits } from './httpUpstream.ts';
import { AskingUpstream } from './includeUsage/askingUpstream.ts';

export interface UpstreamLimits extends WaitingLimits {
  /** From the request to the first output; no limit when absent or 0. */
  readonly firstTokenSeconds?: number | undefined;
}

/** Any server that speaks at least one of the formats: a local model server, another vendor. */
export interface CompatibleSettings {
  /** Its name in `upstream/model`, in records and in answers. */
  readonly id: string;
  /** With the prefix below which the formats' paths stand, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** At least one; where the caller's is not among them, requests are translated to the first. */
  readonly formats: readonly FormatName[];
  /** Names of models that it offers; `*` in one stands for any characters. */
  readonly models: readonly string[];
  /** Absent for servers that ask for none. */
  readonly apiKey?: string;
  /** False for servers whose chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
  /** `auto`: requests whose client marks nothing for the upstream's cache get marks. */
  readonly cache?: 'auto' | undefined;
  readonly limits?: UpstreamLimits | undefined;
  readonly network?: NetworkSettings;
}

/** @throws {TypeError} when the base address is not an http or https address. */
export function createCompatible(settings: CompatibleSettings): Upstream {
  const { id, baseUrl, formats, apiKey, askUsage = true, cache, network, limits } = settings;
  const alsoAsMessages = new Set<Endpoint>(['/messages', '/messages/count_tokens']);
  if (formats.includes('messages')) alsoAsMessages.add('/models');
  const upstream = createHttpUpstream({
    id,
    baseAddress: baseUrl,
    credentials: ({ endpoint }) => credentials(apiKey, alsoAsMessages.has(endpoint)),
    ...(apiKey !== undefined && { apiKey }),
    ...(network !== undefined && { network }),
    limits,
  });
  const asking = askUsage ? new AskingUpstream(upstream) : upstream;
  return cache === 'auto' ? new MarkingUpstream(asking) : asking;
}

/** Servers of the messages format read the one header or the other. */
function credentials(apiKey: string | undefined, asMessages: boolean): IncomingHttpHeaders {
  if (apiKey === undefined) return {};
  return { authorization: `Bearer ${apiKey}`, ...(asMessages && { 'x-api-key': apiKey }) };
}
