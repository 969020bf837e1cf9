import type { Settings } from '../settings/settings.ts';
import type { GatewayController } from './gatewayController.ts';

/** The port that the gateway prefers, for an address before it has run. */
const DEFAULT_PORT = 8787;

/** Where the gateway runs, or will run. With port 0 nobody knows before it does. */
export function expectedAddress({ state }: GatewayController, { gatewayPort }: Settings): string {
  if (state.state === 'running') return state.address;
  return `http://127.0.0.1:${gatewayPort === 0 ? DEFAULT_PORT : gatewayPort}/api/v1`;
}
