import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RemoteAnswers } from '../../chat/answers/remoteAnswers.ts';
import { ChatComposition } from '../../chat/composition.ts';
import { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { hasStep } from '../../chat/conversation/entry.ts';
import type { LazyUnsent } from '../../chat/conversation/lazyUnsent.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { turnsOf } from '../../chat/panel/turns.ts';
import type { UndoOffers } from '../../chat/undo.ts';
import type { ChatHostMessage, ChatMode, ChatTurn, RunView } from '../../pages/chat/protocol.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';
import { Answers, type AnswersServices } from './answers/answers.ts';
import { ChatEstimates, type ChatEstimatesServices } from './chatEstimates.ts';
import type { ChatNames } from './chatNames.ts';
import type { ChatParts } from './chatParts.ts';
import { EditedQuestion } from './editedQuestion.ts';
import type { ChatParameters } from './parameters/chatParameters.ts';
import { ConversationParameters } from './parameters/conversationParameters.ts';
import { type Agent, RunFollower } from './runFollower.ts';
import { TurnActions } from './turnActions.ts';

export interface ChatServices
  extends ChatEstimatesServices,
    Pick<AnswersServices, 'calls' | 'connection' | 'models' | 'balance' | 'customizations'> {
  readonly connection: ConnectionManager;
  readonly store: ConversationStore;
  readonly chatParameters: ChatParameters;
  readonly names: ChatNames;
  readonly unsent: LazyUnsent;
  readonly loadAgent: (chat: Chat, onDidChange: (run: RunView | undefined) => void) => Promise<Agent>;
  readonly log: Log;
}

/** The parts of a chat's state that change beside its turns. */
export type ChatChange = 'conversation' | 'asking' | 'attachments' | 'parameters' | 'run' | 'estimate' | 'editEstimate';

/** The panel or tab that shows a chat. */
export interface ChatViewer {
  /** Whether the user sees it. Otherwise it drops messages, and requests the whole state when it is shown again. */
  readonly isVisible: boolean;
  readonly undo: UndoOffers;
  /** Shows the panel or tab. */
  reveal(): unknown;
  post(message: ChatHostMessage): void;
  update(change: ChatChange): void;
}

/** What a chat needs to know of the others. */
export interface ChatHost {
  /** Called when something of the chat has changed. */
  chatChanged(chat: Chat): void;
  /** @throws if too many other chats are running. */
  checkMayRun(chat: Chat): void;
}

/**
 * A conversation with everything that is in progress in it. It goes on when another chat is shown, and works without a
 * viewer.
 */
export class Chat implements ChatParts, vscode.Disposable {
  readonly conversation: LiveConversation;
  /** The question being written. */
  readonly composition: ChatComposition;
  readonly edited: EditedQuestion;
  /** The actions on the conversation's turns. */
  readonly turns: TurnActions;
  /** The answers in progress. */
  readonly answers: Answers;
  readonly parameters: ConversationParameters;
  /** The agent, which answers with steps of its own. */
  readonly runs: RunFollower;
  readonly estimates: ChatEstimates;
  readonly images: ConversationImages;
  readonly #services: ChatServices;
  readonly #host: ChatHost;
  readonly #elsewhere: RemoteAnswers;
  readonly #subscriptions: vscode.Disposable[];
  #viewer: ChatViewer | undefined;
  /** Whether the composer has a text that no viewer has received. */
  #hasUnseenDraft = false;
  #restoring: Promise<void> | undefined;

  constructor(conversation: LiveConversation, services: ChatServices, host: ChatHost) {
    const { store, settings, unsent, calls, chatParameters } = services;
    this.conversation = conversation;
    this.#services = services;
    this.#host = host;
    this.images = new ConversationImages(store);
    this.runs = new RunFollower((onDidChange) => services.loadAgent(this, onDidChange));
    this.parameters = new ConversationParameters({
      chat: chatParameters,
      settings,
      conversation,
      onDidChange: () => this.#updateParameters(),
    });
    this.#elsewhere = new RemoteAnswers({
      post: this.post,
      rowsOf: (id) => calls.rowsOf(id),
      look: () => this.#look(),
      onFinished: () => this.update(),
    });
    this.composition = new ChatComposition(
      this.post,
      () => this.estimates.update(),
      (attachments) => {
        void unsent.keep(conversation.id, attachments, this.images);
        this.#viewer?.update('attachments');
      },
    );
    this.edited = new EditedQuestion({
      conversation,
      model: () => this.parameters.model,
      changed: async (attachment) => (await import('./context/changedFile.ts')).changedFile(attachment),
      post: this.post,
      onDidChange: () => this.estimates.update('edit'),
    });
    this.estimates = new ChatEstimates(this, services);
    this.answers = this.#makeAnswers();
    this.turns = this.#makeTurns();
    this.#subscriptions = [
      this.runs.onDidChange(() => this.#changed('run')),
      this.estimates.draft.onDidChange(() => this.#viewer?.update('estimate')),
      this.estimates.edit.onDidChange(() => this.#viewer?.update('editEstimate')),
    ];
  }

  get id(): string {
    return this.conversation.id;
  }

  /** Whether a question is on its way, an answer is in progress, or the agent works or waits for the user. */
  get isRunning(): boolean {
    return this.turns.isAsking || this.turns.isRunning;
  }

  /** Whether the agent waits for the user. */
  get isWaiting(): boolean {
    return this.runs.view?.state === 'waiting';
  }

  get undo(): UndoOffers | undefined {
    return this.#viewer?.undo;
  }

  get isShown(): boolean {
    return this.#viewer !== undefined;
  }

  /** The panel or tab that shows the chat. */
  get viewer(): ChatViewer | undefined {
    return this.#viewer;
  }

  /** Whether the user sees the chat. */
  get isVisible(): boolean {
    return this.#viewer?.isVisible === true;
  }

  /** Whether closing it would lose something that is nowhere else. */
  get isNeeded(): boolean {
    return this.isShown || this.isRunning || this.#hasUnseenDraft;
  }

  /** The conversation's turns as the panel shows them, with the answers in progress. */
  get shownTurns(): readonly ChatTurn[] {
    const { value, elsewhere } = this.conversation;
    return turnsOf(value, { running: this.answers.turns, elsewhere });
  }

  /** Posts a message to the panel or tab that shows the chat. */
  readonly post = (message: ChatHostMessage): void => {
    if (message.type === 'compose' && !this.isVisible) this.#hasUnseenDraft = true;
    this.#viewer?.post(message);
  };

  /** Loads what the chat shows, before it is shown. */
  async prepare(): Promise<void> {
    const { entries } = this.conversation.value;
    await this.images.load(this.id, entries);
    if (this.parameters.acts || hasStep(entries)) await this.runs.load();
  }

  /** Called when a viewer begins to show the chat. */
  show(viewer: ChatViewer): void {
    this.#viewer = viewer;
  }

  /** Updates the panel, once the viewer has the chat's state. */
  refresh(): void {
    this.runs.show();
    this.#elsewhere.follow(this.conversation);
    this.estimates.update();
    this.restoreUnsent();
    this.#elsewhere
      .finishLost(this.conversation)
      .catch((error: unknown) => this.#services.log.warn('Could not read what stopped answers have used', error));
  }

  /** Called when the viewer shows another chat. */
  hide(): void {
    this.#viewer = undefined;
    this.runs.hide();
    this.#elsewhere.dispose();
    this.estimates.cancel();
  }

  /** Posts what the viewer has not received while nobody saw it, after the whole state. */
  repeat(): void {
    if (!this.#hasUnseenDraft || !this.isVisible) return;
    this.#hasUnseenDraft = false;
    this.post({ type: 'compose', text: this.composition.draft });
  }

  /** Restores the attachments of the next question, once. */
  restoreUnsent(): Promise<void> {
    this.#restoring ??= this.#services.unsent.restore(this.id, this.images).then((attachments) => {
      if (attachments.length > 0) this.composition.attach(...attachments);
    });
    return this.#restoring;
  }

  /** Attaches to the question that is being edited, or else to the next one. */
  attach(...attachments: readonly Attachment[]): void {
    (this.edited.isActive ? this.edited : this.composition).attach(...attachments);
  }

  /** @param agent the name of the agent that acts, if it has a file. */
  async chooseMode(mode: ChatMode, agent?: string): Promise<void> {
    if (mode !== 'ask') await this.runs.load();
    const isSame = agent === this.parameters.own.agent;
    if (mode === 'agent' && isSame && this.parameters.mode === 'agent' && this.parameters.view.mode !== 'agent') {
      throw new Error(l10n.t('The setting “{0}” is on.', 'modelAccess.agent.reviewBeforeWriting'));
    }
    const { customizations } = this.#services;
    const model = agent === undefined || isSame ? undefined : (await customizations.ready()).modelOf(agent);
    this.parameters.chooseMode(mode, agent, model);
  }

  /** Gives the chat a prepared title, unless it has one. */
  giveTitle(title: string): void {
    this.#services.names.give(this, title);
    this.update();
  }

  /** Stops the question on its way, the answers in progress, and the agent. */
  stop(): void {
    this.turns.stop();
    this.runs.stop();
    this.answers.stop();
  }

  /** Stops because the window closes: a run can be continued. */
  interrupt(): void {
    this.runs.interrupt();
    this.turns.stop();
    this.answers.stop();
  }

  /** Resolves when nothing more is written to the conversation, once it was stopped. */
  async ended(): Promise<void> {
    await this.turns.asked;
    await Promise.all([this.answers.ended, this.runs.ended()]);
  }

  /** @throws if too many other chats are running. */
  checkMayRun(): void {
    this.#host.checkMayRun(this);
  }

  /** Reports changes of the conversation to the panel. */
  update(): void {
    this.#changed('conversation');
    this.estimates.update();
  }

  /** Reads what other windows have written. */
  async follow(): Promise<void> {
    const { conversation } = this;
    const records = await conversation.catchUp();
    this.answers.yieldToSuccessor();
    if (records.some(({ type }) => type === 'run')) {
      await this.runs.load();
      this.runs.show();
    }
    if (records.some(({ type }) => type !== 'delta')) {
      await this.images.load(conversation.id, conversation.value.entries);
      this.update();
    }
    if (this.isShown) await this.#elsewhere.show(conversation, records);
  }

  dispose(): void {
    this.stop();
    this.#elsewhere.dispose();
    vscode.Disposable.from(...this.#subscriptions, this.runs, this.estimates).dispose();
  }

  #makeAnswers(): Answers {
    const { estimates, images, runs, post } = this;
    const parameters = this.#services.chatParameters;
    return new Answers(
      { ...this.#services, estimator: estimates.draft, parameters, images, runs, post },
      {
        onDidChange: () => this.update(),
        onEnded: () => void this.#services.names.write(this),
        look: () => this.#look(),
        onTakenOver: () => void vscode.window.showInformationMessage(takenOverText()),
      },
    );
  }

  #makeTurns(): TurnActions {
    const { connection } = this.#services;
    const services = {
      connection,
      reserve: this.estimates.reserve.bind(this.estimates),
      checkMayRun: () => this.checkMayRun(),
    };
    return new TurnActions(this, this.answers, services, () => this.#changed('asking'));
  }

  #changed(change: ChatChange): void {
    this.#viewer?.update(change);
    this.#host.chatChanged(this);
  }

  #updateParameters(): void {
    this.#viewer?.update('parameters');
    this.estimates.update();
    this.estimates.update('edit');
  }

  #look(): void {
    this.follow().catch((error: unknown) =>
      this.#services.log.error('Could not read the changes of another window', error),
    );
  }
}

function takenOverText(): string {
  return l10n.t('This answer continues in another window and was stopped in this one. Nothing received was lost.');
}
