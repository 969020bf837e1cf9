import type { SecretPolicy } from '../../rules/secretPolicy.ts';
import type { Upstream } from '../core/upstream.ts';
import type { NetworkSettings } from './dispatcher.ts';
import { createHttpUpstream } from './httpUpstream.ts';
import { AskingUsage } from './includeUsage/askingUsage.ts';
import { RefusalMemory } from './repairs/refusalMemory.ts';
import { RepairingUpstream } from './repairs/repairingUpstream.ts';

export interface HostedSettings {
  /** Including the path prefix, such as `https://host/api/v1`. */
  readonly baseAddress: string;
  readonly serviceKey: string;
  /** False if its chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
  /** What happens to secrets in requests. Undefined if the key or the gateway decides. */
  readonly secretPolicy?: SecretPolicy | undefined;
  readonly network?: NetworkSettings;
  /** How fast its models write at most, in tokens per second. Undefined if it is learned from its answers. */
  readonly maxTokensPerSecond?: number | undefined;
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
