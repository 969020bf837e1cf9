import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { FormatName } from '../../formats/conversation.ts';
import type { BalanceMonitor } from '../balance/balanceMonitor.ts';
import type { CallRecorder } from '../calls/callRecorder.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { LimitMonitor } from '../limits/limitMonitor.ts';
import type { Log } from '../log/log.ts';
import type { ModelList } from '../models/modelList.ts';
import type { Settings } from '../settings/settings.ts';
import { Answers } from './answers.ts';
import { AnswersElsewhere } from './answersElsewhere.ts';
import { Composition } from './composition.ts';
import { Conversation } from './conversation/conversation.ts';
import { ConversationImages } from './conversation/conversationImages.ts';
import {
  type ConversationStore,
  conversationOfFile,
  type FollowedConversation,
} from './conversation/conversationStore.ts';
import { LiveConversation } from './conversation/liveConversation.ts';
import type { Attachment } from './conversation/record.ts';
import { UnsentAccess } from './conversation/unsentAccess.ts';
import type { Estimator } from './estimator.ts';
import { ChatParameters } from './parameters/chatParameters.ts';
import type { Parameters } from './parameters/parameters.ts';
import type { ChatState, HostMessage, StateChange, Turn } from './protocol.ts';
import { ThreadView } from './threadView.ts';
import { TurnActions } from './turnActions.ts';
import { turnsOf } from './turns.ts';
import { UndoOffers } from './undo.ts';
import { toBalanceView, toCatalogView } from './views.ts';

const CURRENT_KEY = 'modelAccess.conversation';

export interface ChatSessionServices {
  readonly connection: ConnectionManager;
  readonly calls: CallRecorder;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly limits: LimitMonitor;
  readonly estimator: Estimator;
  readonly store: ConversationStore;
  readonly settings: Settings;
  /** Of the workspace: which conversation this window shows. */
  readonly memory: vscode.Memento;
  readonly log: Log;
}

/** The chat of this window: which conversation it shows, and with what parameters. Knows no webview. */
export class ChatSession implements vscode.Disposable {
  /** What can be done with the turns of the conversation. */
  readonly turns: TurnActions;
  /** What is being written. */
  readonly composition: Composition;
  readonly parameters: ChatParameters;
  readonly undo: UndoOffers;
  readonly images: ConversationImages;
  readonly #services: ChatSessionServices;
  readonly #unsent: UnsentAccess;
  readonly #posted = new vscode.EventEmitter<HostMessage>();
  readonly #answers: Answers;
  readonly #thread: ThreadView;
  readonly #elsewhere: AnswersElsewhere;
  readonly #subscriptions: vscode.Disposable[];
  #conversation: LiveConversation;

  /** What the panel must hear. A panel that was not there asks for the whole state. */
  readonly onDidPost = this.#posted.event;

  constructor(services: ChatSessionServices) {
    const { settings, models } = services;
    const post = (message: HostMessage) => this.post(message);
    this.#services = services;
    this.parameters = new ChatParameters(settings, models);
    this.undo = new UndoOffers(post);
    this.images = new ConversationImages(services.store);
    this.#thread = new ThreadView(post);
    this.#elsewhere = new AnswersElsewhere(post, () => this.#lookElsewhere());
    this.#conversation = this.#live(begun(randomUUID()));
    this.#answers = new Answers(
      { ...services, parameters: this.parameters, images: this.images },
      {
        post: (conversation, message) => conversation === this.#conversation && this.post(message),
        onDidChange: (conversation) => conversation === this.#conversation && this.update(),
        look: () => this.#lookElsewhere(),
        onTakenOver: () => void vscode.window.showInformationMessage(takenOverText()),
      },
    );
    this.#unsent = new UnsentAccess(services.store, this.images, {
      memory: services.memory,
      onFailure: (error) => services.log.error('What is attached could not be kept', error),
    });
    this.composition = new Composition(
      post,
      () => this.estimate(),
      (attachments) => this.#keepUnsent(attachments),
    );
    const mayAsk = () => services.limits.allows(services.estimator.expectedCost);
    this.turns = new TurnActions(this, this.#answers, { ...services, mayAsk });
    this.#subscriptions = this.#followServices();
  }

  /** Takes up the conversation that this window showed last, with what was attached to the next question. */
  async restore(): Promise<void> {
    const id = this.#services.memory.get<string>(CURRENT_KEY);
    if (id === undefined) return;
    const isThere = await this.open(id);
    const unsent = await this.#unsent.restore(id);
    if (unsent.length === 0) return;
    if (!isThere) await this.#show(this.#live(begun(id)));
    this.composition.attach(...unsent);
  }

  get conversation(): LiveConversation {
    return this.#conversation;
  }

  get model(): string {
    return this.parameters.modelOf(this.#own);
  }

  get isAnswering(): boolean {
    return this.#answers.areRunning;
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
      ...this.#parametersView,
      attachments: this.composition.attachmentViews,
      estimate: estimator.current,
      balance: this.#balanceView,
      hasDashboard: settings.dashboardAddress !== '',
      ...(cost !== undefined && { cost }),
    };
  }

  /** @returns false when there is no such conversation. */
  async open(id: string): Promise<boolean> {
    if (id === this.#conversation.id) return true;
    await this.#services.store.settled();
    const stored = await this.#services.store.readAndFollow(id);
    if (stored === undefined) return false;
    this.images.clear();
    await this.images.load(id, stored.conversation.entries);
    await this.#show(this.#live(stored));
    return true;
  }

  async startNew(): Promise<void> {
    const isNew = this.#conversation.value.isEmpty && Object.keys(this.#own).length === 0;
    if (!isNew) await this.#show(this.#live(begun(randomUUID())));
  }

  /** Shows another conversation in the place of this one, and resolves once nothing more is written into it. */
  async leave(id: string): Promise<void> {
    if (id !== this.#conversation.id) return;
    await this.#answers.stopped();
    await this.#show(this.#live(begun(randomUUID())));
  }

  async remember(): Promise<void> {
    await this.#services.memory.update(CURRENT_KEY, this.#conversation.id);
  }

  /** Decides all parameters of this conversation beside model and format; what is absent follows the settings. */
  setParameters(parameters: Parameters): void {
    this.#conversation.record({ type: 'parameters', parameters });
    this.#change(this.#parametersView);
    this.estimate();
  }

  /** Tells the panel what the chosen format cannot carry, from now on. */
  async checkParameters(): Promise<void> {
    await this.parameters.loadFormats();
    this.#change(this.#parametersView);
  }

  /** Holds at once for this conversation. Chosen before its first question, it is the default of new ones too. */
  async chooseModel(model: string): Promise<void> {
    this.setParameters({ ...this.#own, model });
    if (this.#conversation.value.isEmpty) await this.#services.settings.setChatModel(model);
  }

  /** Holds at once for this conversation. Chosen before its first question, it is the default of new ones too. */
  async chooseFormat(format: FormatName): Promise<void> {
    this.setParameters({ ...this.#own, format });
    if (this.#conversation.value.isEmpty) await this.#services.settings.setChatFormat(format);
  }

  /** A conversation keeps the model that it began with, whatever is chosen elsewhere. */
  keepModel(): void {
    const [own, model] = [this.#own, this.model];
    const format = this.parameters.formatOf(own);
    if (own.model !== model || own.format !== format) this.setParameters({ ...own, model, format });
  }

  stop(): void {
    this.#answers.stop();
  }

  /** Sends a request that waits for its next try at once. */
  retryNow(): void {
    this.#answers.retryNow();
  }

  /** Tells the panel what has changed of the conversation. */
  update(): void {
    const { title, cost } = this.#conversation;
    this.#thread.update(this.#turns);
    this.#change({ title, ...(cost !== undefined && { cost }) });
    this.estimate();
  }

  estimate(): void {
    const { estimator, models, balance } = this.#services;
    const { draft, attachments } = this.composition;
    estimator.update({
      entries: this.#conversation.value.entries,
      draft,
      attachments,
      images: this.images.lookup,
      settings: this.parameters.requestSettings(this.#own),
      model: models.find(this.model),
      balance: balance.state.balance?.remaining,
    });
  }

  post(message: HostMessage): void {
    this.#posted.fire(message);
  }

  /** Takes in what other windows have written, unless it was into other files than the conversation's. */
  async follow(fileNames?: readonly string[]): Promise<void> {
    const conversation = this.#conversation;
    if (fileNames?.some((name) => conversationOfFile(name) === conversation.id) === false) return;
    const records = await conversation.catchUp();
    if (conversation !== this.#conversation) return;
    this.#answers.giveWay();
    if (records.some(({ type }) => type !== 'delta')) {
      await this.images.load(conversation.id, conversation.value.entries);
      this.update();
    }
    await this.#elsewhere.show(conversation, records);
  }

  dispose(): void {
    this.stop();
    this.undo.dispose();
    this.#elsewhere.dispose();
    vscode.Disposable.from(...this.#subscriptions, this.#posted).dispose();
  }

  get #turns(): Turn[] {
    const { value, elsewhere } = this.#conversation;
    return turnsOf(value, { running: this.#answers.turns, elsewhere });
  }

  get #own(): Parameters {
    return this.#conversation.value.parameters;
  }

  get #parametersView() {
    const own = this.#own;
    return { model: this.model, format: this.parameters.formatOf(own), parameters: this.parameters.view(own) };
  }

  #keepUnsent(attachments: readonly Attachment[]): void {
    const { id } = this.#conversation;
    void this.#unsent.keep(id, attachments);
    if (attachments.length > 0) void this.remember();
  }

  async #show(conversation: LiveConversation): Promise<void> {
    this.stop();
    this.composition.clear();
    this.#conversation = conversation;
    await this.remember();
    const { state } = this;
    this.#thread.reset(state.turns);
    this.post({ type: 'state', state });
    this.#elsewhere.follow(conversation);
    this.estimate();
  }

  #lookElsewhere(): void {
    this.follow().catch((error: unknown) => {
      this.#services.log.error('What another window wrote could not be read', error);
    });
  }

  #live(conversation: FollowedConversation): LiveConversation {
    const { store, log } = this.#services;
    return new LiveConversation(conversation, store, (error) => {
      log.error('The conversation could not be saved', error);
      void vscode.window.showErrorMessage(l10n.t('Model Access could not save the conversation. The log says why.'));
    });
  }

  #followServices(): vscode.Disposable[] {
    const { connection, models, balance, estimator, settings } = this.#services;
    return [
      connection.onDidChange(({ kind }) => this.#change({ connection: kind })),
      estimator.onDidChange((estimate) => this.#change({ estimate })),
      models.onDidChange(() => {
        this.#change({ catalog: toCatalogView(models.state), model: this.model });
        this.estimate();
      }),
      balance.onDidChange(() => {
        this.#change({ balance: this.#balanceView });
        this.estimate();
      }),
      settings.onDidChange(['chat'], () => {
        this.#change(this.#parametersView);
        this.estimate();
      }),
      settings.onDidChange(['dashboardAddress', 'balance.warnBelow'], () =>
        this.#change({ hasDashboard: settings.dashboardAddress !== '', balance: this.#balanceView }),
      ),
    ];
  }

  get #balanceView() {
    const { balance, settings } = this.#services;
    return toBalanceView(balance.state, settings.balanceWarnBelow);
  }

  #change(change: StateChange): void {
    this.post({ type: 'change', change });
  }
}

/** A conversation without a file yet. */
function begun(id: string): FollowedConversation {
  return { conversation: new Conversation(id), end: 0, elsewhere: [], own: [] };
}

function takenOverText(): string {
  return l10n.t(
    'Another window goes on with this answer, so it was stopped in this one. Nothing that has come in is lost.',
  );
}
