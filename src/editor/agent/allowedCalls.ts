import type { AddedTexts } from '../../agent/addedTexts.ts';
import type { Loops } from '../../agent/loops.ts';
import { defined } from '../../formats/json.ts';
import type { CallRunner } from './callRunner.ts';
import { type DeniedCall, deniedCall, type RunRecords } from './runRecords.ts';
import type { RunSteps } from './runSteps.ts';

export interface AllowedCallsOptions {
  readonly records: RunRecords;
  readonly calls: CallRunner;
  readonly steps: RunSteps;
  readonly loops: Loops;
  readonly added: AddedTexts;
  readonly onDidChange: () => void;
  readonly onDidChangeFiles: () => Promise<void>;
}

/** The denied calls of a run that the user has allowed after all. Each runs once, and is reported with the next step. */
export class AllowedCalls {
  readonly #options: AllowedCallsOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: AllowedCallsOptions) {
    this.#options = options;
  }

  get areRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Resolves when those in progress have ended, with or without an error. */
  get ended(): Promise<unknown> {
    return Promise.allSettled(this.#running.values());
  }

  /** The denied call with this ID, unless it is in progress. */
  find(callId: string): DeniedCall | undefined {
    return this.#running.has(callId) ? undefined : deniedCall(this.#options.records.steps, callId);
  }

  /**
   * Runs a call that {@link find} has returned in the same turn.
   * @param check throws if the call may not run.
   */
  async run(denied: DeniedCall, check: () => Promise<void>, stop: AbortSignal): Promise<void> {
    const { id } = denied.call;
    const running = Promise.resolve()
      .then(check)
      .then(() => this.#run(denied, stop));
    this.#running.set(id, running);
    this.#options.onDidChange();
    try {
      await running;
    } finally {
      this.#running.delete(id);
      this.#options.onDidChange();
    }
  }

  async #run({ stepId, call }: DeniedCall, stop: AbortSignal): Promise<void> {
    const { calls, steps, added, loops, onDidChangeFiles } = this.#options;
    const done = await calls.runAllowed(call, stop, steps.sinkOf(stepId));
    if (done === undefined) return;
    // The model has read that it was denied, and a changed result would cost the cache of everything after it.
    steps.record(stepId, { ...done.call, ...defined({ result: call.result, isError: call.isError }) });
    await onDidChangeFiles();
    const result = done.call.result ?? '';
    added.addReport(`I have allowed this after all: ${call.name} ${call.arguments}\nIts result:\n${result}`);
    loops.reset();
  }
}
