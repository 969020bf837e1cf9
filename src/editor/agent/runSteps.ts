import { randomUUID } from 'node:crypto';
import type { AddedTexts } from '../../agent/addedTexts.ts';
import type { Loops } from '../../agent/loops.ts';
import { openCalls } from '../../agent/runHistory.ts';
import { type Entry, isStep } from '../../chat/conversation/entry.ts';
import type { Attachment, RunProperties } from '../../chat/conversation/record.ts';
import { defined } from '../../formats/json.ts';
import type { ActionKind, LoopView, ToolCallView } from '../../pages/chat/protocol.ts';
import { usedBy } from './agentUses.ts';
import type { CallRunner, CallSink } from './callRunner.ts';
import type { RunRecords } from './runRecords.ts';
import type { StepRequests } from './stepRequests.ts';

/** The actions on one file. */
const TOUCHING: ReadonlySet<ActionKind> = new Set(['read', 'edit', 'create', 'rename', 'delete']);

export interface RunStepsOptions {
  readonly records: RunRecords;
  readonly requests: Pick<StepRequests, 'send'>;
  readonly calls: CallRunner;
  readonly loops: Loops;
  readonly added: AddedTexts;
  /** Counts a step, with what it has used. */
  readonly countUses: (used: readonly string[]) => Promise<void>;
  /** The instructions that apply to files, and that the model does not have yet. */
  readonly instructionsFor: (paths: readonly string[], entries: readonly Entry[]) => readonly Attachment[];
  /** Resolves when all records so far are in the file. */
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
    const { added, requests, records, countUses } = this.#options;
    let entries = initial;
    for (;;) {
      const step = entries.at(-1);
      const loop = await this.#act(step, stop);
      if (loop !== undefined) return { state: 'stopped', loop };
      if (stop.aborted) return { state: 'stopped' };
      if (isReport(step) && added.isEmpty) return { state: 'done' };
      entries = this.#withAdded(entries, step);
      const answer = await requests.send(entries, stop);
      if (answer === undefined || answer.status === 'failed' || answer.status === 'stopped') {
        return { state: 'stopped' };
      }
      const { value } = records.conversation;
      await countUses(entries.slice(-2).flatMap((entry) => usedBy(value.entry(entry.id) ?? entry)));
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
      stepId: id,
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

  /** Adds the texts that are sent with the next step. */
  #withAdded(entries: readonly Entry[], step: Entry | undefined): readonly Entry[] {
    const { added, records, instructionsFor, onDidAdd } = this.#options;
    const acted = step === undefined ? undefined : records.conversation.value.answer(step.id);
    const instructions = instructionsFor(touchedPaths(acted?.toolCalls ?? []), entries);
    if (added.isEmpty && instructions.length === 0) return entries;
    records.conversation.record({
      type: 'question',
      id: randomUUID(),
      at: Date.now(),
      parent: entries.at(-1)?.id ?? null,
      text: added.take(),
      attachments: instructions,
    });
    onDidAdd();
    return records.conversation.value.entries;
  }
}

/** The files that calls have read or changed, as the user sees their paths. */
function touchedPaths(calls: readonly ToolCallView[]): readonly string[] {
  return calls.flatMap(({ action }) => {
    if (action === undefined || action.state !== 'done' || !TOUCHING.has(action.kind)) return [];
    const [path = ''] = action.object
      .replace(/:\d+–\d*$/, '')
      .split(' → ')
      .slice(-1);
    return [path];
  });
}

/** Whether a step is the last one: it calls no tools, and is not a summary. */
function isReport(step: Entry | undefined): boolean {
  return isStep(step) && (step.toolCalls ?? []).length === 0 && step.isSummary !== true;
}
