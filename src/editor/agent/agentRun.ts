import { WINDOW_CLOSES } from '../../agent/tools/tool.ts';
import { type Entry, isSummary } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import { defined } from '../../formats/json.ts';
import type { RunMessage } from '../../pages/chat/panelMessages.ts';
import type { RunState, RunView, SandboxSwitch } from '../../pages/chat/protocol.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { CommandOwner } from './commandProcesses.ts';
import { type RunParts, runParts } from './runParts.ts';
import type { RunServices } from './runServices.ts';
import { ActsElsewhereError } from './runsElsewhere.ts';

/** The rounds that "Continue Anyway" allows after a loop. */
const ALLOWED_ROUNDS = 3;

/** How often other windows are notified that the run is in progress, in milliseconds. */
const TOUCH_MS = 1000;

/** Answers one question in steps: a request to the model, then what its tools do, until it calls no more tools. */
export class AgentRun {
  readonly id: string;
  readonly conversation: LiveConversation;
  readonly checkpoint: Checkpoint;
  readonly #services: RunServices;
  readonly #onDidChange: () => void;
  readonly #parts: RunParts;
  /** Ends all work in progress: the steps, and the calls that were allowed after all. */
  #stop = new AbortController();
  /** Whether it takes steps. */
  #isWorking = false;
  #running: Promise<void> = Promise.resolve();
  #isInterrupted = false;
  #startedAt = 0;
  #changes = { files: 0, added: 0, removed: 0 };

  constructor(id: string, conversation: LiveConversation, services: RunServices, onDidChange: () => void) {
    this.id = id;
    this.conversation = conversation;
    this.#services = services;
    this.#onDidChange = onDidChange;
    this.checkpoint = services.checkpointOf(conversation.id, id);
    this.#parts = runParts({
      ...{ id, conversation, services, onDidChange },
      checkpoint: this.checkpoint,
      owner: this.#owner,
      onDidChangeFiles: () => this.countChanges(),
    });
  }

  #endOfWork(): void {
    this.#services.claims.release(this);
    this.#services.commands.endOf(this.#owner);
  }

  get #owner(): CommandOwner {
    return { chat: this.conversation.id, run: this.id };
  }

  /** Whether it works or waits for a decision. */
  get isBusy(): boolean {
    return this.#isWorking || this.#parts.allowed.areRunning;
  }

  get view(): RunView {
    const { properties, steps, spent, replaced, limits, summaryModel } = this.#parts.records;
    const { plan = [], loop, sandbox, activeMs = 0 } = properties;
    const { question } = this.#parts.decisions;
    const { warning } = this.#parts.calls;
    return {
      id: this.id,
      state: this.#state,
      step: steps.length,
      ...limits,
      summaryModel,
      startedAt: this.isBusy ? this.#startedAt : this.conversation.value.timeOf(this.id),
      activeMs,
      plan,
      changes: this.#changes,
      commands: this.#services.commands.viewOf(this.conversation.id),
      ...defined({ spent, replaced, question, warning, next: this.#parts.requests.next }),
      ...defined({ loop: loop ?? undefined, sandbox: sandbox ?? undefined }),
    };
  }

  /**
   * Works until the model calls no more tools, the user stops it, or a limit or a loop does.
   * @param entries the conversation to answer; the run continues after the last entry.
   * @param release ends what the user's limits have reserved for the first request.
   */
  go(entries: readonly Entry[], release: () => void): Promise<void> {
    this.#parts.requests.release();
    this.#parts.requests.release = release;
    return this.#begin(() => this.#work(entries));
  }

  /**
   * Goes on after an interruption, a stop, or a loop.
   * @param check throws if the run may not go on. It can be stopped meanwhile.
   */
  goOn(check?: () => Promise<void>): Promise<void> {
    return this.#begin(async (stop) => {
      await check?.();
      if (!stop.aborted) await this.#work(this.#rest());
    });
  }

  /** Resolves when it has ended, with or without an error. */
  get ended(): Promise<unknown> {
    return Promise.allSettled([this.#running, this.#parts.allowed.ended]);
  }

  /**
   * It counts as busy from here on, whatever is awaited before its first step. Whoever calls this has seen in the same
   * turn that it is not.
   */
  #begin(work: (stop: AbortSignal) => Promise<void>): Promise<void> {
    const stop = this.#beginning();
    this.#isWorking = true;
    this.#running = this.#run(work, stop);
    this.#onDidChange();
    return this.#running;
  }

  async #run(work: (stop: AbortSignal) => Promise<void>, stop: AbortSignal): Promise<void> {
    try {
      await work(stop);
      // Something may have been added after the last step, while its end was recorded.
      while (this.#goesOn(stop)) await this.#work(this.#rest());
    } finally {
      this.#isWorking = false;
      this.#parts.requests.release();
      this.#putBack();
      if (!this.isBusy) this.#endOfWork();
      this.#onDidChange();
    }
  }

  #goesOn({ aborted }: AbortSignal): boolean {
    if (aborted) return false;
    return (
      this.#parts.added.hasReports || (this.#parts.added.hasMessages && this.#parts.records.properties.state === 'done')
    );
  }

  /** Puts messages that no step follows back into the composer. After a loop, the next message continues the run. */
  #putBack(): void {
    if (this.#parts.added.hasMessages) this.#services.putBack(this.#parts.added.takeMessages());
  }

  /** Returns the signal for what begins now. A stop ends everything that is in progress at that time. */
  #beginning(): AbortSignal {
    if (!this.isBusy) {
      this.#stop = new AbortController();
      this.#isInterrupted = false;
      this.#startedAt = Date.now();
    }
    return this.#stop.signal;
  }

  /** Takes steps, and records that it does, and how it has ended. */
  async #work(entries: readonly Entry[]): Promise<void> {
    this.#parts.records.note({ state: 'running', loop: null, sandbox: null });
    const touching = setInterval(() => this.conversation.touch(), TOUCH_MS);
    try {
      await this.#claim();
      const end = await this.#parts.steps.take(entries, this.#stop.signal);
      this.#parts.records.note({ ...(this.#isInterrupted ? {} : end), activeMs: this.#activeMs });
      if (end.state === 'done') await this.#learnCost();
    } catch (error) {
      // The end of a run that continues in another window would count as the end there.
      if (!(error instanceof ActsElsewhereError && error.run === this.id)) {
        this.#parts.records.note({ state: 'stopped', activeMs: this.#activeMs });
      }
      throw error;
    } finally {
      clearInterval(touching);
    }
  }

  /** For the forecast of the next run. */
  async #learnCost(): Promise<void> {
    const { spent, steps } = this.#parts.records;
    const model = steps.at(-1)?.model;
    if (spent !== undefined && model !== undefined) await this.#services.runCosts.learn(model, spent, steps);
  }

  /** @throws {ActsElsewhereError} if another window began at the same moment, and its record comes first. */
  async #claim(): Promise<void> {
    const earlier = await this.#services.earlierClaim(this.conversation);
    if (earlier !== undefined) throw new ActsElsewhereError(earlier);
  }

  /** What it goes on with. Allows a loop to continue. */
  #rest(): readonly Entry[] {
    const { loop } = this.#parts.records.properties;
    if (loop !== undefined && loop !== null) this.#parts.loops.allow(ALLOWED_ROUNDS);
    return this.#parts.records.rest();
  }

  stop(): void {
    this.#stop.abort();
    this.#services.answers.stop();
  }

  /** Stops if its last step was answered by the other side: with the next one, money becomes sample money or samples cost money. */
  switchSandbox(to: SandboxSwitch): void {
    if (!this.isBusy || (this.#parts.records.steps.at(-1)?.sandbox === true) === (to === 'on')) return;
    this.#parts.records.note({ sandbox: to });
    this.stop();
  }

  /** Stops because the window closes. The run counts as interrupted, and continues when the user resumes it. */
  interrupt(): void {
    this.#isInterrupted = true;
    this.#stop.abort(WINDOW_CLOSES);
    this.stop();
  }

  /** Sends a message with the next step. */
  addMessage(text: string): void {
    if (this.#parts.added.addMessage(text)) this.#parts.loops.reset();
  }

  async receive(message: RunMessage): Promise<void> {
    switch (message.type) {
      case 'decide':
        return this.#parts.decisions.answerCall(message.question, message.choice);
      case 'answerForm':
        return this.#parts.decisions.answerCall(message.question, message.text);
      case 'raiseCap':
        return this.#parts.decisions.answerCap(message.by);
      case 'setLimits': {
        const { type: _, ...limits } = message;
        return this.#parts.records.setLimits(limits);
      }
      case 'setSummaryModel':
        return this.#parts.records.note({ summaryModel: message.model });
      case 'editSummary':
        return this.#editSummary(message.turnId, message.text);
      case 'setPlan':
        return this.#parts.records.note({ plan: message.plan });
      case 'cancelCommand':
        this.#parts.helpers.cancelCall(message.callId);
        return this.#parts.calls.cancel(message.callId);
      case 'stopHelper':
        return this.#parts.helpers.stop(message.helperId);
    }
  }

  /** Counts the changes again: the user may have edited, accepted, or discarded some. */
  async countChanges(): Promise<void> {
    this.#changes = await this.checkpoint.view();
    this.#onDidChange();
  }

  get #state(): RunState {
    if (this.isBusy) return this.#parts.decisions.question === undefined ? 'running' : 'waiting';
    // A copy of a chat has the steps of a run, but not how it ended.
    const { properties, isAnswered } = this.#parts.records;
    const { state = isAnswered ? 'done' : 'stopped' } = properties;
    return state === 'running' ? 'interrupted' : state;
  }

  get #activeMs(): number {
    return (this.#parts.records.properties.activeMs ?? 0) + (Date.now() - this.#startedAt);
  }

  /** The next step is sent with the changed text, which is read from the conversation. */
  #editSummary(id: string, written: string): void {
    const text = written.trim();
    if (text === '' || !isSummary(this.conversation.value.answer(id))) return;
    this.conversation.record({ type: 'edited', id, text });
    this.#services.postTurn(this.conversation, id);
  }

  /**
   * Runs a call that was denied, once however often the user allows it, and reports it to the model with the next step,
   * which follows immediately if the run has ended.
   * @param check throws if the run may not go on. It is called if no step is in progress.
   */
  async allowOnce(callId: string, check: () => Promise<void>): Promise<void> {
    const denied = this.#parts.allowed.find(callId);
    if (denied === undefined) return;
    const { isBusy } = this;
    const stop = this.#beginning();
    let goesOn = false;
    try {
      await this.#parts.allowed.run(denied, async () => (isBusy ? undefined : check()), stop);
      goesOn = this.#goesOn(stop);
    } finally {
      if (!this.isBusy && !goesOn) {
        this.#putBack();
        this.#endOfWork();
      }
    }
    if (!this.isBusy && goesOn) await this.goOn();
  }
}
