import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { GatewayController } from '../gateway/gatewayController.ts';
import type { LocalKeyStore } from '../gateway/localKeyStore.ts';
import type { Log } from '../log/log.ts';
import type { Settings } from '../settings/settings.ts';
import type { ToolConnections } from '../tools/toolConnections.ts';
import { terminalKey } from './terminalKey.ts';
import { codexFolder, gatewayVariables } from './variables.ts';

export interface TerminalServices {
  readonly gateway: GatewayController;
  readonly localKeys: LocalKeyStore;
  readonly settings: Settings;
  readonly toolConnections: ToolConnections;
  readonly log: Log;
}

/**
 * Sets the gateway's address and a local key in new terminals while the gateway runs and the setting is on. A value is
 * written only when it changes, because the editor then marks open terminals as outdated.
 */
export class TerminalEnvironment implements vscode.Disposable {
  readonly #collection: vscode.EnvironmentVariableCollection;
  readonly #services: TerminalServices;
  readonly #subscriptions: vscode.Disposable[];
  #last: Promise<void> = Promise.resolve();

  constructor(collection: vscode.EnvironmentVariableCollection, services: TerminalServices) {
    const { gateway, localKeys, settings, toolConnections } = services;
    this.#collection = collection;
    this.#services = services;
    // A persistent collection would be stored in a file of the workspace, with the key. It is set again once the
    // gateway runs.
    collection.persistent = false;
    const follow = () => this.#follow();
    this.#subscriptions = [
      gateway.onDidChange(follow),
      localKeys.onDidChange(follow),
      toolConnections.onDidChange(follow),
      settings.onDidChange(['terminals.useGateway'], follow),
    ];
    follow();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Updates run one at a time, so that the latest state is applied last. */
  #follow(): void {
    this.#last = this.#last.then(async () => {
      try {
        await this.#update();
      } catch (error) {
        this.#services.log.error('Could not update the variables of terminals', error);
      }
    });
  }

  async #update(): Promise<void> {
    const { gateway, localKeys, settings } = this.#services;
    // The current values stay until the start has succeeded or failed.
    if (gateway.state.state === 'starting') return;
    if (!settings.terminalsUseGateway || gateway.state.state !== 'running') {
      this.#remove();
      return;
    }
    const { secret } = await terminalKey(localKeys);
    const { state } = gateway;
    if (state.state === 'running') this.#write(state.address, secret);
  }

  #write(address: string, secret: string): void {
    const withOpenAi = !this.#hasUnconnectedCodex();
    this.#collection.description = new vscode.MarkdownString(descriptionOf(address, withOpenAi));
    const variables = gatewayVariables(address, secret, withOpenAi);
    for (const [name, value] of Object.entries(variables)) {
      if (this.#collection.get(name)?.value !== value) this.#collection.replace(name, value);
    }
    this.#collection.forEach((name) => {
      if (!(name in variables)) this.#collection.delete(name);
    });
  }

  /**
   * Codex would take the key from `OPENAI_API_KEY` and send it to its vendor. If connected, it has a key of its own.
   */
  #hasUnconnectedCodex(): boolean {
    const isConnected = this.#services.toolConnections.find('codex') !== undefined;
    return !isConnected && existsSync(codexFolder(homedir(), process.env));
  }

  #remove(): void {
    let isEmpty = true;
    this.#collection.forEach(() => {
      isEmpty = false;
    });
    if (!isEmpty) this.#collection.clear();
  }
}

function descriptionOf(address: string, withOpenAi: boolean): string {
  if (withOpenAi) {
    return l10n.t(
      'Claude Code, aider, and the official SDKs find the gateway at {0}, with the local key “Terminals”. Codex does not read these variables: use “Connect a Tool…”.',
      address,
    );
  }
  return l10n.t(
    'Claude Code and the Anthropic SDKs find the gateway at {0}, with the local key “Terminals”. The OPENAI variables are not set because Codex on this machine would send the key to its vendor. Connect Codex with “Connect a Tool…” to set them.',
    address,
  );
}
