import { offerConnection } from '../connection/connectionCommands.ts';
import type { GatewayController } from './gatewayController.ts';
import type { GatewayUpstream } from './gatewayUpstream.ts';

/**
 * Starts the gateway for a command that needs it.
 * @returns its address, or `undefined` if the user canceled.
 */
export async function ensureRunning(
  gateway: GatewayController,
  upstream: GatewayUpstream,
): Promise<string | undefined> {
  if (gateway.state.state === 'running') return gateway.state.address;
  if (!(await upstream.isReady())) await offerConnection();
  if (!(await upstream.isReady())) return undefined;
  return (await gateway.start()).address;
}
