import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { ChatPanelMessage, PanelTransport } from '../../pages/chat/panelMessages.ts';
import type { ChatHostMessage, ChatState, FailureAction, HistoryView, StarterView } from '../../pages/chat/protocol.ts';
import { isActing } from './agent/runs.ts';
import { announcementFor, isAnswerBegun } from './announcements.ts';
import { AskedModels } from './composer/askedModels.ts';
import { ComposerState } from './composer/composerState.ts';
import { QueuedMessage } from './composer/queuedMessage.ts';
import { Sending } from './composer/sending.ts';
import { UndoableAction } from './composer/undoableAction.ts';
import { Pictures } from './context/pictures.ts';
import { Diagrams } from './markdown/diagram/diagrams.ts';
import { LinkedFiles } from './markdown/workspaceFiles.ts';
import { MessageQueue } from './messageQueue.ts';
import { PanelMemory } from './panelMemory.ts';
import type { Popover } from './popover.ts';
import { reduce } from './reduce.ts';
import { QuestionEditor } from './thread/questionEditor.ts';
import { attachedFiles, isAnsweredElsewhere, runningAnswer } from './turns.ts';

/** What the panel needs from the page. */
export interface StoreHost {
  /** Runs `flush` at the start of a coming frame. */
  schedule(flush: () => void): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The panel's state as signals, and the actions on the chat, the history, and popovers. */
export class ChatStore {
  /** Undefined until the host's first snapshot. */
  readonly state: ReadonlySignal<ChatState | undefined>;
  /** State that survives reloads of the page. */
  readonly memory: PanelMemory;
  /** The message that is being written. */
  readonly composition: ComposerState;
  /** The message that waits for the end of an answer. */
  readonly queue: QueuedMessage;
  /** Sends the message that is being written. */
  readonly sending: Sending;
  /** The models that are asked next. */
  readonly models: AskedModels;
  readonly popover = signal<Popover | undefined>(undefined);
  /** The text of the live region; `count` distinguishes repeated texts. */
  readonly announcement = signal({ text: '', count: 0 });
  /** Whether the chat or the list of saved chats is shown. */
  readonly page = signal<'chat' | 'history'>('chat');
  /** The turn that the thread is to scroll to. */
  readonly shownTurn = signal<string | undefined>(undefined);
  /** Undefined until the host has answered. */
  readonly history = signal<HistoryView | undefined>(undefined);
  /** The attached files, each in a line: a string, because all code reads it and the state changes with every frame. */
  readonly attached = computed(() => attachedFiles(this.#state.value).join('\n'));
  /** The keys of the code of answers of which a change was accepted. */
  readonly applied = signal<ReadonlySet<string>>(new Set());
  /** The suggested prompts of an empty chat. */
  readonly starters = signal<readonly StarterView[]>([]);
  /** The question that is being edited. */
  readonly editor: QuestionEditor;
  readonly undoable = new UndoableAction(this);
  /** Incremented to focus the composer. */
  readonly focusRequests = signal(0);
  /** Whether the button that keeps a side-by-side answer takes the focus, as soon as it is drawn. */
  readonly keepFocus = signal(false);
  /** Incremented to scroll the thread to its end. */
  readonly sends = signal(0);
  /** Whether a question of this window is on its way or being answered, which can be stopped. */
  readonly running: ReadonlySignal<boolean>;
  /**
   * Whether an answer is in progress in this window or another: the chat cannot be changed meanwhile. A boolean instead
   * of the answer, because all turns read it and the answer changes with every frame.
   */
  readonly busy: ReadonlySignal<boolean>;
  /** Whether anything can be asked. Without a connection, chats can only be read. */
  readonly isConnected = computed(() => this.#state.value?.connection !== 'none');
  /** Whether a run is in progress or waits for the user: messages go to its next step. */
  readonly acting: ReadonlySignal<boolean>;
  readonly now: () => number;
  /** The files that answers name. */
  readonly files = new LinkedFiles((paths) => this.post({ type: 'findFiles', paths }));
  /** Thumbnails of attached images. */
  readonly pictures = new Pictures((picture) => this.post({ type: 'loadPicture', picture }));
  readonly diagrams = new Diagrams(() => this.post({ type: 'loadDiagrams' }));

  readonly #state = signal<ChatState | undefined>(undefined);
  readonly #transport: PanelTransport;
  readonly #messages: MessageQueue;
  #afterStop: (() => void) | undefined;

  constructor(transport: PanelTransport, { schedule, now }: StoreHost) {
    this.#transport = transport;
    this.#messages = new MessageQueue(schedule, (message) => this.#apply(message));
    this.now = now;
    this.state = this.#state;
    this.memory = new PanelMemory(transport);
    this.composition = new ComposerState(this.memory, this);
    this.running = computed(
      () => this.#state.value?.isAsking === true || runningAnswer(this.#state.value) !== undefined,
    );
    this.acting = computed(() => isActing(this.#state.value));
    this.busy = computed(
      () =>
        this.running.value || this.acting.value || isAnsweredElsewhere(this.#state.value) || !this.isConnected.value,
    );
    this.queue = new QueuedMessage(this);
    this.editor = new QuestionEditor(this);
    this.models = new AskedModels(this);
    this.sending = new Sending(this);
  }

  /**
   * Starts to listen and requests the snapshot.
   * @returns a function that stops listening.
   */
  start(): () => void {
    const stop = this.#transport.listen((message) => this.#messages.add(message));
    this.post({ type: 'ready' });
    const text = this.composition.draft.value;
    if (text !== '') this.post({ type: 'draft', text });
    return stop;
  }

  post(message: ChatPanelMessage): void {
    this.#transport.post(message, this.#state.value?.conversationId);
  }

  /** Stops the answer in progress, and calls `next` when it has ended. */
  stopThen(next: () => void): void {
    this.#afterStop = next;
    this.stop();
  }

  #answerEnded(): void {
    const next = this.#afterStop;
    this.#afterStop = undefined;
    next?.();
  }

  /** Keeps one of the side-by-side answers and focuses the composer. */
  keep(turnId: string): void {
    this.post({ type: 'keep', turnId });
    this.takeFocus();
  }

  /**
   * Stops the answer or the run. The focus moves to the composer, because the stop button disappears when the answer
   * ends.
   */
  stop(): void {
    if (!this.running.value && !this.acting.value) return;
    this.post({ type: 'stop' });
    this.takeFocus();
  }

  /** Copies the chat up to this turn into a new one, whose message gets the focus. */
  fork(turnId: string): void {
    this.post({ type: 'fork', turnId });
    this.takeFocus();
  }

  /** Deletes a turn, whose button had the focus. */
  removeTurn(turnId: string): void {
    this.post({ type: 'removeTurn', turnId });
    this.takeFocus();
  }

  /** Ends the delay before a retry. */
  retryNow(turnId: string): void {
    this.post({ type: 'retryNow', turnId });
    this.takeFocus();
  }

  /** Sends a suggested prompt of an empty chat, or inserts it into the composer. */
  useStarter(id: StarterView['id']): void {
    this.post({ type: 'starter', action: 'use', id });
    this.takeFocus();
  }

  /**
   * Performs the next step of an answer. A model is chosen in the picker here; all other steps are performed by the
   * host.
   */
  takeStep(step: FailureAction, turnId: string): void {
    if (step === 'chooseModel') this.popover.value = 'models';
    else this.post({ type: 'step', step, turnId });
    if (step === 'retry' || step === 'continue') this.takeFocus();
  }

  openConversation(conversationId: string): void {
    this.post({ type: 'openConversation', conversationId });
    this.closeHistory();
  }

  newConversation(): void {
    this.post({ type: 'newConversation' });
    this.closeHistory();
  }

  openHistory(): void {
    this.popover.value = undefined;
    this.page.value = 'history';
  }

  closeHistory(): void {
    this.page.value = 'chat';
    this.post({ type: 'closeHistory' });
    this.takeFocus();
  }

  toggle(popover: Popover): void {
    this.popover.value = this.popover.value === popover ? undefined : popover;
  }

  /** Closes the open popover and focuses the composer. */
  closePopover(): void {
    this.popover.value = undefined;
    this.takeFocus();
  }

  scrollToEnd(): void {
    this.sends.value += 1;
  }

  /** Focuses the composer. */
  takeFocus(): void {
    this.keepFocus.value = false;
    this.focusRequests.value += 1;
  }

  announce(text: string): void {
    this.announcement.value = { text, count: this.announcement.value.count + 1 };
  }

  /** Shows the draft of the chat, and drops a restored one that was sent in the meantime. */
  #followDraft({ conversationId, turns }: ChatState, isRestored: boolean): void {
    const questionId = turns.findLast(({ role }) => role === 'user')?.id ?? '';
    const draft = this.memory.follow({ conversationId, questionId }, isRestored);
    if (draft !== undefined && draft !== this.composition.draft.value) this.composition.setDraft(draft);
  }

  #showTurn(id: string): void {
    if (this.page.value === 'history') this.closeHistory();
    this.shownTurn.value = id;
  }

  #apply(message: ChatHostMessage): void {
    const before = this.#state.value;
    const after = reduce(before, message);
    this.#state.value = after;
    if (after !== undefined) this.#followDraft(after, before === undefined);
    const isSame = before?.conversationId === after?.conversationId;
    // The first thing to see with a connection is the chat.
    if (before?.connection === 'none' && after?.connection !== 'none') this.page.value = 'chat';
    if (isSame && runningAnswer(before) !== undefined && runningAnswer(after) === undefined) this.#answerEnded();
    if (isSame && isAnswerBegun(before, after)) this.scrollToEnd();
    const announcement = announcementFor(before, after, message, this.now());
    if (announcement !== undefined) this.announce(announcement);
    const { composition } = this;
    if (message.type === 'context') composition.receiveContext(message);
    if (message.type === 'attachedPage') composition.attachedPage(message.choiceId, message.page);
    if (message.type === 'prompts') composition.prompts.all.value = message.prompts;
    if (message.type === 'showHistory') this.openHistory();
    if (message.type === 'showTurn') this.#showTurn(message.turnId);
    if (message.type === 'history') this.history.value = message.history;
    if (message.type === 'starters') this.starters.value = message.starters;
    if (message.type === 'notice') this.undoable.show(message.notice);
    if (message.type === 'noticeWithdrawn') this.undoable.withdraw(message.noticeId);
    if (message.type === 'applied') this.applied.value = new Set(message.codes);
    if (message.type === 'files') this.files.receive(message.found);
    if (message.type === 'picture') void this.pictures.receive(message.picture, message.data);
    if (message.type === 'diagrams') this.diagrams.supply(message.code);
    const asks = message.type === 'compose' || (message.type === 'turnAdded' && message.turn.role === 'user');
    if (asks) this.editor.questionId.value = undefined;
    if (message.type === 'compose') composition.setDraft(message.text);
    if (message.type === 'compose' || message.type === 'focus') {
      if (this.page.value === 'history') this.closeHistory();
      else this.takeFocus();
    }
  }
}
