import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { lastRun, runAtEnd } from '../../agent/runHistory.ts';
import type { Conversation } from '../../chat/conversation/conversation.ts';
import type { Entry } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { toTurn } from '../../chat/panel/turns.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { RunMessage } from '../../pages/chat/panelMessages.ts';
import type { RunView, SandboxSwitch } from '../../pages/chat/protocol.ts';
import type { Chat } from '../chat/chat.ts';
import type { Agent } from '../chat/runFollower.ts';
import { AgentRun } from './agentRun.ts';
import type { AgentServices } from './agentServices.ts';
import { handOff, handoffsOf } from './handoffs.ts';
import { NextRunRequest } from './nextStep.ts';
import { Restoring } from './restoring.ts';
import type { RunServices } from './runServices.ts';
import { type RunSetup, runSetupOf } from './runSetup.ts';
import { ActsElsewhereError, RunsElsewhere } from './runsElsewhere.ts';
import { toolboxOf } from './toolbox.ts';

/** The agent of a chat: its runs, of which one may be working. */
export class ChatAgent implements Agent, vscode.Disposable {
  readonly restoring: Restoring;
  readonly #chat: Chat;
  readonly #services: AgentServices;
  readonly #onDidChange: (run: RunView | undefined) => void;
  readonly #onDispose: () => void;
  readonly #runServices: RunServices;
  readonly #runs = new Map<string, AgentRun>();
  readonly #elsewhere: RunsElsewhere;
  readonly #nextStep: NextRunRequest;
  readonly #subscription: vscode.Disposable;

  constructor(
    chat: Chat,
    services: AgentServices,
    onDidChange: (run: RunView | undefined) => void,
    onDispose: () => void,
  ) {
    this.#chat = chat;
    this.#services = services;
    this.#onDidChange = onDidChange;
    this.#onDispose = onDispose;
    this.restoring = new Restoring(chat, {
      runOf: (id) => this.#runOf(id),
      end: () => this.#end(),
      claim: (uris) => services.claims.claim(uris.map(String), { id: chat.id, name: chat.conversation.title }),
      release: () => services.claims.release(chat),
      update: () => this.update(),
    });
    this.#nextStep = new NextRunRequest(chat, services);
    this.#elsewhere = new RunsElsewhere(
      services.store,
      () => this.update(),
      (error) => services.log.error('Could not determine whether another window is working on the chat', error),
    );
    this.#runServices = {
      ...services,
      answers: chat.answers,
      setupOf: ({ value }, run) => {
        const question = value.entry(run);
        return this.#setupOf(value, question?.role === 'user' ? question.attachments : []);
      },
      estimate: (step) => this.#nextStep.estimate(step),
      contextWindow: () => services.models.find(chat.parameters.model)?.contextWindow,
      fitsStep: (model, inputTokens) => this.#nextStep.fits(model, inputTokens),
      reserve: (cost) => services.limits.reserve(cost, chat.titleInBackground),
      equip: (request, toolbox) => this.#nextStep.equip(request, toolbox),
      models: () => services.models.all,
      inputTokensOf: (request) => chat.estimates.draft.inputTokensOf(request),
      chatModel: () => chat.parameters.model,
      onError: (error) => services.log.error('A helper of the agent has failed', error),
      earlierClaim: (conversation) => this.#elsewhere.earlierClaim(conversation),
      keepImages: async (images) => {
        const held = images.map(({ data, mediaType }) => chat.images.hold(data, mediaType));
        await chat.images.keep(chat.id, held);
        return held;
      },
      postTurn: (conversation, id) => this.#postTurn(conversation, id),
      putBack: (text) => chat.composition.putBack(text),
      update: () => chat.update(),
    };
    this.#subscription = vscode.workspace.onDidSaveTextDocument(() => void this.countChanges());
  }

  get view(): RunView | undefined {
    const run = this.#last;
    return run && this.#viewOf(run);
  }

  get isBusy(): boolean {
    return this.#last?.isBusy === true || this.restoring.isInProgress;
  }

  async start(entries: readonly Entry[], release: () => void): Promise<void> {
    const { conversation } = this.#chat;
    const id = runAtEnd(entries, (run) => conversation.value.runOf(run));
    if (id === undefined) return release();
    this.restoring.forget();
    try {
      await this.#runOf(id).go(entries, release);
    } catch (error) {
      if (error instanceof ActsElsewhereError) this.#takeBack(entries.at(-1));
      throw error;
    }
  }

  async checkMayAct(): Promise<void> {
    this.#chat.checkMayRun();
    if (!this.#chat.runs.canAct) {
      throw new Error(l10n.t('The agent requires a trusted folder. Open one, or ask without the agent.'));
    }
    await this.#checkIsFree();
    const { model, own } = this.#chat.parameters;
    const files = own.agent === undefined ? undefined : await this.#services.customizations.ready();
    if (own.agent !== undefined && files?.agentCalled(own.agent) === undefined) {
      throw new Error(l10n.t('There is no agent “{0}”.', own.agent));
    }
    if (this.#services.models.find(model)?.tools === false) {
      throw new Error(l10n.t('{0} cannot use tools. Choose another model, or ask without the agent.', model));
    }
  }

  async receive(message: RunMessage): Promise<void> {
    const run = this.#last;
    switch (message.type) {
      case 'restoreRun':
        return this.restoring.ask(message.runId);
      case 'cancelRestore':
        return this.restoring.cancel();
      case 'confirmRestore':
        return this.restoring.confirm(message);
      case 'showTerminal':
        return this.#services.terminals.show();
      case 'actOnCommand':
        return this.#services.commands.act(message.commandId, message.act);
      case 'reviewChanges':
        return run && this.#services.reviewChanges({ chat: this.#chat.id, run: run.id });
      case 'continueRun':
        // A question on its way begins a run of its own.
        return run === undefined || this.isBusy || this.#chat.turns.isAsking
          ? undefined
          : run.goOn(() => this.checkMayAct());
      case 'allowOnce':
        return this.restoring.isInProgress ? undefined : run?.allowOnce(message.callId, () => this.checkMayAct());
      case 'addMessage':
        return this.#addMessage(run, message.text);
      case 'handOff':
        return this.#handOff(message.place);
      default:
        return run?.receive(message);
    }
  }

  async #handOff(place: number): Promise<void> {
    const { customizations, models } = this.#services;
    const handoff = handoffsOf(this.#chat, customizations)[place];
    if (handoff !== undefined && !this.isBusy) await handOff(this.#chat, { customizations, models }, handoff);
  }

  /** The run may have ended while the message was on its way. */
  async #addMessage(run: AgentRun | undefined, text: string): Promise<void> {
    const { state, loop } = run?.view ?? {};
    if (run?.isBusy === true || loop !== undefined) return run?.addMessage(text);
    if (run === undefined || state !== 'done' || this.isBusy) return this.#chat.composition.putBack(text);
    run.addMessage(text);
    await run.goOn(() => this.checkMayAct());
  }

  show(): void {
    const { conversation } = this.#chat;
    this.restoring.forget();
    void this.countChanges();
    this.#elsewhere.follow(this.isBusy ? undefined : conversation);
  }

  hide(): void {
    this.#elsewhere.follow(undefined);
  }

  stop(): void {
    this.#last?.stop();
  }

  /** Stops a run that would go on with another kind of money. The user decides whether it does. */
  switchSandbox(to: SandboxSwitch): void {
    this.#last?.switchSandbox(to);
  }

  /** Counts the changes of the last run again, which the user may have edited or decided. */
  async countChanges(): Promise<void> {
    await this.#last?.countChanges();
  }

  /** Adds what a run has that would begin now. */
  equip(request: ChatRequest): ChatRequest {
    const unused = () => {
      throw new Error('These tools are only described.');
    };
    const commands = this.#services.commands.of({ chat: '', run: '' });
    const { models, chatModel } = this.#runServices;
    const helpers = { models, model: chatModel, run: unused };
    const described = { commands, helpers, checkpoint: unused, isReviewedFirst: unused, setPlan: unused };
    const { conversation, composition } = this.#chat;
    const setup = this.#setupOf(conversation.value, composition.attachments);
    return this.#nextStep.equip(request, toolboxOf(described, setup));
  }

  interrupt(): void {
    for (const run of this.#runs.values()) run.interrupt();
  }

  get ended(): Promise<unknown> {
    return Promise.all([this.restoring.ended, ...[...this.#runs.values()].map((run) => run.ended)]);
  }

  dispose(): void {
    this.interrupt();
    vscode.Disposable.from(this.#subscription, this.#elsewhere).dispose();
    this.#onDispose();
  }

  /** Called when the visible state of the chat's runs has changed. */
  update(): void {
    this.#onDidChange(this.view);
  }

  #setupOf({ parameters }: Conversation, attachments: readonly Attachment[]): RunSetup {
    const { settings, customizations, chosenTools } = this.#services;
    return runSetupOf(customizations.files, {
      agentName: parameters.agent,
      attachments,
      chosen: chosenTools.names,
      maxToolTokens: settings.maxToolTokens,
    });
  }

  /** The last run of the chat, or the one that works. */
  get #last(): AgentRun | undefined {
    const working = [...this.#runs.values()].find((run) => run.isBusy);
    const id = lastRun(this.#chat.conversation.value);
    return working ?? (id === undefined ? undefined : this.#runOf(id));
  }

  #runOf(id: string): AgentRun {
    const known = this.#runs.get(id);
    if (known !== undefined) return known;
    const run = new AgentRun(id, this.#chat.conversation, this.#runServices, () => this.update());
    this.#runs.set(id, run);
    return run;
  }

  #viewOf(run: AgentRun): RunView {
    const offered =
      run.view.state === 'done' ? handoffsOf(this.#chat, this.#services.customizations).map(({ label }) => label) : [];
    const handoffs = offered.length === 0 ? undefined : offered;
    const view = { ...run.view, ...defined({ restore: this.restoring.view, handoffs }) };
    return view.state === 'interrupted' && this.#elsewhere.has(run.conversation)
      ? { ...view, state: 'elsewhere' }
      : view;
  }

  /**
   * Ends the work on the chat.
   * @throws if another window works on it.
   */
  async #end(): Promise<void> {
    const working = this.#last;
    if (working?.isBusy !== true) return this.#checkIsFree();
    working.stop();
    await working.ended;
  }

  /** @throws if another window works on the chat. */
  async #checkIsFree(): Promise<void> {
    if (await this.#elsewhere.isFree(this.#chat.conversation)) return;
    throw new ActsElsewhereError();
  }

  /** Puts a question that another window did not let begin back into the composer. */
  #takeBack(question: Entry | undefined): void {
    if (question?.role !== 'user') return;
    const { conversation, composition } = this.#chat;
    conversation.record({ type: 'removed', id: question.id });
    composition.putBack(question.text);
    composition.attach(...question.attachments);
    this.#chat.update();
  }

  #postTurn(conversation: LiveConversation, id: string): void {
    const answer = conversation.value.answer(id);
    if (answer !== undefined) this.#chat.post({ type: 'turnChanged', turn: toTurn(answer, conversation.value) });
  }
}
