import type { Settings } from '../settings/settings.ts';
import type { GatewayController } from './gatewayController.ts';

/** The gateway's preferred port, shown in addresses before it has started. */
const DEFAULT_PORT = 8787;

/**
 * The gateway's address, or the expected one while it is off. With port 0, the actual port is unknown until it starts.
 */
export function expectedAddress({ state }: GatewayController, { gatewayPort }: Settings): string {
  if (state.state === 'running') return state.address;
  return `http://127.0.0.1:${gatewayPort === 0 ? DEFAULT_PORT : gatewayPort}/api/v1`;
}
