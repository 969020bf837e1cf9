import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lastRun, runAtEnd } from '../../agent/runHistory.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import type { Entry } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import { titleOf } from '../../chat/conversation/title.ts';
import { toTurn } from '../../chat/panel/turns.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { ReviewPageMessage } from '../../pages/agentReview/reviewMessages.ts';
import type { RunMessage } from '../../pages/chat/panelMessages.ts';
import type { RunView } from '../../pages/chat/protocol.ts';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import type { Estimator } from '../chat/estimator.ts';
import type { ReviewTab } from '../chat/review/reviewTab.ts';
import type { RunCosts } from '../chat/runCosts.ts';
import type { Agent } from '../chat/runFollower.ts';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import { AgentRun } from './agentRun.ts';
import type { Approvals } from './approvals.ts';
import { Checkpoint } from './checkpoints.ts';
import { ChosenTools } from './chosenTools.ts';
import type { EnvironmentServices } from './commandEnvironment.ts';
import { CommandProcesses } from './commandProcesses.ts';
import { CommandTerminals } from './commandTerminals.ts';
import { NextRunRequest } from './nextStep.ts';
import { Restoring } from './restoring.ts';
import { type ReviewableRun, type ReviewedRun, RunReview } from './review/runReview.ts';
import type { RunServices } from './runServices.ts';
import { type RunSetup, runSetupOf } from './runSetup.ts';
import { ActsElsewhereError, RunsElsewhere } from './runsElsewhere.ts';
import { toolboxOf } from './toolbox.ts';

export interface AgentServices extends EnvironmentServices {
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly limits: LimitMonitor;
  readonly estimator: Estimator;
  readonly runCosts: RunCosts;
  readonly settings: Settings;
  readonly store: ConversationStore;
  readonly reviewTab: ReviewTab;
  /** Returns how many secrets a text contains that were replaced in a request. */
  readonly countSecrets: (text: string) => number;
  readonly approvals: Approvals;
  /** Workspace state: the run that is reviewed, and the tools that are chosen. */
  readonly memory: vscode.Memento;
}

/** The agent of the window's chat: the runs of the chats that were shown, of which one may be working. */
export class ChatAgent implements Agent, vscode.Disposable {
  readonly #session: ChatSession;
  readonly #services: AgentServices;
  readonly #onDidChange: (run: RunView | undefined) => void;
  readonly #terminals: CommandTerminals;
  readonly #commands: CommandProcesses;
  readonly #review: RunReview;
  readonly #runServices: RunServices;
  readonly #runs = new Map<string, AgentRun>();
  readonly #checkpoints = new Map<string, Checkpoint>();
  readonly #elsewhere: RunsElsewhere;
  readonly #restoring: Restoring;
  readonly #nextStep: NextRunRequest;
  readonly #subscription: vscode.Disposable;

  constructor(session: ChatSession, services: AgentServices, onDidChange: (run: RunView | undefined) => void) {
    this.#session = session;
    this.#services = services;
    this.#onDidChange = onDidChange;
    this.#terminals = new CommandTerminals(services);
    this.#commands = new CommandProcesses(this.#terminals, () => this.#onDidChange(this.view));
    this.#review = new RunReview(services.reviewTab, services.memory, {
      find: (place) => this.#reviewableRun(place),
      log: services.log,
    });
    this.#restoring = new Restoring(session, {
      runOf: (id) => this.#runOf(id, session.conversation),
      end: () => this.#endShown(),
      update: () => this.#onDidChange(this.view),
    });
    this.#nextStep = new NextRunRequest(session, services);
    this.#runServices = {
      answers: session.answers,
      approvals: services.approvals,
      commands: this.#commands,
      settings: services.settings,
      store: services.store,
      setupOf: (conversation) => this.#setupOf(conversation),
      checkpointOf: (conversationId, run) => this.#checkpointOf(conversationId, run),
      runCosts: services.runCosts,
      estimate: (step) => this.#nextStep.estimate(step),
      contextWindow: () => services.models.find(session.parameters.model)?.contextWindow,
      fitsStep: (model, inputTokens) => this.#nextStep.fits(model, inputTokens),
      countSecrets: (text) => services.countSecrets(text),
      reserve: (cost) => services.limits.reserve(cost),
      equip: (request, toolbox) => this.#nextStep.equip(request, toolbox),
      earlierClaim: (conversation) => this.#elsewhere.earlierClaim(conversation),
      postTurn: (conversation, id) => this.#postTurn(conversation, id),
      putBack: (text) => session.composition.putBack(text),
      update: () => session.update(),
    };
    this.#elsewhere = new RunsElsewhere(
      services.store,
      () => this.#onDidChange(this.view),
      (error) => services.log.error('Could not determine whether another window is working on the chat', error),
    );
    this.#subscription = vscode.workspace.onDidSaveTextDocument(() => void this.#shown?.countChanges());
  }

  get view(): RunView | undefined {
    const run = this.#shown;
    return run && this.#viewOf(run);
  }

  get isBusy(): boolean {
    return this.#shown?.isBusy === true;
  }

  async start(entries: readonly Entry[], release: () => void): Promise<void> {
    const { conversation } = this.#session;
    const id = runAtEnd(entries, (run) => conversation.value.runOf(run));
    if (id === undefined) return release();
    this.#restoring.forget();
    try {
      await this.#runOf(id, conversation).go(entries, release);
    } catch (error) {
      if (error instanceof ActsElsewhereError) this.#takeBack(entries.at(-1), conversation);
      throw error;
    }
  }

  async checkMayAct(): Promise<void> {
    if (!this.#session.runs.canAct) {
      throw new Error(l10n.t('The agent requires a trusted folder. Open one, or ask without the agent.'));
    }
    await this.#checkIsFree();
    const { model } = this.#session.parameters;
    if (this.#services.models.find(model)?.tools === false) {
      throw new Error(l10n.t('{0} cannot use tools. Choose another model, or ask without the agent.', model));
    }
  }

  async receive(message: RunMessage): Promise<void> {
    const run = this.#shown;
    switch (message.type) {
      case 'restoreRun':
        return this.#restoring.ask(message.runId);
      case 'cancelRestore':
        return this.#restoring.cancel();
      case 'confirmRestore':
        return this.#restoring.confirm(message);
      case 'showTerminal':
        return this.#terminals.show();
      case 'actOnCommand':
        return this.#commands.act(message.commandId, message.act);
      case 'reviewChanges':
        return run && this.#reviewChanges(run);
      case 'continueRun':
        // A question on its way begins a run of its own.
        return run === undefined || run.isBusy || this.#session.turns.isAsking
          ? undefined
          : run.goOn(() => this.checkMayAct());
      case 'allowOnce':
        return run?.allowOnce(message.callId, () => this.checkMayAct());
      case 'addMessage':
        return this.#addMessage(run, message.text);
      default:
        return run?.receive(message);
    }
  }

  /** The run may have ended while the message was on its way. */
  async #addMessage(run: AgentRun | undefined, text: string): Promise<void> {
    const { state, loop } = run?.view ?? {};
    if (run?.isBusy === true || loop !== undefined) return run?.addMessage(text);
    if (run === undefined || state !== 'done') return this.#session.composition.putBack(text);
    run.addMessage(text);
    await run.goOn(() => this.checkMayAct());
  }

  receiveReview(message: ReviewPageMessage): Promise<void> {
    return this.#review.receive(message);
  }

  show(): void {
    this.#restoring.forget();
    for (const run of this.#runs.values()) if (run.conversation !== this.#session.conversation) run.stop();
    const run = this.#shown;
    if (run === undefined) this.#onDidChange(undefined);
    else void run.countChanges();
    this.#elsewhere.follow(run?.isBusy === true ? undefined : this.#session.conversation);
  }

  stop(): void {
    this.#shown?.stop();
  }

  /** Adds what a run has that would begin now. */
  equip(request: ChatRequest): ChatRequest {
    const unused = () => {
      throw new Error('These tools are only described.');
    };
    const commands = this.#commands.of({ chat: '', run: '' });
    const described = { commands, checkpoint: unused, isReviewedFirst: unused, setPlan: unused };
    return this.#nextStep.equip(request, toolboxOf(described, this.#setupOf(this.#session.conversation)));
  }

  interrupt(): void {
    for (const run of this.#runs.values()) run.interrupt();
  }

  get ended(): Promise<unknown> {
    return Promise.all([...this.#runs.values()].map((run) => run.ended));
  }

  dispose(): void {
    this.interrupt();
    vscode.Disposable.from(
      this.#subscription,
      this.#elsewhere,
      this.#review,
      this.#commands,
      this.#terminals,
    ).dispose();
  }

  #setupOf({ value }: LiveConversation): RunSetup {
    const { settings, memory } = this.#services;
    return runSetupOf(this.#session.customizations.files, {
      agentName: value.parameters.agent,
      chosen: new ChosenTools(memory).names,
      maxToolTokens: settings.maxToolTokens,
    });
  }

  /** The last run of the chat shown. */
  get #shown(): AgentRun | undefined {
    const { conversation } = this.#session;
    const id = lastRun(conversation.value);
    const working = [...this.#runs.values()].find((run) => run.isBusy && run.conversation === conversation);
    return working ?? (id === undefined ? undefined : this.#runOf(id, conversation));
  }

  #runOf(id: string, conversation: LiveConversation): AgentRun {
    const known = this.#runs.get(id);
    if (known?.conversation === conversation) return known;
    const run = new AgentRun(id, conversation, this.#runServices, () => this.#changed(run));
    this.#runs.set(id, run);
    return run;
  }

  #changed(run: AgentRun): void {
    // The run may have been removed from the chat meanwhile.
    if (run.conversation === this.#session.conversation) this.#onDidChange(this.view);
  }

  #viewOf(run: AgentRun): RunView {
    const view = { ...run.view, ...defined({ restore: this.#restoring.view }) };
    return view.state === 'interrupted' && this.#elsewhere.has(run.conversation)
      ? { ...view, state: 'elsewhere' }
      : view;
  }

  /**
   * Ends the work on the chat shown.
   * @throws if another window works on it.
   */
  async #endShown(): Promise<void> {
    const working = this.#shown;
    if (working?.isBusy !== true) return this.#checkIsFree();
    working.stop();
    await working.ended;
  }

  /** @throws if another window works on the chat shown. */
  async #checkIsFree(): Promise<void> {
    if (await this.#elsewhere.isFree(this.#session.conversation)) return;
    throw new ActsElsewhereError();
  }

  /** Puts a question that another window did not let begin back into the composer. */
  #takeBack(question: Entry | undefined, conversation: LiveConversation): void {
    if (question?.role !== 'user') return;
    conversation.record({ type: 'removed', id: question.id });
    if (conversation !== this.#session.conversation) return;
    const { composition } = this.#session;
    composition.putBack(question.text);
    composition.attach(...question.attachments);
    this.#session.update();
  }

  #postTurn(conversation: LiveConversation, id: string): void {
    const answer = conversation.value.answer(id);
    if (answer === undefined) return;
    this.#session.panel.postFrom(conversation, { type: 'turnChanged', turn: toTurn(answer, conversation.value) });
  }

  #checkpointOf(conversationId: string, run: string): Checkpoint {
    const path = this.#services.store.checkpointPath(conversationId, run);
    const checkpoint = this.#checkpoints.get(path) ?? new Checkpoint(path);
    this.#checkpoints.set(path, checkpoint);
    return checkpoint;
  }

  /** The run may be of a chat that is not shown. */
  async #reviewableRun({ chat, run }: ReviewedRun): Promise<ReviewableRun | undefined> {
    const stored = await this.#services.store.read(chat);
    if (stored === undefined || stored.conversation.entry(run) === undefined) return undefined;
    return {
      checkpoint: this.#checkpointOf(chat, run),
      title: titleOf(stored.conversation),
      head: { startedAt: stored.conversation.timeOf(run) },
      decided: async () => this.#runs.get(run)?.countChanges(),
      planRestore: async () => {
        // The user may have opened another chat since.
        if (this.#session.conversation.id !== chat) await this.#session.open(chat);
        return this.#restoring.plan(run);
      },
      restore: async (choice) => {
        if (this.#session.conversation.id !== chat) await this.#session.open(chat);
        await this.#restoring.restore(run, choice);
      },
    };
  }

  async #reviewChanges({ id, conversation }: AgentRun): Promise<void> {
    await this.#services.store.whenWritten();
    await this.#review.show({ chat: conversation.id, run: id });
  }
}
