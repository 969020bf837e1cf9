import type * as vscode from 'vscode';
import { median } from '../../chat/median.ts';
import type { AnswerTurn } from '../../pages/chat/protocol.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { priceOf } from '../../tokens/price.ts';

/** The number of runs remembered for each model, and the number that a forecast needs. */
const REMEMBERED_RUNS = 5;
const RUNS_FOR_FORECAST = 2;

const STATE_KEY = 'modelAccess.finishedRuns';

/** What a finished run has cost, in US dollars, and how much of that depends on what it began with. */
interface FinishedRun {
  readonly cost: number;
  readonly steps: number;
  /** The input of its first step, which all other steps carried, too. */
  readonly inputTokens: number;
  /** The share of the other steps' input that was read from a cache, from 0 to 1. */
  readonly cachedShare: number;
}

/** What the last finished runs of the agent have cost. */
export class RunCosts {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /**
   * What a run costs whose first step has this many input tokens, such as those of attachments: the median of the model's
   * last runs, as if each had begun with them. Undefined until there are enough runs.
   */
  typicalFor(model: Model, inputTokens: number): number | undefined {
    const runs = this.#runs()[model.id] ?? [];
    return runs.length < RUNS_FOR_FORECAST ? undefined : median(runs.map((run) => costFrom(run, inputTokens, model)));
  }

  /** Remembers a run, unless the input of its first step is not known. */
  async learn(modelId: string, cost: number, steps: readonly AnswerTurn[]): Promise<void> {
    const [first, ...others] = steps.map(({ figures }) => figures);
    if (first?.inputTokens === undefined) return;
    const sum = (of: 'inputTokens' | 'cachedTokens') =>
      others.reduce((total, figures) => total + (figures?.[of] ?? 0), 0);
    const cachedShare = sum('cachedTokens') / Math.max(1, sum('inputTokens'));
    const run: FinishedRun = { cost, steps: steps.length, inputTokens: first.inputTokens, cachedShare };
    const runs = this.#runs();
    await this.#memory.update(STATE_KEY, {
      ...runs,
      [modelId]: [...(runs[modelId] ?? []), run].slice(-REMEMBERED_RUNS),
    });
  }

  #runs(): Readonly<Record<string, readonly FinishedRun[]>> {
    return this.#memory.get(STATE_KEY, {});
  }
}

/** Each step carries what the first one had more or less. */
function costFrom({ cost, steps, inputTokens, cachedShare }: FinishedRun, begun: number, model: Model): number {
  const more = (share: number) => inputPrice(begun, share, model) - inputPrice(inputTokens, share, model);
  return cost + more(0) + (steps - 1) * more(cachedShare);
}

/** 0 if no price is known. */
function inputPrice(inputTokens: number, cachedShare: number, model: Model): number {
  return (
    priceOf({ inputTokens, outputTokens: 0, cachedInputTokens: Math.round(inputTokens * cachedShare) }, model) ?? 0
  );
}
