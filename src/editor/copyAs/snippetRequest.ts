import type { JsonObject } from '../../formats/conversation.ts';

/** Where a request goes, below the base address. */
export type SnippetPath = '/chat/completions' | '/messages' | '/messages/count_tokens' | '/responses';

/** A request that can be written down as a program. */
export interface SnippetRequest {
  /** With its prefix and without a slash at its end, such as `https://example.com/api/v1`. */
  readonly baseAddress: string;
  readonly path: SnippetPath;
  /** As it goes over the wire; with `stream: true` the program shows the answer as it comes. */
  readonly body: JsonObject;
  /** Those of a recorded request. Only what changes the answer is taken over, never a credential. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The variable that each program reads the key from: no key is ever written into one. */
export const KEY_VARIABLE = 'MODEL_ACCESS_API_KEY';

/** The headers that switch on what is not in the format's usual version, such as `anthropic-beta`. */
function lastingHeaders({ headers = {} }: SnippetRequest): readonly (readonly [string, string])[] {
  return Object.entries(headers).filter(([name]) => /-beta$/i.test(name));
}

/** All that a client without an SDK must send beside the key. */
export function plainHeaders(request: SnippetRequest): readonly (readonly [string, string])[] {
  return [
    ['Content-Type', 'application/json'],
    ...(request.path.startsWith('/messages') ? [['anthropic-version', '2023-06-01'] as const] : []),
    ...lastingHeaders(request),
  ];
}

/**
 * What the official SDK of the path takes for its base address; `undefined` where it cannot be told to go there: the
 * messages SDK puts `/v1` behind it by itself.
 */
export function sdkAddress({ baseAddress, path }: SnippetRequest): string | undefined {
  if (!path.startsWith('/messages')) return baseAddress;
  return baseAddress.endsWith('/v1') ? baseAddress.slice(0, -'/v1'.length) : undefined;
}

/** What an SDK's client is told beside the address and the key. */
export interface SdkOptions {
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutSeconds?: number;
}

export function sdkOptions(request: SnippetRequest): SdkOptions {
  const headers = Object.fromEntries(lastingHeaders(request));
  const timeoutSeconds = patience(request);
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
  };
}

/** The messages SDKs refuse long answers in one piece, unless they are told how many seconds to wait. */
function patience({ path, body }: SnippetRequest): number | undefined {
  const isLong = path === '/messages' && body.stream !== true && Number(body.max_tokens) > 16_384;
  return isLong ? 3600 : undefined;
}
