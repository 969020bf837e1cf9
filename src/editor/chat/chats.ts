import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Conversation } from '../../chat/conversation/conversation.ts';
import { conversationOfFile, type FollowedConversation } from '../../chat/conversation/conversationStore.ts';
import { LazyUnsent } from '../../chat/conversation/lazyUnsent.ts';
import { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { ChatHostMessage, RunningChat } from '../../pages/chat/protocol.ts';
import { AppliedCode } from './apply/appliedCode.ts';
import { Chat, type ChatHost, type ChatServices } from './chat.ts';
import { ChatNames } from './chatNames.ts';
import type { Customizations } from './customizations/customizations.ts';
import { ChatParameters } from './parameters/chatParameters.ts';
import { QueuedTexts } from './queuedTexts.ts';

/** The most chats without a viewer in which nothing runs. Messages for a chat that was just left still arrive there. */
const MAX_IDLE = 4;

export interface ChatsServices extends Omit<ChatServices, 'chatParameters' | 'names' | 'unsent' | 'queued'> {
  readonly customizations: Customizations;
  /** Workspace state: which window has kept attachments, and which code was applied. */
  readonly memory: vscode.Memento;
}

/** The chats of this window that are shown, or in which something runs. */
export class Chats implements ChatHost, vscode.Disposable {
  readonly parameters: ChatParameters;
  readonly applied: AppliedCode;
  readonly queued: QueuedTexts;
  readonly #services: ChatServices;
  /** By ID, the one that was used last at the end. */
  readonly #live = new Map<string, Chat>();
  readonly #opening = new Map<string, Promise<Chat | undefined>>();
  readonly #changed = new vscode.EventEmitter<Chat>();
  readonly #runningChanged = new vscode.EventEmitter<readonly RunningChat[]>();
  readonly #ended = new vscode.EventEmitter<Chat>();
  #running: readonly RunningChat[] = [];

  /** Fires when something of a chat has changed. */
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeRunning = this.#runningChanged.event;
  /** Fires when a chat was ended because it is deleted, so that it is no longer shown. */
  readonly onDidEnd = this.#ended.event;

  constructor(services: ChatsServices) {
    const { settings, models, customizations, store, memory, log } = services;
    this.parameters = new ChatParameters(settings, models, customizations);
    this.queued = new QueuedTexts(memory);
    this.applied = new AppliedCode(memory, (message) => this.post(message));
    const onFailure = (error: unknown) => log.error('Could not save the attachments', error);
    const unsent = new LazyUnsent(store, { memory, onFailure });
    this.#services = {
      ...services,
      chatParameters: this.parameters,
      names: new ChatNames(services),
      unsent,
      queued: this.queued,
    };
  }

  /** The chats in which something runs. */
  get running(): readonly RunningChat[] {
    return this.#running;
  }

  /** Returns a chat that is shown, or in which something runs. */
  live(id: string): Chat | undefined {
    return this.#live.get(id);
  }

  /** Posts a message to all chats that are shown. */
  post(message: ChatHostMessage): void {
    for (const chat of this.#live.values()) if (chat.display.isShown) chat.post(message);
  }

  /** Begins a chat. It has no file before its first question. */
  begin(id: string = randomUUID()): Chat {
    return this.#add(this.#chatOf({ conversation: new Conversation(id), end: 0, elsewhere: [], own: [] }));
  }

  /** Returns a chat ready to be shown, or undefined if it does not exist. */
  async open(id: string): Promise<Chat | undefined> {
    const live = this.#live.get(id);
    if (live !== undefined && this.#isNeeded(live)) return live;
    const opening = this.#opening.get(id) ?? this.#read(id);
    this.#opening.set(id, opening);
    try {
      return await opening;
    } finally {
      if (this.#opening.get(id) === opening) this.#opening.delete(id);
    }
  }

  /** Returns the chat that a viewer has shown when the user did something in it. */
  async get(id: string): Promise<Chat> {
    return (await this.#opening.get(id)) ?? this.#live.get(id) ?? (await this.open(id)) ?? this.begin(id);
  }

  stopAll(): void {
    for (const chat of this.#live.values()) chat.stop();
  }

  /** Ends everything in a chat that is deleted. Resolves when nothing more is written to it. */
  async end(id: string): Promise<void> {
    this.#services.names.stop(id);
    const chat = this.#live.get(id);
    if (chat === undefined) return;
    chat.queue.drop();
    chat.stop();
    await chat.ended();
    this.#ended.fire(chat);
    this.#close(chat);
  }

  /** Ends all answers and runs because the window closes. Resolves when everything received is recorded. */
  async close(): Promise<void> {
    this.#services.names.stop();
    const chats = [...this.#live.values()];
    for (const chat of chats) chat.interrupt();
    await Promise.all(chats.map((chat) => chat.ended()));
  }

  /** Reads what other windows have written, in these files or in all. */
  async follow(fileNames?: readonly string[]): Promise<void> {
    const written = fileNames && new Set(fileNames.map(conversationOfFile));
    const chats = [...this.#live.values()].filter((chat) => chat.isNeeded && written?.has(chat.id) !== false);
    await Promise.all(chats.map((chat) => chat.follow()));
  }

  checkMayRun(chat: Chat): void {
    const others = [...this.#live.values()].filter((other) => other !== chat && other.isRunning).length;
    const { maxRunningChats } = this.#services.settings;
    if (others < maxRunningChats) return;
    throw new Error(
      others === 1
        ? l10n.t('Another chat is running. Stop it, or wait until it ends.')
        : l10n.t('{0} other chats are running. Stop one of them, or wait until one ends.', others),
    );
  }

  /** Called when something of a chat has changed, and when it is no longer shown. */
  chatChanged(chat: Chat): void {
    this.#changed.fire(chat);
    const running = [...this.#live.values()].filter(({ isRunning }) => isRunning).map(viewOf);
    if (!isDeepStrictEqual(running, this.#running)) {
      this.#running = running;
      this.#runningChanged.fire(running);
    }
    this.#closeIdle();
  }

  dispose(): void {
    for (const chat of this.#live.values()) chat.dispose();
    vscode.Disposable.from(this.#changed, this.#runningChanged, this.#ended).dispose();
  }

  async #read(id: string): Promise<Chat | undefined> {
    const { store } = this.#services;
    await store.whenWritten();
    const stored = await store.readAndFollow(id);
    if (stored === undefined) return undefined;
    const chat = this.#chatOf(stored);
    await chat.prepare();
    return this.#add(chat);
  }

  #chatOf(followed: FollowedConversation): Chat {
    const { store, log } = this.#services;
    const conversation = new LiveConversation(followed, store, (error) => {
      log.error('The conversation could not be saved', error);
      void vscode.window.showErrorMessage(l10n.t('Model Access could not save the chat. See the log for details.'));
    });
    return new Chat(conversation, this.#services, this);
  }

  /** An earlier one with the same ID is closed: its file was read again. */
  #add(chat: Chat): Chat {
    const earlier = this.#live.get(chat.id);
    if (earlier !== undefined) this.#close(earlier);
    this.#live.set(chat.id, chat);
    this.#closeIdle();
    return chat;
  }

  #closeIdle(): void {
    const idle = [...this.#live.values()].filter((chat) => !this.#isNeeded(chat));
    for (const chat of idle.slice(0, -MAX_IDLE)) this.#close(chat);
  }

  #isNeeded(chat: Chat): boolean {
    return chat.isNeeded || this.#services.names.isWriting(chat.id);
  }

  #close(chat: Chat): void {
    if (this.#live.get(chat.id) === chat) this.#live.delete(chat.id);
    chat.dispose();
  }
}

function viewOf({ id, conversation, isWaiting }: Chat): RunningChat {
  return { id, title: conversation.title, ...(isWaiting && { isWaiting }) };
}
