import type { Upstream } from '../core/upstream.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { createHttpUpstream } from './httpUpstream.ts';
import { AskingUpstream } from './includeUsage/askingUpstream.ts';

export interface HostedSettings {
  /** With the prefix, such as `https://host/api/v1`. */
  readonly baseAddress: string;
  readonly serviceKey: string;
  readonly network?: NetworkSettings;
}

/**
 * The hosted service, which takes its key as a bearer token on every endpoint.
 * @throws {TypeError} when the base address is not an http or https address.
 */
export function createHosted({ serviceKey, ...settings }: HostedSettings): Upstream {
  const authorization = { authorization: `Bearer ${serviceKey}` };
  const upstream = createHttpUpstream({
    id: 'hosted',
    apiKey: serviceKey,
    credentials: () => authorization,
    ...settings,
  });
  return new AskingUpstream(upstream);
}
