import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RemoteAnswers } from '../../chat/answers/remoteAnswers.ts';
import { ChatComposition } from '../../chat/composition.ts';
import { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import { type ConversationStore, conversationOfFile } from '../../chat/conversation/conversationStore.ts';
import { hasStep } from '../../chat/conversation/entry.ts';
import { LazyUnsent } from '../../chat/conversation/lazyUnsent.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { turnsOf } from '../../chat/panel/turns.ts';
import { UndoOffers } from '../../chat/undo.ts';
import type { ChatMode, ChatState, ChatTurn, RunView } from '../../pages/chat/protocol.ts';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import { Lazy } from '../lazy.ts';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { Log } from '../log/log.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import { Answers } from './answers/answers.ts';
import { AppliedCode } from './apply/appliedCode.ts';
import { ShownConversations } from './conversation/shownConversations.ts';
import type { Customizations } from './customizations/customizations.ts';
import { EditedQuestion } from './editedQuestion.ts';
import type { Estimator } from './estimator.ts';
import { PanelChannel } from './panel/panelChannel.ts';
import { StateView } from './panel/stateView.ts';
import { ChatParameters } from './parameters/chatParameters.ts';
import { ConversationParameters } from './parameters/conversationParameters.ts';
import { Presets } from './parameters/presets.ts';
import { RequestEstimate } from './requestEstimate.ts';
import type { RunCosts } from './runCosts.ts';
import { type Agent, RunFollower } from './runFollower.ts';
import type { ChatTitles } from './titles.ts';
import { TurnActions } from './turnActions.ts';

export interface ChatSessionServices {
  readonly connection: ConnectionManager;
  readonly calls: CallRecorder;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly limits: LimitMonitor;
  readonly estimator: Estimator;
  /** Estimates a question that is being edited. */
  readonly editEstimator: Estimator;
  readonly runCosts: RunCosts;
  readonly store: ConversationStore;
  readonly settings: Settings;
  readonly customizations: Customizations;
  readonly loadAgent: (session: ChatSession, onDidChange: (run: RunView | undefined) => void) => Promise<Agent>;
  /** Workspace state: which conversation this window shows. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/**
 * The chat of this window: the conversation shown, and what happens when another one is opened. Independent of the
 * webview.
 */
export class ChatSession implements vscode.Disposable {
  /** The actions on the conversation's turns. */
  readonly turns: TurnActions;
  /** The question being written. */
  readonly composition: ChatComposition;
  readonly edited: EditedQuestion;
  /** The answers in progress. */
  readonly answers: Answers;
  readonly parameters: ConversationParameters;
  /** The agent, which answers with steps of its own. */
  readonly runs: RunFollower;
  readonly presets: Presets;
  readonly customizations: Customizations;
  readonly undo: UndoOffers;
  readonly applied: AppliedCode;
  readonly images: ConversationImages;
  readonly panel = new PanelChannel(() => this.#conversation);
  readonly #log: Log;
  readonly #chatParameters: ChatParameters;
  readonly #conversations: ShownConversations;
  readonly #unsent: LazyUnsent;
  readonly #elsewhere: RemoteAnswers;
  readonly #view: StateView;
  readonly #estimate: RequestEstimate;
  readonly #editEstimate: RequestEstimate;
  readonly #titles: Lazy<ChatTitles>;
  readonly #settings: Settings;
  #conversation: LiveConversation;
  /** The ID of a chat without a question that has attachments. It is not in the history, so it is the next new one. */
  #leftEmpty: string | undefined;
  /** Identifies the last choice of a conversation. */
  #choice = {};
  /** The conversations that were left while something was in progress, by ID, until its end is recorded. */
  readonly #leaving = new Map<string, Promise<void>>();

  constructor(services: ChatSessionServices) {
    const { settings, models, store, memory, customizations, log } = services;
    const { post } = this.panel;
    this.#log = log;
    this.#settings = settings;
    this.customizations = customizations;
    this.#chatParameters = new ChatParameters(settings, models, customizations);
    this.presets = new Presets(settings);
    this.undo = new UndoOffers(post);
    this.applied = new AppliedCode(memory, post);
    this.images = new ConversationImages(store);
    this.#conversations = new ShownConversations({ store, images: this.images, memory, log });
    this.#conversation = this.#conversations.begin();
    this.parameters = new ConversationParameters({
      chat: this.#chatParameters,
      settings,
      conversation: () => this.#conversation,
      onDidChange: () => this.#updateParameters(),
    });
    const rowsOf = (id: string) => services.calls.rowsOf(id);
    this.#elsewhere = new RemoteAnswers({
      post,
      rowsOf,
      look: () => this.#lookElsewhere(),
      onFinished: (conversation) => conversation === this.#conversation && this.update(),
    });
    this.runs = new RunFollower((onDidChange) => services.loadAgent(this, onDidChange));
    this.answers = this.#makeAnswers(services);
    this.#titles = new Lazy(async () => {
      const { ChatTitles } = await import('./titles.ts');
      return new ChatTitles(services, (conversation) => conversation === this.#conversation && this.update());
    });
    this.#unsent = new LazyUnsent(store, this.images, {
      memory,
      onFailure: (error) => log.error('Could not save the attachments', error),
    });
    this.composition = new ChatComposition(
      post,
      () => this.#estimate.update(),
      (attachments) => this.#keepUnsent(attachments),
    );
    this.edited = new EditedQuestion({
      conversation: () => this.#conversation,
      model: () => this.parameters.model,
      changed: async (attachment) => (await import('./context/changedFile.ts')).changedFile(attachment),
      post,
      onDidChange: () => this.#editEstimate.update(),
    });
    const { editEstimator, limits } = services;
    const reserve = async (next: 'draft' | 'edit', models: readonly string[]) => {
      const cost = (next === 'edit' ? this.#editEstimate : this.#estimate).costOn(models);
      const release = await limits.reserve(cost);
      if (release === undefined || (await this.#capAllows(settings.chatCap, cost))) return release;
      release();
      return undefined;
    };
    this.turns = new TurnActions(this, this.answers, { ...services, reserve }, () => this.#view.updateAsking());
    this.#view = new StateView(services, this, post);
    const draftParts = () => ({ entries: this.#conversation.value.entries, ...this.composition.estimated });
    const { parameters, images, runs } = this;
    this.#estimate = new RequestEstimate(services, {
      parts: draftParts,
      model: () => parameters.model,
      parameters,
      runs,
      images,
    });
    this.#editEstimate = new RequestEstimate(
      { ...services, estimator: editEstimator },
      { parts: () => this.edited.parts, model: () => this.edited.model, parameters, runs, images },
    );
  }

  /** Asks before a chat exceeds its cap. */
  async #capAllows(cap: number, cost: number | undefined): Promise<boolean> {
    if (cap === 0) return true;
    const { capAllows } = await import('../limits/chatCap.ts');
    const { id, spent } = this.#conversation;
    return capAllows({ id, spent: spent.cost ?? 0, cost, cap });
  }

  /** Restores the conversation that this window showed last, and the attachments of its next question. */
  async restore(): Promise<void> {
    const id = this.#conversations.lastId;
    if (id === undefined) return;
    if (await this.open(id)) return;
    const unsent = await this.#unsent.restore(id);
    if (unsent.length > 0) await this.#show(this.#conversations.begin(id));
  }

  get conversation(): LiveConversation {
    return this.#conversation;
  }

  /** The conversation's turns as the panel shows them, with the answers in progress. */
  get shownTurns(): readonly ChatTurn[] {
    const { value, elsewhere } = this.#conversation;
    return turnsOf(value, { running: this.answers.turns, elsewhere });
  }

  get state(): ChatState {
    return this.#view.state;
  }

  /** Shows a conversation, unless another one is chosen meanwhile. Returns false if it does not exist. */
  async open(id: string): Promise<boolean> {
    const choice = this.#choose();
    if (id === this.#conversation.id) return true;
    // What was stopped there must be in its file before that is read.
    await this.#leaving.get(id);
    const conversation = await this.#conversations.read(id);
    if (conversation === undefined) return false;
    if (choice !== this.#choice) return true;
    this.images.keepOnly(conversation.value.entries);
    await this.#show(conversation);
    return true;
  }

  /** Asks before the user leaves a chat in which the agent works, because that stops it. */
  async mayLeave(): Promise<boolean> {
    return !this.runs.isBusy || (await import('./leaveQuestion.ts')).agreesToStop();
  }

  /** Shows a new conversation, in the same mode. */
  async startNew(): Promise<void> {
    const { mode: _, ...others } = this.parameters.own;
    if (this.#conversation.value.isNew && Object.keys(others).length === 0) return;
    const { mode } = this.parameters;
    const conversation = this.#conversations.begin(this.#leftEmpty);
    // It is no longer empty once it has a question.
    this.#leftEmpty = undefined;
    // Before it is shown, because its first question may be sent at once.
    if (mode !== 'ask') conversation.record({ type: 'parameters', parameters: { mode } });
    await this.#show(conversation);
  }

  /** Shows a new conversation if this one is shown. Resolves when nothing more is written to the previous one. */
  async leave(id: string): Promise<void> {
    this.#titles.current?.stop(id);
    if (id !== this.#conversation.id) return;
    this.stop();
    await this.#ended();
    if (id === this.#conversation.id) await this.#show(this.#conversations.begin());
  }

  /** Attaches to the question that is being edited, or else to the next one. */
  attach(...attachments: readonly Attachment[]): void {
    (this.edited.isActive ? this.edited : this.composition).attach(...attachments);
  }

  /** Makes the window show this conversation again after a restart. */
  async remember(): Promise<void> {
    await this.#conversations.remember(this.#conversation.id);
  }

  /** From now on, includes the parameters that the chosen format does not support in the panel's state. */
  async checkParameters(): Promise<void> {
    await this.#chatParameters.loadFormats();
    this.#view.updateParameters();
  }

  async chooseMode(mode: ChatMode): Promise<void> {
    if (mode !== 'ask') await this.runs.load();
    if (mode === 'agent' && this.parameters.mode === 'agent' && this.parameters.view.mode !== 'agent') {
      throw new Error(l10n.t('The setting “{0}” is on.', 'modelAccess.agent.reviewBeforeWriting'));
    }
    this.parameters.chooseMode(mode);
  }

  /** Ends what is in progress because the window closes. Resolves when everything received is recorded. */
  async close(): Promise<void> {
    this.runs.interrupt();
    this.#titles.current?.stop();
    this.turns.stop();
    this.answers.stop();
    await this.#ended();
  }

  /** Stops the question on its way, the answers in progress, and the agent. */
  stop(): void {
    this.turns.stop();
    this.runs.stop();
    this.answers.stop();
  }

  /** Reports changes of the conversation to the panel. */
  update(): void {
    this.#view.updateConversation();
    this.#estimate.update();
  }

  /** Reads what other windows have written, unless only files of other conversations changed. */
  async follow(fileNames?: readonly string[]): Promise<void> {
    const conversation = this.#conversation;
    if (fileNames?.some((name) => conversationOfFile(name) === conversation.id) === false) return;
    const records = await conversation.catchUp();
    if (conversation !== this.#conversation) return;
    this.answers.yieldToSuccessor();
    if (records.some(({ type }) => type === 'run')) await this.runs.show(true);
    if (records.some(({ type }) => type !== 'delta')) {
      await this.images.load(conversation.id, conversation.value.entries);
      this.update();
    }
    await this.#elsewhere.show(conversation, records);
  }

  dispose(): void {
    this.turns.stop();
    this.answers.stop();
    this.runs.dispose();
    this.undo.dispose();
    this.#elsewhere.dispose();
    vscode.Disposable.from(this.#view, this.#estimate, this.#editEstimate, this.panel).dispose();
  }

  /** Called when the user has chosen a conversation. Earlier ones that are still being read are not shown then. */
  #choose(): object {
    this.#choice = {};
    return this.#choice;
  }

  /** Resolves when nothing more is written to the conversation shown, once it was stopped. */
  async #ended(): Promise<void> {
    await this.turns.asked;
    await Promise.all([this.answers.ended, this.runs.ended()]);
  }

  async #show(conversation: LiveConversation): Promise<void> {
    this.#choose();
    this.stop();
    const { id, value } = this.#conversation;
    const leaving = this.#ended().then(() => void this.#leaving.delete(id));
    this.#leaving.set(id, leaving);
    if (value.isNew) this.#leftEmpty = this.composition.attachments.length > 0 ? id : undefined;
    this.composition.clear();
    this.undo.endOfChat();
    this.#conversation = conversation;
    await this.remember();
    await this.runs.show(this.parameters.acts || hasStep(conversation.value.entries));
    this.#view.show();
    this.#elsewhere.follow(conversation);
    this.#estimate.update();
    const unsent = await this.#unsent.restore(conversation.id);
    if (conversation === this.#conversation && unsent.length > 0) this.composition.attach(...unsent);
    this.#elsewhere
      .finishLost(conversation)
      .catch((error: unknown) => this.#log.warn('Could not read what stopped answers have used', error));
  }

  #updateParameters(): void {
    this.#view.updateParameters();
    this.#estimate.update();
    this.#editEstimate.update();
  }

  keepUnsent(attachments: readonly Attachment[], conversationId: string): void {
    void this.#unsent.keep(conversationId, attachments);
  }

  #keepUnsent(attachments: readonly Attachment[]): void {
    this.keepUnsent(attachments, this.#conversation.id);
    if (attachments.length > 0) void this.remember();
  }

  /** Opening another conversation stops the answers of the previous one. Their end must not update the panel. */
  #makeAnswers(services: ChatSessionServices): Answers {
    const isShown = (conversation: LiveConversation) => conversation === this.#conversation;
    return new Answers(
      { ...services, parameters: this.#chatParameters, images: this.images, runs: this.runs, panel: this.panel },
      {
        onDidChange: (conversation) => isShown(conversation) && this.update(),
        onEnded: (conversation) => void this.#nameChat(conversation, services),
        look: () => this.#lookElsewhere(),
        onTakenOver: () => void vscode.window.showInformationMessage(takenOverText()),
      },
    );
  }

  /** Gives a chat a prepared title, unless it has one. */
  giveTitle(conversation: LiveConversation, title: string): void {
    const { isEmpty, isNamed } = conversation.value;
    if (isEmpty || isNamed || !this.#settings.writesTitles) return;
    conversation.record({ type: 'title', title });
    this.update();
  }

  /** Nothing waits for the title. In the sandbox, the starters bring their own. */
  async #nameChat(conversation: LiveConversation, { connection, log }: ChatSessionServices): Promise<void> {
    if (!this.#settings.writesTitles || connection.current.kind === 'sandbox' || conversation.value.isNamed) return;
    try {
      await (await this.#titles.get()).write(conversation);
    } catch (error) {
      log.error('The part that writes titles could not be loaded', error);
    }
  }

  #lookElsewhere(): void {
    this.follow().catch((error: unknown) => this.#log.error('Could not read the changes of another window', error));
  }
}

function takenOverText(): string {
  return l10n.t('This answer continues in another window and was stopped in this one. Nothing received was lost.');
}
