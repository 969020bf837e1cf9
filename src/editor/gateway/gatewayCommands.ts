import * as vscode from 'vscode';
import type { CommandTable } from '../commands/commands.ts';
import { offerConnection } from '../connection/connectionCommands.ts';
import type { GatewayController } from './gatewayController.ts';
import { placeOf } from './gatewayStatusBar.ts';
import type { GatewayUpstream } from './gatewayUpstream.ts';

export function gatewayCommands(gateway: GatewayController, upstream: GatewayUpstream): CommandTable {
  return {
    'modelAccess.startGateway': { run: () => start(gateway, upstream) },
    'modelAccess.stopGateway': { run: () => gateway.stop() },
    'modelAccess.copyGatewayAddress': { run: () => copyAddress(gateway) },
    'modelAccess.showGatewayMenu': { run: () => showMenu(gateway) },
  };
}

const COPY_ADDRESS = 'Copy Address';
const COPY_KEY = 'Copy Local Key';

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
  const message = `The gateway runs at ${state.address}. Tools need this address and the local key.`;
  const choice = await vscode.window.showInformationMessage(message, COPY_ADDRESS, COPY_KEY);
  if (choice === COPY_ADDRESS) await vscode.commands.executeCommand('modelAccess.copyGatewayAddress');
  if (choice === COPY_KEY) await vscode.commands.executeCommand('modelAccess.copyGatewayKey');
}

/** @returns whether the gateway runs on another port now. */
async function offerOtherPort(gateway: GatewayController, port: number): Promise<boolean> {
  const other = 'Use Another Port';
  const message = `Port ${port} is in use by another program or another editor.`;
  if ((await vscode.window.showErrorMessage(message, other)) !== other) return false;
  await gateway.start(0);
  return true;
}

async function copyAddress(gateway: GatewayController): Promise<void> {
  if (gateway.state.state !== 'running') throw new Error('The gateway is off. Start it first.');
  await vscode.env.clipboard.writeText(gateway.state.address);
  vscode.window.setStatusBarMessage('Address copied', 3000);
}

interface MenuItem extends vscode.QuickPickItem {
  readonly command: string;
}

async function showMenu(gateway: GatewayController): Promise<void> {
  const items = gateway.isRunning ? RUNNING_ITEMS : STOPPED_ITEMS;
  const { state } = gateway;
  const placeHolder = state.state === 'running' ? `Running at ${placeOf(state)}` : 'The gateway is not running';
  const choice = await vscode.window.showQuickPick(items, { title: 'Gateway', placeHolder });
  if (choice !== undefined) await vscode.commands.executeCommand(choice.command);
}

const RUNNING_ITEMS: readonly MenuItem[] = [
  { label: '$(copy) Copy address', command: 'modelAccess.copyGatewayAddress' },
  { label: '$(key) Copy local key', command: 'modelAccess.copyGatewayKey' },
  { label: '$(list-unordered) Manage local keys…', command: 'modelAccess.manageLocalKeys' },
  { label: '$(debug-stop) Stop', command: 'modelAccess.stopGateway' },
];

const STOPPED_ITEMS: readonly MenuItem[] = [
  { label: '$(play) Start', command: 'modelAccess.startGateway' },
  { label: '$(list-unordered) Manage local keys…', command: 'modelAccess.manageLocalKeys' },
  { label: '$(output) Open log', command: 'modelAccess.openLog' },
];
