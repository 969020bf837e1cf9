import { AddedTexts } from '../../agent/addedTexts.ts';
import { missingInstructions } from '../../agent/customizations/attachedInstructions.ts';
import { Decisions } from '../../agent/decisions.ts';
import { claimedText } from '../../agent/fileClaims.ts';
import { Loops } from '../../agent/loops.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import { defined } from '../../formats/json.ts';
import { CallRunner } from './callRunner.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { CommandOwner } from './commandProcesses.ts';
import { Helpers } from './helpers/helpers.ts';
import { type DeniedCall, deniedCall, RunRecords } from './runRecords.ts';
import type { RunServices } from './runServices.ts';
import { RunSteps, type RunStepsOptions } from './runSteps.ts';
import { StepRequests } from './stepRequests.ts';
import { toolboxOf } from './toolbox.ts';

export interface RunPartsOptions {
  /** The ID of the run. */
  readonly id: string;
  readonly conversation: LiveConversation;
  readonly services: RunServices;
  readonly checkpoint: Checkpoint;
  readonly owner: CommandOwner;
  readonly onDidChange: () => void;
  readonly onDidChangeFiles: () => Promise<void>;
}

/** What a run consists of. */
export interface RunParts {
  readonly records: RunRecords;
  readonly decisions: Decisions;
  readonly loops: Loops;
  readonly added: AddedTexts;
  readonly helpers: Helpers;
  readonly calls: CallRunner;
  readonly requests: StepRequests;
  readonly steps: RunSteps;
  readonly allowed: AllowedCalls;
}

/** Creates the parts of a run, which know of each other what they need. */
export function runParts(options: RunPartsOptions): RunParts {
  const { id, conversation, services, checkpoint, owner, onDidChange, onDidChangeFiles } = options;
  const decisions = new Decisions(onDidChange);
  const records = new RunRecords(id, conversation, services.settings, onDidChange);
  const setup = services.setupOf(conversation, id);
  const { instructions } = setup;
  const instructionsFor: RunStepsOptions['instructionsFor'] = (paths, entries) =>
    conversation.value.parameters.instructions === false ? [] : missingInstructions(setup.found, paths, entries);
  const postTurn = (step: string) => services.postTurn(conversation, step);
  const common = { records, services, decisions, instructions, onDidChange };
  const helpers = new Helpers({
    ...{ ...common, run: id, chat: conversation, checkpoint, instructionsFor, postTurn, onDidChangeFiles },
    toolbox: () => toolbox,
    most: () => services.settings.agentMaxHelpers,
  });
  const toolbox = toolboxOf(
    {
      checkpoint: () => checkpoint,
      isReviewedFirst: () =>
        services.settings.agentReviewsFirst || conversation.value.parameters.mode === 'reviewingAgent',
      commands: services.commands.of(owner),
      helpers: {
        models: services.models,
        model: services.chatModel,
        run: (asked, progress) => helpers.run(asked, progress),
      },
      setPlan: (plan) => records.note({ plan }),
    },
    setup,
  );
  const calls = new CallRunner({
    ...{ chatId: conversation.id, checkpoint, tools: toolbox.tools, approvals: services.approvals, decisions },
    // Until the run has ended.
    claim: (uris) => {
      const other = services.claims.claim(uris, { id, name: conversation.title });
      return other && claimedText(other);
    },
    countSecrets: (text) => services.countSecrets(text),
    keepImages: (images) => services.keepImages(images),
    onDidChange,
  });
  const requests = new StepRequests({ ...common, toolbox });
  const parts = { records, calls, loops: new Loops(), added: new AddedTexts(), onDidChangeFiles };
  const steps = new RunSteps({
    ...{ ...parts, requests, postTurn, instructionsFor },
    whenWritten: () => services.store.whenWritten(),
    onDidAdd: () => services.update(),
    countUses: (used) => services.uses.count(setup.agent === undefined ? used : [...used, setup.agent.path]),
  });
  const allowed = new AllowedCalls({ ...parts, steps, onDidChange });
  return { ...parts, decisions, helpers, requests, steps, allowed };
}

interface AllowedCallsOptions {
  readonly records: RunRecords;
  readonly calls: CallRunner;
  readonly steps: RunSteps;
  readonly loops: Loops;
  readonly added: AddedTexts;
  readonly onDidChange: () => void;
  readonly onDidChangeFiles: () => Promise<void>;
}

/** The denied calls of a run that the user has allowed after all. Each runs once, and is reported with the next step. */
class AllowedCalls {
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
