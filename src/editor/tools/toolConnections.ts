import type * as vscode from 'vscode';
import { type ChangedFile, restoreFile } from './configurationFile.ts';

const STATE_KEY = 'modelAccess.tools';

/** A tool that was connected: its local key, and the file that was changed for it. */
export interface ToolConnection {
  readonly tool: string;
  /** The id of its local key. */
  readonly key: string;
  readonly file?: ChangedFile;
}

/** The tools that were connected on this machine, by the editor's memory. */
export class ToolConnections {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get all(): readonly ToolConnection[] {
    return this.#memory.get<readonly ToolConnection[]>(STATE_KEY, []);
  }

  find(tool: string): ToolConnection | undefined {
    return this.all.find((connection) => connection.tool === tool);
  }

  async add(connection: ToolConnection): Promise<void> {
    await this.#memory.update(STATE_KEY, [...this.#without(connection.tool), connection]);
  }

  /** Brings the tool's file back to what it was, as far as nobody else has changed it. */
  async restore({ tool, file }: ToolConnection): Promise<void> {
    if (file !== undefined) await restoreFile(file);
    await this.#memory.update(STATE_KEY, this.#without(tool));
  }

  #without(tool: string): readonly ToolConnection[] {
    return this.all.filter((connection) => connection.tool !== tool);
  }
}
