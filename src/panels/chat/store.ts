/** The panel's state as signals, and everything a person can do in it. */
import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type {
  AnswerTurn,
  ChatState,
  HistoryView,
  HostMessage,
  NextStep,
  NoticeView,
  PanelMessage,
  PanelTransport,
  PromptView,
} from '../../editor/chat/protocol.ts';
import { announcementFor } from './announcements.ts';
import { cannotFit, contextWindowOf } from './composer/contextWindow.ts';
import { stepped } from './composer/modelList.ts';
import { matchingPrompts, promptQuery } from './prompts/promptMatches.ts';
import { reduce } from './reduce.ts';
import { openComparison, runningAnswer } from './turns.ts';

export type Popover = 'models' | 'formats' | 'parameters' | 'prompts' | 'breakdown';

/** What the panel takes from the page around it. */
export interface Surroundings {
  /** Runs `flush` at the next frame. */
  schedule(flush: () => void): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

export class ChatStore {
  /** Undefined until the host's first snapshot. */
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly draft: Signal<string>;
  readonly popover = signal<Popover | undefined>(undefined);
  /** What the live region says; `count` tells a repeated text from the one before. */
  readonly announcement = signal({ text: '', count: 0 });
  /** What stands in the place of the chat. */
  readonly page = signal<'chat' | 'history'>('chat');
  /** Undefined until the host has answered. */
  readonly history = signal<HistoryView | undefined>(undefined);
  /** Models that the next question goes to side by side; fewer than two are none. */
  readonly compared = signal<readonly string[]>([]);
  readonly prompts = signal<readonly PromptView[]>([]);
  /** The prompts that match the draft, and which of them the keys are at. */
  readonly promptChoice: ReadonlySignal<{ readonly matches: readonly PromptView[]; readonly active: number }>;
  readonly #activePrompt = signal(0);
  /** The question that is being edited, by its id. */
  readonly editing = signal<string | undefined>(undefined);
  /** What was just done and can be undone. */
  readonly notice = signal<NoticeView | undefined>(undefined);
  /** Counts up when the composer shall take the focus. */
  readonly focusRequests = signal(0);
  /** Counts up when the thread shall go to its end. */
  readonly sends = signal(0);
  /** The answer that is on its way, if any. */
  readonly running: ReadonlySignal<AnswerTurn | undefined>;
  readonly canSend: ReadonlySignal<boolean>;
  readonly now: () => number;

  readonly #state = signal<ChatState | undefined>(undefined);
  readonly #transport: PanelTransport;
  readonly #schedule: Surroundings['schedule'];
  #waiting: HostMessage[] = [];
  #scheduled = false;

  constructor(transport: PanelTransport, { schedule, now }: Surroundings) {
    this.#transport = transport;
    this.#schedule = schedule;
    this.now = now;
    this.state = this.#state;
    this.draft = signal(transport.getDraft());
    this.promptChoice = computed(() => {
      const matches = matchingPrompts(this.prompts.value, promptQuery(this.draft.value) ?? '');
      return { matches, active: Math.min(this.#activePrompt.value, matches.length - 1) };
    });
    this.running = computed(() => runningAnswer(this.#state.value));
    this.canSend = computed(() => mayBeSent(this.#state.value, this.draft.value, this.running.value));
  }

  /** Starts to listen and asks for the snapshot. @returns a function that ends it. */
  start(): () => void {
    const stop = this.#transport.listen((message) => this.#receive(message));
    this.post({ type: 'ready' });
    if (this.draft.value !== '') this.post({ type: 'draft', text: this.draft.value });
    return stop;
  }

  post(message: PanelMessage): void {
    this.#transport.post(message);
  }

  setDraft(text: string): void {
    this.draft.value = text;
    this.#transport.setDraft(text);
    this.post({ type: 'draft', text });
  }

  /** The person has typed: a slash that stands first opens the list of prompts. */
  type(text: string): void {
    const isFirst = promptQuery(this.draft.value) === undefined;
    this.setDraft(text);
    this.#activePrompt.value = 0;
    if (promptQuery(text) === undefined) {
      if (this.popover.value === 'prompts') this.popover.value = undefined;
    } else if (isFirst) {
      this.post({ type: 'listPrompts' });
      this.popover.value = 'prompts';
    }
  }

  movePrompt(step: 1 | -1): void {
    const { matches, active } = this.promptChoice.value;
    this.#activePrompt.value = stepped(active, step, matches.length);
  }

  /** Puts a prompt into the composer: the one the keys are at, unless another is named. */
  usePrompt(prompt = this.promptChoice.value.matches[this.promptChoice.value.active]): void {
    if (prompt === undefined) return;
    this.popover.value = undefined;
    this.post({ type: 'usePrompt', promptId: prompt.id });
  }

  send(): void {
    if (!this.canSend.value) return;
    const models = this.compared.value;
    this.post({ type: 'send', text: this.draft.value, ...(models.length > 1 && { models }) });
    this.compared.value = [];
    this.setDraft('');
    this.sends.value += 1;
  }

  stop(): void {
    if (this.running.value !== undefined) this.post({ type: 'stop' });
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
    this.focusRequests.value += 1;
  }

  edit(turnId: string): void {
    if (this.running.value === undefined) this.editing.value = turnId;
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
    this.focusRequests.value += 1;
  }

  undo(): void {
    const notice = this.notice.value;
    if (notice !== undefined) this.post({ type: 'undo', noticeId: notice.id });
    this.dismissNotice();
  }

  dismissNotice(): void {
    this.notice.value = undefined;
    this.focusRequests.value += 1;
  }

  toggle(popover: Popover): void {
    this.popover.value = this.popover.value === popover ? undefined : popover;
  }

  /** Closes what is open and gives the focus back to the composer. */
  closePopover(): void {
    this.popover.value = undefined;
    this.focusRequests.value += 1;
  }

  announce(text: string): void {
    this.announcement.value = { text, count: this.announcement.value.count + 1 };
  }

  /** Deltas wait for the next frame; anything else is applied at once, after those that wait. */
  #receive(message: HostMessage): void {
    this.#waiting.push(message);
    if (message.type !== 'delta') {
      this.#flush();
    } else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#schedule(() => this.#flush());
    }
  }

  #flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    this.#scheduled = false;
    batch(() => {
      for (const message of messages) this.#apply(message);
    });
  }

  #notify(notice: NoticeView): void {
    this.notice.value = notice;
    this.announce(`${notice.text} Undo is offered above the message.`);
  }

  #apply(message: HostMessage): void {
    const before = this.#state.value;
    const after = reduce(before, message);
    this.#state.value = after;
    const announcement = announcementFor(before, after, message, this.now());
    if (announcement !== undefined) this.announce(announcement);
    if (message.type === 'prompts') this.prompts.value = message.prompts;
    if (message.type === 'showHistory') this.page.value = 'history';
    if (message.type === 'history') this.history.value = message.history;
    if (message.type === 'notice') this.#notify(message.notice);
    if (message.type === 'compose') this.setDraft(message.text);
    if (message.type === 'compose' || message.type === 'focus') {
      if (this.page.value === 'history') this.closeHistory();
      else this.focusRequests.value += 1;
    }
  }
}

function mayBeSent(state: ChatState | undefined, draft: string, running: AnswerTurn | undefined): boolean {
  if (state === undefined || state.connection === 'none' || running !== undefined) return false;
  if (draft.trim() === '' || state.balance.state === 'exhausted' || openComparison(state).length > 0) return false;
  return !cannotFit(state.estimate, contextWindowOf(state));
}
