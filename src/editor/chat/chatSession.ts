import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import { Answering } from './answering.ts';
import { type Attachment, type Conversation, emptyConversation, toAttachmentView, toTurn } from './conversation.ts';
import type { ConversationStore } from './conversationStore.ts';
import type { Estimator } from './estimator.ts';
import { LiveConversation } from './liveConversation.ts';
import type { ChatState, HostMessage, StateChange, Turn } from './protocol.ts';
import { buildRequest, type RequestSettings } from './request.ts';
import { toBalanceView, toCatalogView } from './views.ts';

const CURRENT_KEY = 'modelAccess.conversation';
/** Until the person chooses one. */
const USUAL_MODEL = 'familya-sonnet-4.6';
const CONTINUE = 'Continue exactly where you stopped.';

export interface ChatSessionServices {
  readonly connection: ConnectionManager;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly estimator: Estimator;
  readonly store: ConversationStore;
  readonly settings: Settings;
  /** Of the workspace: which conversation this window shows. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** The chat of this window: its conversation, what is being written, and the answer under way. Knows no webview. */
export class ChatSession implements vscode.Disposable {
  readonly #services: ChatSessionServices;
  readonly #posted = new vscode.EventEmitter<HostMessage>();
  readonly #subscriptions: vscode.Disposable[];
  #conversation: LiveConversation;
  #attachments: readonly Attachment[] = [];
  #draft = '';
  #answering: Answering | undefined;

  /** What the panel must hear. A panel that was not there asks for the whole state. */
  readonly onDidPost = this.#posted.event;

  constructor(services: ChatSessionServices) {
    this.#services = services;
    this.#conversation = this.#live(emptyConversation(randomUUID()));
    this.#subscriptions = this.#followServices();
  }

  /** Takes up the conversation that this window showed last. */
  async restore(): Promise<void> {
    const id = this.#services.memory.get<string>(CURRENT_KEY);
    if (id !== undefined) await this.open(id);
  }

  /** The chosen model, also when the catalog lacks it: the service has the last word. Else a usual one. */
  get model(): string {
    const { settings, models } = this.#services;
    if (settings.chatModel !== '') return settings.chatModel;
    return (models.find(USUAL_MODEL) ?? models.state.models[0])?.id ?? USUAL_MODEL;
  }

  get isAnswering(): boolean {
    return this.#answering !== undefined;
  }

  get state(): ChatState {
    const { connection, models, estimator, settings } = this.#services;
    const { id, title, cost } = this.#conversation;
    return {
      connection: connection.current.kind,
      conversationId: id,
      title,
      turns: this.#turns,
      catalog: toCatalogView(models.state),
      model: this.model,
      format: settings.chatFormat,
      attachments: this.#attachments.map(toAttachmentView),
      estimate: estimator.current,
      balance: this.#balanceView,
      hasDashboard: settings.dashboardAddress !== '',
      ...(cost !== undefined && { cost }),
    };
  }

  /** @returns false when there is no such conversation. */
  async open(id: string): Promise<boolean> {
    const conversation = await this.#services.store.read(id);
    if (conversation === undefined) return false;
    await this.#show(conversation);
    return true;
  }

  async startNew(): Promise<void> {
    if (!this.#conversation.isEmpty) await this.#show(emptyConversation(randomUUID()));
  }

  setDraft(text: string): void {
    this.#draft = text;
    this.#estimate();
  }

  /** Puts text into the composer for the person to finish. */
  compose(text: string): void {
    this.#post({ type: 'compose', text });
    this.setDraft(text);
  }

  attach(attachment: Attachment): void {
    this.#setAttachments([...this.#attachments, attachment]);
  }

  detach(attachmentId: string): void {
    this.#setAttachments(this.#attachments.filter(({ id }) => id !== attachmentId));
  }

  /**
   * Sends a question with what is attached. Nothing happens while an answer is under way, or with nothing to send.
   * @throws when there is nobody to ask.
   */
  async send(text: string): Promise<void> {
    const question = text.trim();
    if (this.isAnswering || (question === '' && this.#attachments.length === 0)) return;
    if (this.#services.connection.open === undefined) throw new Error('Set a service key, or try the sandbox, first.');
    const { inputTokens } = this.#services.estimator.current;
    const attachments = this.#attachments;
    const conversation = this.#conversation;
    const isFirst = conversation.isEmpty;
    this.#draft = '';
    this.#setAttachments([]);
    conversation.record({ type: 'question', id: randomUUID(), at: Date.now(), text: question, attachments });
    const added = conversation.entries.at(-1);
    if (added !== undefined) this.#post({ type: 'turnAdded', turn: toTurn(added) });
    if (isFirst) {
      this.#change({ title: conversation.title });
      await this.#services.memory.update(CURRENT_KEY, conversation.id);
    }
    await this.#answer(inputTokens);
  }

  stop(): void {
    this.#answering?.stop();
  }

  /** Sends a request that waits for its next try at once. */
  retryNow(): void {
    this.#answering?.retryNow();
  }

  /** Asks again for the last answer; the earlier attempt is removed. */
  async askAgain(turnId: string): Promise<void> {
    const last = this.#conversation.entries.at(-1);
    if (this.isAnswering || last?.role !== 'assistant' || last.id !== turnId) return;
    this.#conversation.record({ type: 'removed', id: turnId });
    this.#post({ type: 'turnRemoved', turnId });
    await this.#answer(this.#services.estimator.current.inputTokens);
  }

  /** Asks the model to go on after an answer that was cut, stopped or broken off. */
  async continueAnswer(): Promise<void> {
    await this.send(CONTINUE);
  }

  dispose(): void {
    this.stop();
    vscode.Disposable.from(...this.#subscriptions, this.#posted).dispose();
  }

  /** `estimatedInputTokens` is what the meter showed for this request. */
  async #answer(estimatedInputTokens: number | undefined): Promise<void> {
    const { connection, models, settings, estimator, log, balance } = this.#services;
    const open = connection.open;
    if (open === undefined) return;
    const conversation = this.#conversation;
    const modelId = this.model;
    const answering = new Answering({
      connection: open,
      conversation,
      format: settings.chatFormat,
      request: buildRequest(conversation.entries, this.#requestSettings),
      model: models.find(modelId),
      estimatedInputTokens,
      post: (message) => {
        if (this.#conversation === conversation) this.#post(message);
      },
      warn: (message) => log.warn(message),
    });
    this.#answering = answering;
    const answer = await answering.finish();
    if (this.#answering === answering) this.#answering = undefined;
    if (answer?.status === 'complete' && answer.figures !== undefined) {
      await estimator.learn(modelId, answer.figures.outputTokens);
    }
    const { cost } = this.#conversation;
    if (cost !== undefined) this.#change({ cost });
    this.#estimate();
    await balance.settle();
  }

  get #turns(): Turn[] {
    const running = this.#answering?.turn;
    return this.#conversation.entries.map((entry) => (entry.id === running?.id ? running : toTurn(entry)));
  }

  async #show(conversation: Conversation): Promise<void> {
    this.stop();
    this.#answering = undefined;
    this.#conversation = this.#live(conversation);
    this.#attachments = [];
    await this.#services.memory.update(CURRENT_KEY, conversation.id);
    this.#post({ type: 'state', state: this.state });
    this.#estimate();
  }

  #live(conversation: Conversation): LiveConversation {
    const { store, log } = this.#services;
    return new LiveConversation(conversation, store, (error) => {
      log.error('The conversation could not be saved', error);
      void vscode.window.showErrorMessage('Model Access could not save the conversation. The log says why.');
    });
  }

  #followServices(): vscode.Disposable[] {
    const { connection, models, balance, estimator, settings } = this.#services;
    return [
      connection.onDidChange(({ kind }) => this.#change({ connection: kind })),
      estimator.onDidChange((estimate) => this.#change({ estimate })),
      models.onDidChange(() => {
        this.#change({ catalog: toCatalogView(models.state), model: this.model });
        this.#estimate();
      }),
      balance.onDidChange(() => {
        this.#change({ balance: this.#balanceView });
        this.#estimate();
      }),
      settings.onDidChange(['chat.model', 'chat.format', 'chat.systemPrompt', 'chat.maxTokens'], () => {
        this.#change({ model: this.model, format: settings.chatFormat });
        this.#estimate();
      }),
      settings.onDidChange(['dashboardAddress', 'balance.warnBelow'], () =>
        this.#change({ hasDashboard: settings.dashboardAddress !== '', balance: this.#balanceView }),
      ),
    ];
  }

  #setAttachments(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.#change({ attachments: attachments.map(toAttachmentView) });
    this.#estimate();
  }

  #estimate(): void {
    const { estimator, models, balance } = this.#services;
    estimator.update({
      entries: this.#conversation.entries,
      draft: this.#draft,
      attachments: this.#attachments,
      settings: this.#requestSettings,
      model: models.find(this.model),
      balance: balance.state.balance?.remaining,
    });
  }

  get #requestSettings(): RequestSettings {
    const { settings, models } = this.#services;
    const mostOutput = models.find(this.model)?.maxOutputTokens ?? Number.POSITIVE_INFINITY;
    const { systemPrompt } = settings;
    return { model: this.model, systemPrompt, maxTokens: Math.min(settings.maxTokens, mostOutput) };
  }

  get #balanceView() {
    const { balance, settings } = this.#services;
    return toBalanceView(balance.state, settings.balanceWarnBelow);
  }

  #change(change: StateChange): void {
    this.#post({ type: 'change', change });
  }

  #post(message: HostMessage): void {
    this.#posted.fire(message);
  }
}
