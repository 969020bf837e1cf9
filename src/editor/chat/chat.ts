import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { RemoteAnswers } from '../../chat/answers/remoteAnswers.ts';
import { type ChatChange, ChatDisplay } from '../../chat/chatViewer.ts';
import { ChatComposition } from '../../chat/composition.ts';
import { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { hasStep } from '../../chat/conversation/entry.ts';
import type { LazyUnsent } from '../../chat/conversation/lazyUnsent.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { turnsOf } from '../../chat/panel/turns.ts';
import type { UndoOffers } from '../../chat/undo.ts';
import type { ChatMode, ChatTurn, RunView } from '../../pages/chat/protocol.ts';
import { Answers, type AnswersServices } from './answers/answers.ts';
import { ChatEstimates, type ChatEstimatesServices } from './chatEstimates.ts';
import type { ChatNames } from './chatNames.ts';
import type { ChatParts } from './chatParts.ts';
import { ChatQueue } from './chatQueue.ts';
import { EditedQuestion } from './editedQuestion.ts';
import type { ChatParameters } from './parameters/chatParameters.ts';
import { ConversationParameters } from './parameters/conversationParameters.ts';
import type { QueuedTexts } from './queuedTexts.ts';
import { type Agent, RunFollower } from './runFollower.ts';
import { TurnActions } from './turnActions.ts';

export interface ChatServices
  extends ChatEstimatesServices,
    Pick<AnswersServices, 'balance' | 'calls' | 'connection' | 'customizations' | 'log' | 'models'> {
  readonly store: ConversationStore;
  readonly chatParameters: ChatParameters;
  readonly names: ChatNames;
  readonly unsent: LazyUnsent;
  readonly queued: QueuedTexts;
  readonly loadAgent: (chat: Chat, onDidChange: (run: RunView | undefined) => void) => Promise<Agent>;
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
  readonly display = new ChatDisplay();
  readonly post = this.display.post;
  /** The question being written. */
  readonly composition: ChatComposition;
  readonly edited: EditedQuestion;
  /** The message that waits for the end of an answer. */
  readonly queue: ChatQueue;
  readonly turns: TurnActions;
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
      onDidChange: () => {
        this.display.update('parameters');
        this.estimates.update();
        this.estimates.update('edit');
      },
    });
    this.#elsewhere = new RemoteAnswers(conversation, {
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
        this.display.update('attachments');
      },
    );
    this.edited = new EditedQuestion({
      conversation,
      model: () => this.parameters.model,
      changed: async (attachment) => (await import('./context/updatedAttachment.ts')).updatedAttachment(attachment),
      post: this.post,
      onDidChange: () => this.estimates.update('edit'),
    });
    this.estimates = new ChatEstimates(this, services);
    this.queue = new ChatQueue(this, services, () => this.#changed('queued'));
    this.answers = this.#makeAnswers();
    this.turns = new TurnActions(this, this.answers, services.connection, () => this.#changed('asking'));
    this.#subscriptions = [
      this.runs.onDidChange(() => this.#changed('run')),
      this.estimates.draft.onDidChange(() => this.display.update('estimate')),
      this.estimates.edit.onDidChange(() => this.display.update('editEstimate')),
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
    return this.display.viewer?.undo;
  }

  /** Its title for questions to the user, who does not see it; undefined for a chat in sight. */
  get titleInBackground(): string | undefined {
    return this.display.isVisible ? undefined : this.conversation.title;
  }

  /** Whether closing it would lose something that is nowhere else. */
  get isNeeded(): boolean {
    return this.display.isShown || this.isRunning || this.display.hasUnseenDraft || this.queue.isNeeded;
  }

  /** The conversation's turns as the panel shows them, with the answers in progress. */
  get shownTurns(): readonly ChatTurn[] {
    const { value, elsewhere } = this.conversation;
    const isInterrupted = this.runs.view?.state === 'interrupted';
    return turnsOf(value, { running: this.answers.turns, elsewhere, isInterrupted });
  }

  /** Loads what the chat shows, before it is shown. */
  async prepare(): Promise<void> {
    const { value } = this.conversation;
    const { entries } = value;
    // A helper that was interrupted goes on with the images that its tools have returned.
    const ofHelpers = entries.flatMap(({ id }) => value.helpersOf(id)).flatMap((helper) => helper.entries);
    await this.images.load(this.id, [...entries, ...ofHelpers]);
    if (this.parameters.acts || hasStep(entries)) await this.runs.load();
  }

  /** Updates the panel, once the viewer has the chat's state. */
  refresh(): void {
    this.runs.show();
    this.#elsewhere.follow();
    this.estimates.update();
    this.restoreUnsent();
    this.#elsewhere
      .finishLost()
      .catch((error: unknown) => this.#services.log.warn('Could not read what stopped answers have used', error));
  }

  /** Called when the viewer shows another chat. */
  hide(): void {
    this.display.viewer = undefined;
    this.runs.hide();
    this.#elsewhere.dispose();
    this.estimates.cancel();
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
    this.turns.claim.stop();
    this.runs.stop();
    this.answers.stop();
  }

  /** Stops because the window closes: a run can be continued. */
  interrupt(): void {
    this.runs.interrupt();
    this.turns.claim.stop();
    this.answers.stop();
  }

  /** Resolves when nothing more is written to the conversation, once it was stopped. */
  async ended(): Promise<void> {
    await this.turns.claim.ended;
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
    if (this.display.isShown) await this.#elsewhere.show(records);
  }

  dispose(): void {
    this.stop();
    this.#elsewhere.dispose();
    vscode.Disposable.from(...this.#subscriptions, this.runs, this.estimates).dispose();
  }

  #makeAnswers(): Answers {
    const { estimates, images, runs, post } = this;
    return new Answers(
      { ...this.#services, estimator: estimates.draft, parameters: this.#services.chatParameters, images, runs, post },
      {
        onDidChange: () => this.update(),
        onEnded: () => {
          void this.#services.names.write(this);
          this.queue.sendAfterAnswer();
        },
        look: () => this.#look(),
        onTakenOver: () =>
          void vscode.window.showInformationMessage(
            l10n.t('This answer continues in another window and was stopped in this one. Nothing received was lost.'),
          ),
      },
    );
  }

  #changed(change: ChatChange): void {
    this.display.update(change);
    this.#host.chatChanged(this);
  }

  #look(): void {
    this.follow().catch((error: unknown) =>
      this.#services.log.error('Could not read the changes of another window', error),
    );
  }
}
