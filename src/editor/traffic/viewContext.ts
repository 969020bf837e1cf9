import * as vscode from 'vscode';
import type { ViewContext } from './protocol.ts';
import type { TrafficServices } from './trafficServices.ts';

/** The context of the tab: the values to filter by, and the state of the gateway. */
export async function readViewContext(services: TrafficServices): Promise<ViewContext> {
  const { worker, ledger, localKeys, gateway, settings } = services;
  const [names, { keys }] = await Promise.all([
    worker.rpc.readLedger('exchangeNames', { ledger }).catch(() => ({ models: [], clients: [] })),
    localKeys.read(),
  ]);
  const { state } = gateway;
  return {
    ...names,
    keyNames: Object.fromEntries(keys.map(({ id, name }) => [id, name])),
    gateway: state.state,
    ...(state.state === 'running' && { address: state.address }),
    capturesBodies: settings.captureBodies,
    isTrusted: vscode.workspace.isTrusted,
  };
}
