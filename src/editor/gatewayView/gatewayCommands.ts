import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { BaseServices } from '../baseServices.ts';
import type { CommandTable } from '../commands/commands.ts';
import { offerConnection } from '../connection/connectionCommands.ts';
import { copyText } from '../doneMessage.ts';
import { type GatewayController, portInUse } from '../gateway/gatewayController.ts';
import type { GatewayUpstream } from '../gateway/gatewayUpstream.ts';
import { subjectOf } from '../rows/row.ts';
import type { GatewayWorker } from '../worker/gatewayWorker.ts';
import { placeOf } from './gatewaySection.ts';

const ANNOUNCED_MS = 8000;

export type GatewayCommandServices = Pick<BaseServices, 'gateway' | 'upstream' | 'worker'>;

export function gatewayCommands({ gateway, upstream, worker }: GatewayCommandServices): CommandTable {
  return {
    'modelAccess.startGateway': { run: () => start(gateway, upstream) },
    'modelAccess.stopGateway': { run: () => gateway.stop() },
    'modelAccess.useAnotherPort': { run: () => gateway.start(0) },
    'modelAccess.copyGatewayAddress': { run: (row) => copyAddress(gateway, subjectOf(row)) },
    'modelAccess.cancelExchange': { run: (row) => cancelExchange(worker, subjectOf(row)) },
    'modelAccess.showGatewayMenu': { run: () => showMenu(gateway) },
  };
}

async function start(gateway: GatewayController, upstream: GatewayUpstream): Promise<void> {
  if (!(await upstream.isReady())) await offerConnection();
  if (!(await upstream.isReady())) return;
  try {
    await gateway.start();
  } catch (error) {
    const { state } = gateway;
    if (state.state !== 'failed' || state.portInUse === undefined) throw error;
    if (!(await offerOtherPort(gateway, state.portInUse))) return;
  }
  const { state } = gateway;
  if (state.state !== 'running') return;
  // A notification would cover the message being written. The status bar item beside it offers the address and a key.
  vscode.window.setStatusBarMessage(l10n.t('The gateway is running at {0}', state.address), ANNOUNCED_MS);
}

/** Returns whether the gateway now runs on another port. */
async function offerOtherPort(gateway: GatewayController, port: number): Promise<boolean> {
  const other = l10n.t('Use Another Port');
  if ((await vscode.window.showErrorMessage(portInUse(port), other)) !== other) return false;
  await gateway.start(0);
  return true;
}

/**
 * Copies an address of the gateway.
 * @param address The address of an endpoint. Defaults to the base address.
 */
async function copyAddress(gateway: GatewayController, address: string | undefined): Promise<void> {
  if (gateway.state.state !== 'running') throw new Error(l10n.t('The gateway is off. Start it first.'));
  await copyText(address ?? gateway.state.address, l10n.t('Address copied'));
}

/** Cancels an exchange. Does nothing without an ID, because the command exists only in the context menus of rows. */
async function cancelExchange(worker: GatewayWorker, id: string | undefined): Promise<void> {
  if (id !== undefined) await worker.rpc.askTraffic({ kind: 'cancel', id });
}

interface MenuItem extends vscode.QuickPickItem {
  readonly command: string;
}

async function showMenu(gateway: GatewayController): Promise<void> {
  const items = gateway.isRunning ? runningItems() : stoppedItems();
  const { state } = gateway;
  const placeHolder =
    state.state === 'running' ? l10n.t('Running at {0}', placeOf(state)) : l10n.t('The gateway is not running');
  const choice = await vscode.window.showQuickPick(items, { title: l10n.t('Gateway'), placeHolder });
  if (choice !== undefined) await vscode.commands.executeCommand(choice.command);
}

function runningItems(): MenuItem[] {
  return [
    { label: `$(copy) ${l10n.t('Copy address')}`, command: 'modelAccess.copyGatewayAddress' },
    { label: `$(key) ${l10n.t('Copy local key')}`, command: 'modelAccess.copyGatewayKey' },
    { label: `$(list-unordered) ${l10n.t('Manage local keys…')}`, command: 'modelAccess.manageLocalKeys' },
    { label: `$(type-hierarchy-sub) ${l10n.t('Manage routes…')}`, command: 'modelAccess.manageRoutes' },
    { label: `$(pulse) ${l10n.t('Open traffic')}`, command: 'modelAccess.openTraffic' },
    { label: `$(debug-stop) ${l10n.t('Stop')}`, command: 'modelAccess.stopGateway' },
  ];
}

function stoppedItems(): MenuItem[] {
  return [
    { label: `$(play) ${l10n.t('Start')}`, command: 'modelAccess.startGateway' },
    { label: `$(list-unordered) ${l10n.t('Manage local keys…')}`, command: 'modelAccess.manageLocalKeys' },
    { label: `$(output) ${l10n.t('Open log')}`, command: 'modelAccess.openLog' },
  ];
}
