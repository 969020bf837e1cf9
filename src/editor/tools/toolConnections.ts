import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../tools/configurationFile.ts';
import type { ToolAccess } from '../../tools/tool.ts';
import type { Aliases } from '../../tools/toolAliases.ts';
import { WorkQueue } from '../workQueue.ts';

const STATE_KEY = 'modelAccess.tools';
const MAX_ATTEMPTS = 5;

/** A connected tool: its local key, and the file that was changed for it. */
export interface ToolConnection {
  readonly tool: string;
  /** The ID of its local key. */
  readonly key: string;
  readonly file?: ConfigurationChange;
  /** The data that the tool was given, except the secret. */
  readonly access?: Omit<ToolAccess, 'secret'>;
  /** The aliases that were added to `modelAccess.gateway.aliases` for it. */
  readonly aliases?: Aliases;
}

/** Whether the tool is configured for another address than the gateway's. */
export function isStale({ access }: ToolConnection, address: string): boolean {
  return access !== undefined && access.address !== address;
}

/** The tools connected on this machine, stored in the global state. */
export class ToolConnections implements vscode.Disposable {
  readonly #memory: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #queue = new WorkQueue();

  /** Fires in the window in which a tool was connected or disconnected. */
  readonly onDidChange = this.#changed.event;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get all(): readonly ToolConnection[] {
    return this.#memory.get<readonly ToolConnection[]>(STATE_KEY, []);
  }

  find(tool: string): ToolConnection | undefined {
    return this.all.find((connection) => connection.tool === tool);
  }

  /**
   * Connects, disconnects, or reconnects tools. Each of these reads which tools are connected, writes files, and stores
   * the connections, so there is one at a time.
   */
  change<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  async add(connection: ToolConnection): Promise<void> {
    await this.#store([...this.#without(connection.tool), connection]);
  }

  /** Restores the tool's file, except for changes that others have made. */
  async restore({ tool, file }: ToolConnection): Promise<void> {
    if (file !== undefined) await (await import('../../tools/configurationFile.ts')).restoreFile(file);
    await this.#store(this.#without(tool));
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /**
   * The editor replies to each update with the whole state at that time. If another part of the extension stores
   * something at the same moment, that reply can revert this update. So the value is checked, and stored again if
   * needed.
   */
  async #store(connections: readonly ToolConnection[]): Promise<void> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      await this.#memory.update(STATE_KEY, connections);
      if (JSON.stringify(this.all) === JSON.stringify(connections)) {
        this.#changed.fire();
        return;
      }
    }
    throw new Error(l10n.t('The editor could not store which tools are connected.'));
  }

  #without(tool: string): readonly ToolConnection[] {
    return this.all.filter((connection) => connection.tool !== tool);
  }
}
