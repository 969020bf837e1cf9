import type * as vscode from 'vscode';

const KEY = 'modelAccess.agent.tools';

/** The tools of other extensions that the user has chosen for the agent in this workspace, by name. */
export class ChosenTools {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  get names(): readonly string[] {
    return this.#memory.get<readonly string[]>(KEY, []);
  }

  async choose(names: readonly string[]): Promise<void> {
    await this.#memory.update(KEY, names);
  }
}
