import type { Upstream } from '../core/upstream.ts';
import { CallLimitUpstream } from './callLimit.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { createHttpUpstream } from './httpUpstream.ts';
import { askingForUsage } from './includeUsage/askingUpstream.ts';

export interface HostedSettings {
  /** Including the path prefix, such as `https://host/api/v1`. */
  readonly baseAddress: string;
  readonly serviceKey: string;
  /** False if its chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
  readonly network?: NetworkSettings;
  /** How fast its models write at most, in tokens per second. Undefined if it is learned from its answers. */
  readonly maxTokensPerSecond?: number | undefined;
}

/**
 * The hosted service, which accepts its key as a bearer token on all endpoints.
 * @throws {TypeError} if the base address is not an HTTP or HTTPS address.
 */
export function createHosted({ serviceKey, askUsage, ...settings }: HostedSettings): Upstream {
  const authorization = { authorization: `Bearer ${serviceKey}` };
  const upstream = createHttpUpstream({
    id: 'hosted',
    apiKey: serviceKey,
    credentials: () => authorization,
    ...settings,
  });
  return askingForUsage(new CallLimitUpstream(upstream), askUsage);
}
