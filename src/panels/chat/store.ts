import { computed, type ReadonlySignal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type {
  ChatHostMessage,
  ChatPanelMessage,
  ChatState,
  HistoryView,
  NextStep,
  NoticeView,
  PanelTransport,
} from '../../editor/chat/protocol.ts';
import { announcementFor } from './announcements.ts';
import { Composition } from './composer/composition.ts';
import { canBeSent } from './composer/obstacle.ts';
import { Pictures } from './context/pictures.ts';
import { Diagrams } from './markdown/diagram/diagrams.ts';
import { WorkspaceFiles } from './markdown/workspaceFiles.ts';
import { MessageQueue } from './messageQueue.ts';
import { PanelMemory } from './panelMemory.ts';
import type { Popover } from './popover.ts';
import { reduce } from './reduce.ts';
import { isAnsweredElsewhere, openComparison, runningAnswer } from './turns.ts';

/** What the panel takes from the page around it. */
export interface StoreHost {
  /** Runs `flush` at the start of a frame, soon. */
  schedule(flush: () => void): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The panel's state as signals, and what a person can do with the conversation, the history and what is open. */
export class ChatStore {
  /** Undefined until the host's first snapshot. */
  readonly state: ReadonlySignal<ChatState | undefined>;
  /** What outlives the page. */
  readonly memory: PanelMemory;
  /** What is being written. */
  readonly composition: Composition;
  readonly popover = signal<Popover | undefined>(undefined);
  /** What the live region says; `count` tells a repeated text from the one before. */
  readonly announcement = signal({ text: '', count: 0 });
  /** What stands in the place of the chat. */
  readonly page = signal<'chat' | 'history'>('chat');
  /** Undefined until the host has answered. */
  readonly history = signal<HistoryView | undefined>(undefined);
  /** Models that the next question goes to side by side; fewer than two are none. */
  readonly compared = signal<readonly string[]>([]);
  /** The question that is being edited, by its id. */
  readonly editing = signal<string | undefined>(undefined);
  /** What was just done and can be undone. */
  readonly notice = signal<NoticeView | undefined>(undefined);
  /** Counts up when the composer shall take the focus. */
  readonly focusRequests = signal(0);
  /** Counts up when one of the answers side by side must be kept first. */
  readonly keepRequests = signal(0);
  /** Counts up when the thread shall go to its end. */
  readonly sends = signal(0);
  /** Whether an answer of this window is on its way, which can be stopped. */
  readonly running: ReadonlySignal<boolean>;
  /**
   * Whether an answer is on its way here or in another window: the conversation cannot be changed meanwhile. Not the answer
   * itself, which changes with every frame: all turns watch this.
   */
  readonly busy: ReadonlySignal<boolean>;
  readonly canSend: ReadonlySignal<boolean>;
  readonly now: () => number;
  /** Files that answers name. */
  readonly files = new WorkspaceFiles((paths) => this.post({ type: 'findFiles', paths }));
  /** Of images that are attached. */
  readonly pictures = new Pictures((picture) => this.post({ type: 'loadPicture', picture }));
  readonly diagrams = new Diagrams(() => this.post({ type: 'loadDiagrams' }));

  readonly #state = signal<ChatState | undefined>(undefined);
  readonly #transport: PanelTransport;
  readonly #messages: MessageQueue;

  constructor(transport: PanelTransport, { schedule, now }: StoreHost) {
    this.#transport = transport;
    this.#messages = new MessageQueue(schedule, (message) => this.#apply(message));
    this.now = now;
    this.state = this.#state;
    this.memory = new PanelMemory(transport);
    this.composition = new Composition(this.memory, this);
    this.running = computed(() => runningAnswer(this.#state.value) !== undefined);
    this.busy = computed(() => this.running.value || isAnsweredElsewhere(this.#state.value));
    this.canSend = computed(() => !this.busy.value && canBeSent(this.#state.value, this.composition.draft.value));
  }

  /** Starts to listen and asks for the snapshot. @returns a function that ends it. */
  start(): () => void {
    const stop = this.#transport.listen((message) => this.#messages.add(message));
    this.post({ type: 'ready' });
    const text = this.composition.draft.value;
    if (text !== '') this.post({ type: 'draft', text });
    return stop;
  }

  post(message: ChatPanelMessage): void {
    this.#transport.post(message);
  }

  send(): void {
    if (!this.canSend.value) {
      this.#askToKeep();
      return;
    }
    const models = this.compared.value;
    this.post({ type: 'send', text: this.composition.draft.value, ...(models.length > 1 && { models }) });
    this.compared.value = [];
    this.composition.setDraft('');
    this.sends.value += 1;
  }

  /** Takes one of the answers that stand side by side, and goes on writing. */
  keep(turnId: string): void {
    this.post({ type: 'keep', turnId });
    this.takeFocus();
  }

  stop(): void {
    if (this.running.value) this.post({ type: 'stop' });
  }

  /** Choosing a model happens here, in the picker; all other steps are the host's. */
  takeStep(step: NextStep, turnId: string): void {
    if (step === 'chooseModel') this.popover.value = 'models';
    else this.post({ type: 'step', step, turnId });
  }

  openConversation(conversationId: string): void {
    this.post({ type: 'openConversation', conversationId });
    this.closeHistory();
  }

  newConversation(): void {
    this.post({ type: 'newConversation' });
    this.closeHistory();
  }

  closeHistory(): void {
    this.page.value = 'chat';
    this.post({ type: 'closeHistory' });
    this.takeFocus();
  }

  edit(turnId: string): void {
    if (!this.busy.value) this.editing.value = turnId;
  }

  /** Edits the last question. */
  editLast(): void {
    const last = this.state.value?.turns.findLast(({ role }) => role === 'user');
    if (last !== undefined) this.edit(last.id);
  }

  sendEdited(turnId: string, text: string): void {
    this.closeEditor();
    this.post({ type: 'edit', turnId, text });
    this.sends.value += 1;
  }

  closeEditor(): void {
    this.editing.value = undefined;
    this.takeFocus();
  }

  undo(): void {
    const notice = this.notice.value;
    if (notice !== undefined) this.post({ type: 'undo', noticeId: notice.id });
    this.dismissNotice();
  }

  dismissNotice(): void {
    this.notice.value = undefined;
    this.takeFocus();
  }

  toggle(popover: Popover): void {
    this.popover.value = this.popover.value === popover ? undefined : popover;
  }

  /** Closes what is open and gives the focus back to the composer. */
  closePopover(): void {
    this.popover.value = undefined;
    this.takeFocus();
  }

  /** Lets the composer take the focus. */
  takeFocus(): void {
    this.focusRequests.value += 1;
  }

  announce(text: string): void {
    this.announcement.value = { text, count: this.announcement.value.count + 1 };
  }

  /** Says why nothing is sent while answers stand side by side, and leads to them. */
  #askToKeep(): void {
    if (this.busy.value || openComparison(this.state.value).length === 0) return;
    this.announce(l10n.t('Keep one of the answers first.'));
    this.keepRequests.value += 1;
  }

  #notify(notice: NoticeView): void {
    this.notice.value = notice;
    this.announce(`${notice.text} ${l10n.t('You can undo this above the message.')}`);
  }

  #apply(message: ChatHostMessage): void {
    const before = this.#state.value;
    const after = reduce(before, message);
    this.#state.value = after;
    const announcement = announcementFor(before, after, message, this.now());
    if (announcement !== undefined) this.announce(announcement);
    const { composition } = this;
    if (message.type === 'context') composition.context.receive(message.query, message.choices, message.unsearched);
    if (message.type === 'prompts') composition.prompts.all.value = message.prompts;
    if (message.type === 'showHistory') this.page.value = 'history';
    if (message.type === 'history') this.history.value = message.history;
    if (message.type === 'notice') this.#notify(message.notice);
    if (message.type === 'files') this.files.receive(message.found);
    if (message.type === 'picture') void this.pictures.receive(message.picture, message.data);
    if (message.type === 'diagrams') this.diagrams.supply(message.code);
    if (message.type === 'compose') composition.setDraft(message.text);
    if (message.type === 'compose' || message.type === 'focus') {
      if (this.page.value === 'history') this.closeHistory();
      else this.takeFocus();
    }
  }
}
