import type { Upstream } from '../core/upstream.ts';
import { CallLimitUpstream } from './callLimit.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { createHttpUpstream } from './httpUpstream.ts';
import { AskingUpstream } from './includeUsage/askingUpstream.ts';

export interface HostedSettings {
  /** Including the path prefix, such as `https://host/api/v1`. */
  readonly baseAddress: string;
  readonly serviceKey: string;
  /** False if its chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
  readonly network?: NetworkSettings;
}

/**
 * The hosted service, which accepts its key as a bearer token on all endpoints.
 * @throws {TypeError} if the base address is not an HTTP or HTTPS address.
 */
export function createHosted({ serviceKey, askUsage = true, ...settings }: HostedSettings): Upstream {
  const authorization = { authorization: `Bearer ${serviceKey}` };
  const upstream = createHttpUpstream({
    id: 'hosted',
    apiKey: serviceKey,
    credentials: () => authorization,
    ...settings,
  });
  const limiting = new CallLimitUpstream(upstream);
  return askUsage ? new AskingUpstream(limiting) : limiting;
}
