import type { Upstream } from '../core/upstream.ts';
import { createHttpUpstream } from './httpUpstream.ts';
import type { HttpUpstreamSettings } from './httpUpstreamSettings.ts';
import { AskingUsage } from './includeUsage/askingUsage.ts';
import { RefusalMemory } from './repairs/refusalMemory.ts';
import { RepairingUpstream } from './repairs/repairingUpstream.ts';

export interface HostedSettings
  extends Pick<HttpUpstreamSettings, 'baseAddress' | 'maxTokensPerSecond' | 'network' | 'secretPolicy'> {
  readonly serviceKey: string;
  /** False if its chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
}

/**
 * The hosted service, which accepts its key as a bearer token on all endpoints.
 * @throws {TypeError} if the base address is not an HTTP or HTTPS address.
 */
export function createHosted(hosted: HostedSettings, refusals = new RefusalMemory()): Upstream {
  const { serviceKey, askUsage = true, ...settings } = hosted;
  const upstream = createHttpUpstream({
    id: 'hosted',
    apiKey: serviceKey,
    credentials: { usual: { authorization: `Bearer ${serviceKey}` } },
    ...settings,
  });
  const { baseAddress } = settings;
  const known = refusals.ofUpstream('hosted', { baseAddress });
  return new RepairingUpstream(upstream, askUsage ? [new AskingUsage()] : [], known);
}
