import type * as vscode from 'vscode';
import { median } from '../../chat/median.ts';

/** The number of runs remembered for each model, and the number that a forecast needs. */
const REMEMBERED_RUNS = 5;
const RUNS_FOR_FORECAST = 2;

const STATE_KEY = 'modelAccess.runCosts';

/** What the last finished runs of the agent have cost, in US dollars. */
export class RunCosts {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The median of the model's last runs, once there are enough of them. */
  typicalFor(modelId: string): number | undefined {
    const costs = this.#costs()[modelId] ?? [];
    return costs.length < RUNS_FOR_FORECAST ? undefined : median(costs);
  }

  async learn(modelId: string, cost: number): Promise<void> {
    const costs = this.#costs();
    await this.#memory.update(STATE_KEY, {
      ...costs,
      [modelId]: [...(costs[modelId] ?? []), cost].slice(-REMEMBERED_RUNS),
    });
  }

  #costs(): Readonly<Record<string, readonly number[]>> {
    return this.#memory.get(STATE_KEY, {});
  }
}
