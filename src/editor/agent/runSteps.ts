import { randomUUID } from 'node:crypto';
import type { AddedTexts } from '../../agent/addedTexts.ts';
import type { Loops } from '../../agent/loops.ts';
import { openCalls } from '../../agent/runHistory.ts';
import { type Entry, isStep } from '../../chat/conversation/entry.ts';
import type { RunProperties } from '../../chat/conversation/record.ts';
import { defined } from '../../formats/json.ts';
import type { LoopView, ToolCallView } from '../../pages/chat/protocol.ts';
import type { CallRunner, CallSink } from './callRunner.ts';
import type { RunRecords } from './runRecords.ts';
import type { StepRequests } from './stepRequests.ts';

export interface RunStepsOptions {
  readonly records: RunRecords;
  readonly requests: StepRequests;
  readonly calls: CallRunner;
  readonly loops: Loops;
  readonly added: AddedTexts;
  /** Resolves when what is written so far is in the file. */
  readonly whenWritten: () => Promise<void>;
  /** Shows a changed step. */
  readonly postTurn: (id: string) => void;
  /** Called when calls may have changed files. */
  readonly onDidChangeFiles: () => Promise<void>;
  /** Called when texts were added to the conversation. */
  readonly onDidAdd: () => void;
}

/** The steps of a run: a request to the model, then what its calls do, until it calls no more tools. */
export class RunSteps {
  readonly #options: RunStepsOptions;

  constructor(options: RunStepsOptions) {
    this.#options = options;
  }

  /** Takes steps after these entries. Returns how that has ended. */
  async take(initial: readonly Entry[], stop: AbortSignal): Promise<RunProperties> {
    const { added, requests, records } = this.#options;
    let entries = initial;
    for (;;) {
      const step = entries.at(-1);
      const loop = await this.#act(step, stop);
      if (loop !== undefined) return { state: 'stopped', loop };
      if (stop.aborted) return { state: 'stopped' };
      if (isReport(step) && added.isEmpty) return { state: 'done' };
      entries = this.#withAdded(entries);
      const answer = await requests.send(entries, stop);
      if (answer === undefined || answer.status === 'failed' || answer.status === 'stopped') {
        return { state: 'stopped' };
      }
      entries = records.conversation.value.entries;
      // Another window has continued the chat elsewhere.
      if (entries.at(-1)?.id !== answer.id) return { state: 'stopped' };
    }
  }

  /** Keeps the state of a call. */
  record(id: string, call: ToolCallView): void {
    this.#options.records.conversation.record({ type: 'toolCall', id, call });
    this.#options.postTurn(id);
  }

  sinkOf(id: string): CallSink {
    return {
      show: (call) => {
        this.#options.records.conversation.apply({ type: 'toolCall', id, call });
        this.#options.postTurn(id);
      },
      keep: async (call) => {
        this.record(id, call);
        await this.#options.whenWritten();
      },
    };
  }

  /** Executes the calls of the step. Returns the loop that they complete. */
  async #act(step: Entry | undefined, stop: AbortSignal): Promise<LoopView | undefined> {
    if (!isStep(step)) return undefined;
    const { records, calls, loops, onDidChangeFiles } = this.#options;
    const number = records.steps.findIndex(({ id }) => id === step.id) + 1;
    for (const call of openCalls(step)) {
      const done = await calls.run(call, stop, this.sinkOf(step.id));
      if (done === undefined) return undefined;
      this.record(step.id, done.call);
      if (done.edit !== undefined || done.changesFiles) await onDidChangeFiles();
      const loop = loops.record({
        step: number,
        call: `${call.name} ${call.arguments}`,
        object: done.call.action?.object ?? call.name,
        result: done.call.result ?? '',
        ...defined({ cost: step.figures?.cost, edit: done.edit }),
      });
      if (loop !== undefined) return loop;
    }
    return undefined;
  }

  /** Adds what is sent with the next step. */
  #withAdded(entries: readonly Entry[]): readonly Entry[] {
    const { added, records, onDidAdd } = this.#options;
    if (added.isEmpty) return entries;
    records.conversation.record({
      type: 'question',
      id: randomUUID(),
      at: Date.now(),
      parent: entries.at(-1)?.id ?? null,
      text: added.take(),
      attachments: [],
    });
    onDidAdd();
    return records.conversation.value.entries;
  }
}

/** Whether a step is the last one: it calls no tools, and is not a summary. */
function isReport(step: Entry | undefined): boolean {
  return isStep(step) && (step.toolCalls ?? []).length === 0 && step.isSummary !== true;
}
