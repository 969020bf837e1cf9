import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatChange, ChatViewer } from '../../chat/chatViewer.ts';
import { UndoOffers } from '../../chat/undo.ts';
import type { ChatHostMessage, ChatState } from '../../pages/chat/protocol.ts';
import type { Chat } from './chat.ts';
import type { Chats } from './chats.ts';
import { StateView, type StateViewServices } from './panel/stateView.ts';
import { Presets } from './parameters/presets.ts';

/** The key in the workspace state for the ID of the chat that the panel showed last. */
const SHOWN_KEY = 'modelAccess.conversation';

export interface ChatSessionServices extends StateViewServices {
  readonly chats: Chats;
  /** Workspace state: which chat the panel shows. Undefined for a tab, which the editor restores. */
  readonly memory?: vscode.Memento;
}

/** What a panel or tab shows: one of the chats, and what happens when another one is chosen. */
export class ChatSession implements ChatViewer, vscode.Disposable {
  readonly panel = new PanelChannel();
  readonly undo = new UndoOffers(this.panel.post);
  readonly presets: Presets;
  readonly #services: ChatSessionServices;
  readonly #view: StateView;
  readonly #subscription: vscode.Disposable;
  #chat: Chat;
  /** The ID of the last chat without a question that was left with attachments. It becomes the next new one. */
  #leftEmpty: string | undefined;
  /** Whether the last chat without a question was left with a message. The next new one shows it again. */
  #leftMessage = false;
  /** Identifies the last choice of a chat. */
  #choice = {};
  /** The ID of the chat that is shown again after a restart. */
  #remembered: string | undefined;

  constructor(services: ChatSessionServices) {
    const { chats, settings } = services;
    this.#services = services;
    this.presets = new Presets(settings);
    this.#chat = chats.begin();
    this.#view = new StateView(services, this);
    this.#subscription = chats.onDidEnd((chat) => chat === this.#chat && this.#show(chats.begin()));
    this.#chat.display.viewer = this;
  }

  /** The chat that is shown. */
  get chat(): Chat {
    return this.#chat;
  }

  get customizations() {
    return this.#services.customizations;
  }

  get parameters() {
    return this.#chat.parameters;
  }

  get applied() {
    return this.#services.chats.applied;
  }

  get state(): ChatState {
    return this.#view.state;
  }

  get isVisible(): boolean {
    return this.panel.isVisible();
  }

  reveal(): unknown {
    return this.panel.reveal();
  }

  post(message: ChatHostMessage): void {
    this.panel.post(message);
  }

  update(change: ChatChange): void {
    if (change === 'conversation' || change === 'attachments') this.#remember();
    this.#view.update(change);
  }

  /** Restores the chat that this window showed last, and the attachments of its next question. */
  async restore(): Promise<void> {
    const { chats, memory } = this.#services;
    const id = memory?.get<string>(SHOWN_KEY);
    if (id === undefined || (await this.open(id))) return;
    const choice = this.#choose();
    const empty = chats.begin(id);
    await empty.restoreUnsent();
    if (choice === this.#choice && empty.composition.attachments.length > 0) this.#show(empty);
  }

  /**
   * Shows a chat, unless another one is chosen meanwhile. A chat that is shown elsewhere, in the panel or a tab, is
   * revealed there. Returns false if it does not exist.
   */
  async open(id: string): Promise<boolean> {
    const choice = this.#choose();
    if (id === this.#chat.id) return true;
    const chat = await this.#services.chats.open(id);
    if (chat === undefined) return false;
    if (choice !== this.#choice) return true;
    if (chat.display.viewer !== undefined) {
      await chat.display.viewer.reveal();
      return true;
    }
    this.#show(chat);
    await chat.restoreUnsent();
    return true;
  }

  /** Shows a new chat, in the same mode. */
  async startNew(): Promise<void> {
    const { mode: _, ...others } = this.parameters.own;
    if (this.#chat.conversation.value.isNew && Object.keys(others).length === 0) return;
    const { mode } = this.parameters;
    const chat = this.#services.chats.begin(this.#leftEmpty);
    // It is no longer empty once it has a question.
    this.#leftEmpty = undefined;
    // Before it is shown, because its first question may be sent at once.
    if (mode !== 'ask') chat.conversation.record({ type: 'parameters', parameters: { mode } });
    this.#show(chat);
    if (this.#leftMessage) this.#offerEmpty(chat);
    this.#leftMessage = false;
    await chat.restoreUnsent();
  }

  /** From now on, includes the parameters that the chosen format does not support in the panel's state. */
  async checkParameters(): Promise<void> {
    await this.#services.chats.parameters.loadFormats();
    this.#view.update('parameters');
  }

  /** Called by the panel or tab when its page has been loaded and has received the state. */
  repeat(): void {
    this.undo.repeat();
    this.applied.repeat();
    this.#chat.display.repeat(this.#chat.composition.draft);
  }

  dispose(): void {
    this.#chat.hide();
    vscode.Disposable.from(this.#subscription, this.#view, this.undo, this.panel).dispose();
  }

  /** Called when the user has chosen a chat. Earlier ones that are still being read are not shown then. */
  #choose(): object {
    this.#choice = {};
    return this.#choice;
  }

  /** Nothing is awaited between the choice and the state that the panel receives. */
  #show(chat: Chat): void {
    this.#choose();
    const left = this.#chat;
    const { attachments, draft } = left.composition;
    if (left.conversation.value.isNew) {
      this.#leftEmpty = attachments.length > 0 ? left.id : undefined;
      this.#leftMessage = attachments.length > 0 || draft.trim() !== '';
    }
    left.hide();
    this.undo.endOfChat();
    this.#chat = chat;
    chat.display.viewer = this;
    this.#view.show();
    chat.display.repeat(chat.composition.draft);
    this.#remember();
    chat.refresh();
    this.#services.chats.chatChanged(left);
  }

  /** Says why a new chat is not empty, and lets the user empty it. */
  #offerEmpty({ composition }: Chat): void {
    this.undo.offer({
      isOfChat: true,
      text: l10n.t('Unsent message restored.'),
      undo: () => {
        composition.compose('');
        for (const { id } of composition.attachments) composition.detach(id);
      },
    });
  }

  /** Makes the panel show this chat again after a restart. */
  #remember(): void {
    const { memory } = this.#services;
    const { id } = this.#chat;
    if (memory === undefined || id === this.#remembered) return;
    this.#remembered = id;
    void memory.update(SHOWN_KEY, id);
  }
}

/** The messages to a panel or tab. While no page exists, they are dropped; a new one requests the whole state. */
class PanelChannel implements vscode.Disposable {
  readonly #posted = new vscode.EventEmitter<ChatHostMessage>();

  readonly onDidPost = this.#posted.event;

  /** Returns whether the user sees the page. Set by the view. */
  isVisible: () => boolean = () => false;

  /** Shows the panel or tab. Set by the view. */
  reveal: () => unknown = () => undefined;

  readonly post = (message: ChatHostMessage): void => this.#posted.fire(message);

  dispose(): void {
    this.#posted.dispose();
  }
}
