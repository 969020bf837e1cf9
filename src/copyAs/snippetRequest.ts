import type { JsonObject } from '../formats/json.ts';
import { DEFAULT_VERSION, NEWEST_VERSION, refusedMember } from '../formats/messages/version.ts';

/** The path of a request below the base address. */
export type SnippetPath = '/chat/completions' | '/messages' | '/messages/count_tokens' | '/responses';

/** A request that can be written as a program. */
export interface SnippetRequest {
  /** With its prefix and without a trailing slash, such as `https://example.com/api/v1`. */
  readonly baseAddress: string;
  readonly path: SnippetPath;
  /** As sent over the wire. With `stream: true`, the program prints the answer as it arrives. */
  readonly body: JsonObject;
  /** The headers of a recorded request. Only those that affect the answer are used, never a credential. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The environment variable from which each program reads the key. A key is never written into a program. */
export const KEY_VARIABLE = 'MODEL_ACCESS_API_KEY';

/** Headers that enable features beyond the format's usual version, such as `anthropic-beta`. */
function lastingHeaders({ headers = {} }: SnippetRequest): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter(([name]) => /-beta$/i.test(name));
}

/** All headers that a client without an SDK must send, except the key. */
export function plainHeaders(request: SnippetRequest): readonly (readonly [string, string])[] {
  return [
    ['Content-Type', 'application/json'],
    ...(request.path.startsWith('/messages') ? [[VERSION_HEADER, versionOf(request)] as const] : []),
    ...lastingHeaders(request),
  ];
}

const VERSION_HEADER = 'anthropic-version';

function versionOf({ headers = {} }: SnippetRequest): string {
  return headers[VERSION_HEADER] ?? DEFAULT_VERSION;
}

/** The version of the request, if that of the SDKs' current major refuses its body. */
function earlierVersion(request: SnippetRequest): readonly (readonly [string, string])[] {
  const isRefused = request.path.startsWith('/messages') && refusedMember(request.body, NEWEST_VERSION) !== undefined;
  return isRefused ? [[VERSION_HEADER, versionOf(request)]] : [];
}

/**
 * The base address for the path's official SDK; `undefined` if the SDK cannot use the address, because the messages SDK
 * always appends `/v1`.
 */
export function sdkAddress({ baseAddress, path }: SnippetRequest): string | undefined {
  if (!path.startsWith('/messages')) return baseAddress;
  return baseAddress.endsWith('/v1') ? baseAddress.slice(0, -'/v1'.length) : undefined;
}

/** Options of an SDK's client, besides the address and the key. */
export interface SdkOptions {
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
}

export function sdkOptions(request: SnippetRequest): SdkOptions {
  const headers = Object.fromEntries([...earlierVersion(request), ...lastingHeaders(request)]);
  const timeoutSeconds = timeoutFor(request);
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  };
}

/** The messages SDKs refuse long answers without streaming unless a timeout is set. */
function timeoutFor({ path, body }: SnippetRequest): number | undefined {
  const isLong = path === '/messages' && body.stream !== true && Number(body.max_tokens) > 16_384;
  return isLong ? 3600 : undefined;
}
