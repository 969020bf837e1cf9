/** What the service and the upstreams of the gateway refuse, as far as it is known. */

import type { KnownRefusals } from '../../service/knownRefusals.ts';
import type { BaseServices } from '../baseServices.ts';
import type { GatewayController } from '../gateway/gatewayController.ts';

export interface RefusalServices extends Pick<BaseServices, 'connection' | 'log' | 'worker'> {
  readonly gateway: Pick<GatewayController, 'isRunning'>;
}

/** A refusal in the Models view. */
export interface ShownRefusal {
  /** Begins with who has learned it. */
  readonly id: string;
  readonly model: string;
  /** Undefined for the service, which the extension asks itself. */
  readonly upstream?: string;
  /** Empty if no change has helped. */
  readonly changes: readonly string[];
}

const OF_EXTENSION = 'extension:';
const OF_GATEWAY = 'gateway:';

export async function readRefusals(services: RefusalServices): Promise<readonly ShownRefusal[]> {
  const { open } = services.connection;
  return [...(open === undefined ? [] : ownRefusals(open.client.refusals)), ...(await refusalsOfGateway(services))];
}

function ownRefusals(refusals: KnownRefusals): readonly ShownRefusal[] {
  return refusals.models.map((model) => ({ id: `${OF_EXTENSION}${model}`, model, changes: refusals.of(model).flat() }));
}

async function refusalsOfGateway({ gateway, worker, log }: RefusalServices): Promise<readonly ShownRefusal[]> {
  if (!gateway.isRunning) return [];
  try {
    const known = await worker.rpc.askTraffic({ kind: 'refusals' });
    return known.map((each) => ({ ...each, id: `${OF_GATEWAY}${each.id}` }));
  } catch (error) {
    log.warn('What the upstreams refuse could not be read', error);
    return [];
  }
}

/** Forgets a refusal, so that the next request is sent as it is written. */
export async function forgetRefusal({ connection, worker }: RefusalServices, id: string): Promise<void> {
  if (id.startsWith(OF_EXTENSION)) connection.open?.client.refusals.forget(id.slice(OF_EXTENSION.length));
  else await worker.rpc.askTraffic({ kind: 'forgetRefusals', ids: [id.slice(OF_GATEWAY.length)] });
}
