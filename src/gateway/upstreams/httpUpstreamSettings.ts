import type { IncomingHttpHeaders } from 'node:http';
import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { Endpoint } from '../core/upstream.ts';
import type { NetworkSettings } from './dispatcher.ts';

export interface HttpUpstreamSettings {
  /** The name used in `upstream/model`, in records, and in answers. */
  readonly id: string;
  /** Including the path prefix, such as `https://host/api/v1`. */
  readonly baseAddress: string;
  /** Masked if it occurs in an answer. Undefined for servers that require no key. */
  readonly apiKey?: string;
  readonly credentials: Credentials;
  readonly network?: NetworkSettings;
  readonly limits?: WaitingLimits | undefined;
  /** How fast its models write at most. Undefined if it is learned from its answers. */
  readonly maxTokensPerSecond?: number | undefined;
  /** Sent with each request, instead of headers of the caller with the same names. In lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Added to each address, instead of parameters of the caller with the same names. */
  readonly query?: Readonly<Record<string, string>> | undefined;
  /** Whether responses are requested over WebSocket connections, which only some servers have. */
  readonly webSocket?: boolean | undefined;
  /** What happens to secrets in requests. Undefined if the key or the gateway decides. */
  readonly secretPolicy?: SecretPolicy | undefined;
  /** Further texts that are masked like the key. */
  readonly maskedTexts?: readonly string[] | undefined;
}

/** The headers with the key, and those that some endpoints get instead. */
export interface Credentials {
  readonly usual: IncomingHttpHeaders;
  readonly byEndpoint?: Partial<Readonly<Record<Endpoint, IncomingHttpHeaders>>>;
}

/** How long to wait for a part of an answer, in seconds; 0 means no limit. */
export interface WaitingLimits {
  /** Until the headers. Default: 600, because clients wait that long for an answer that is not streamed. */
  readonly headersSeconds?: number | undefined;
  /** Between two bytes after the headers, whatever they contain. Default: 300. */
  readonly idleSeconds?: number | undefined;
}
