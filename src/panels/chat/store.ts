/** The panel's state as signals, and everything a person can do in it. */

import { batch, computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import type {
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
import { stepped } from './composer/modelList.ts';
import { obstacle } from './composer/obstacle.ts';
import { ContextList } from './context/contextList.ts';
import { withoutMention } from './context/mention.ts';
import { Pictures } from './context/pictures.ts';
import { Diagrams } from './markdown/diagram/diagrams.ts';
import { WorkspaceFiles } from './markdown/workspaceFiles.ts';
import { PanelMemory } from './panelMemory.ts';
import { matchingPrompts, promptQuery } from './prompts/promptMatches.ts';
import { reduce } from './reduce.ts';
import { isAnsweredElsewhere, openComparison, runningAnswer } from './turns.ts';

export type Popover = 'models' | 'formats' | 'parameters' | 'prompts' | 'context' | 'breakdown' | 'more' | 'filter';

/** What the panel takes from the page around it. */
export interface Surroundings {
  /** Runs `flush` at the start of a frame, soon. */
  schedule(flush: () => void): void;
  /** Milliseconds since the epoch. */
  now(): number;
}

export class ChatStore {
  /** Undefined until the host's first snapshot. */
  readonly state: ReadonlySignal<ChatState | undefined>;
  readonly draft: Signal<string>;
  /** What outlives the page. */
  readonly memory: PanelMemory;
  /** Where the cursor goes after a change of the draft that was not typed. */
  readonly cursor = signal<{ readonly at: number } | undefined>(undefined);
  readonly popover = signal<Popover | undefined>(undefined);
  /** What the live region says; `count` tells a repeated text from the one before. */
  readonly announcement = signal({ text: '', count: 0 });
  /** What stands in the place of the chat. */
  readonly page = signal<'chat' | 'history'>('chat');
  /** Undefined until the host has answered. */
  readonly history = signal<HistoryView | undefined>(undefined);
  /** Models that the next question goes to side by side; fewer than two are none. */
  readonly compared = signal<readonly string[]>([]);
  /** What can be attached. */
  readonly context = new ContextList((message) => this.post(message));
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
  readonly #schedule: Surroundings['schedule'];
  #waiting: HostMessage[] = [];
  #scheduled = false;

  constructor(transport: PanelTransport, { schedule, now }: Surroundings) {
    this.#transport = transport;
    this.#schedule = schedule;
    this.now = now;
    this.state = this.#state;
    this.memory = new PanelMemory(transport);
    this.draft = signal(this.memory.draft);
    this.promptChoice = computed(() => {
      const matches = matchingPrompts(this.prompts.value, promptQuery(this.draft.value) ?? '');
      return { matches, active: Math.min(this.#activePrompt.value, matches.length - 1) };
    });
    this.running = computed(() => runningAnswer(this.#state.value) !== undefined);
    this.busy = computed(() => this.running.value || isAnsweredElsewhere(this.#state.value));
    this.canSend = computed(() => mayBeSent(this.#state.value, this.draft.value, this.busy.value));
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
    this.memory.draft = text;
    this.post({ type: 'draft', text });
  }

  /** The person has typed: a slash that stands first opens the list of prompts, an `@` that of what can be attached. */
  type(text: string, cursor = text.length): void {
    const isFirst = promptQuery(this.draft.value) === undefined;
    this.setDraft(text);
    this.#activePrompt.value = 0;
    if (promptQuery(text) === undefined) {
      if (this.popover.value === 'prompts') this.popover.value = undefined;
    } else if (isFirst) {
      this.post({ type: 'listPrompts' });
      this.popover.value = 'prompts';
    }
    this.#followMention(this.context.follow(text, cursor));
  }

  /** Writes an `@` at the end and opens the list of what can be attached, or closes it. */
  mention(): void {
    if (this.popover.value === 'context') {
      this.closeChoices();
      return;
    }
    const draft = this.draft.value;
    const text = draft === '' || /\s$/.test(draft) ? `${draft}@` : `${draft} @`;
    this.setDraft(text);
    this.focusRequests.value += 1;
    this.#followMention(this.context.follow(text, text.length, true));
  }

  /** Attaches what was chosen in the place of the mention. */
  attach(choice = this.context.chosen): void {
    const { mention } = this.context;
    if (choice === undefined || mention === undefined) return;
    this.#takeMention();
    this.popover.value = undefined;
    this.post({ type: 'attach', choiceId: choice.id });
    this.focusRequests.value += 1;
  }

  /** The list above the composer whose keys the composer takes, when something is in it. */
  get choosing(): 'prompts' | 'context' | undefined {
    const popover = this.popover.value;
    if (popover === 'prompts' && this.promptChoice.value.matches.length > 0) return popover;
    return popover === 'context' && this.context.chosen !== undefined ? popover : undefined;
  }

  moveChoice(step: 1 | -1): void {
    if (this.choosing === 'context') this.context.move(step);
    else this.#movePrompt(step);
  }

  useChoice(): void {
    if (this.choosing === 'context') this.attach();
    else this.usePrompt();
  }

  closeChoices(): void {
    if (this.popover.value === 'context' && this.context.isButtonsOwn) this.#takeMention();
    this.closePopover();
  }

  #movePrompt(step: 1 | -1): void {
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
    if (!this.canSend.value) {
      this.#askToKeep();
      return;
    }
    const models = this.compared.value;
    this.post({ type: 'send', text: this.draft.value, ...(models.length > 1 && { models }) });
    this.compared.value = [];
    this.setDraft('');
    this.sends.value += 1;
  }

  /** Takes one of the answers that stand side by side, and goes on writing. */
  keep(turnId: string): void {
    this.post({ type: 'keep', turnId });
    this.focusRequests.value += 1;
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
    this.focusRequests.value += 1;
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

  /** Deltas wait for a frame; anything else is applied at once, after those that wait. */
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

  #followMention(mention: ReturnType<ContextList['follow']>): void {
    if (mention === 'opened') this.popover.value = 'context';
    else if (mention === 'none' && this.popover.value === 'context') this.popover.value = undefined;
  }

  #takeMention(): void {
    const { mention } = this.context;
    if (mention === undefined) return;
    const text = withoutMention(this.draft.value, mention);
    this.cursor.value = { at: mention.start };
    this.setDraft(text);
    this.context.follow(text, 0);
  }

  /** Says why nothing is sent while answers stand side by side, and leads to them. */
  #askToKeep(): void {
    if (this.busy.value || openComparison(this.state.value).length === 0) return;
    this.announce(l10n.t('Keep one of the answers first.'));
    this.keepRequests.value += 1;
  }

  #notify(notice: NoticeView): void {
    this.notice.value = notice;
    this.announce(`${notice.text} ${l10n.t('Undo is offered above the message.')}`);
  }

  #apply(message: HostMessage): void {
    const before = this.#state.value;
    const after = reduce(before, message);
    this.#state.value = after;
    const announcement = announcementFor(before, after, message, this.now());
    if (announcement !== undefined) this.announce(announcement);
    if (message.type === 'context') this.context.receive(message.query, message.choices, message.unsearched);
    if (message.type === 'prompts') this.prompts.value = message.prompts;
    if (message.type === 'showHistory') this.page.value = 'history';
    if (message.type === 'history') this.history.value = message.history;
    if (message.type === 'notice') this.#notify(message.notice);
    if (message.type === 'files') this.files.receive(message.found);
    if (message.type === 'picture') void this.pictures.receive(message.picture, message.data);
    if (message.type === 'diagrams') this.diagrams.supply(message.code);
    if (message.type === 'compose') this.setDraft(message.text);
    if (message.type === 'compose' || message.type === 'focus') {
      if (this.page.value === 'history') this.closeHistory();
      else this.focusRequests.value += 1;
    }
  }
}

function mayBeSent(state: ChatState | undefined, draft: string, busy: boolean): boolean {
  if (state === undefined || state.connection === 'none' || busy) return false;
  if (draft.trim() === '' && state.attachments.length === 0) return false;
  return openComparison(state).length === 0 && obstacle(state) === undefined;
}
