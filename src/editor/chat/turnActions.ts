import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ChatComposition } from '../../chat/composition.ts';
import type { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import type { ConversationStore } from '../../chat/conversation/conversationStore.ts';
import { attachmentsOf, type Entry, isSpoken, type Question } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { ConversationRecord } from '../../chat/conversation/record.ts';
import type { UndoOffers } from '../../chat/undo.ts';
import { defined } from '../../formats/json.ts';
import type { AnswerTurn } from '../../pages/chat/protocol.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Answers } from './answers/answers.ts';
import type { EditedQuestion } from './editedQuestion.ts';
import type { ConversationParameters } from './parameters/conversationParameters.ts';
import type { RunFollower } from './runFollower.ts';

/** Makes a model continue an answer that ended early. It is sent but never shown. */
const GO_ON: Question = { role: 'user', id: 'go-on', text: 'Continue exactly where you stopped.', attachments: [] };

/** The maximum number of models that answer side by side. */
const MAX_MODELS = 3;

/** What shows the conversation. */
export interface Stage {
  readonly conversation: LiveConversation;
  readonly composition: ChatComposition;
  readonly edited: EditedQuestion;
  readonly parameters: ConversationParameters;
  readonly images: ConversationImages;
  readonly undo: UndoOffers;
  readonly runs: RunFollower;
  /** Reports changes of the conversation to the panel. */
  update(): void;
  /** Makes the window show this conversation again after a restart. */
  remember(): Promise<void>;
  open(id: string): Promise<boolean>;
}

interface TypedQuestion {
  /** The text without blanks around it. */
  readonly question: string;
  readonly models: readonly string[];
  readonly shown: string | undefined;
}

interface AskedQuestion extends Pick<Question, 'text' | 'attachments'> {
  readonly shown: string | undefined;
}

export interface TurnActionsServices {
  readonly connection: ConnectionManager;
  readonly store: ConversationStore;
  /**
   * Returns whether the question may be sent to these models, or to the chat's model if there are none: the user's limits
   * allow it, or the user does.
   */
  readonly mayAsk: (next: 'draft' | 'edit', models: readonly string[]) => Promise<boolean>;
}

/** The user's actions on the questions and answers of the conversation shown. */
export class TurnActions {
  readonly #stage: Stage;
  readonly #answers: Answers;
  readonly #services: TurnActionsServices;
  /** The question that is on its way: limits, files, and images are awaited before its request begins. */
  #claim: PromiseWithResolvers<void> | undefined;

  constructor(stage: Stage, answers: Answers, services: TurnActionsServices) {
    this.#stage = stage;
    this.#answers = answers;
    this.#services = services;
  }

  /**
   * Sends a question with its attachments to one model, or to several side by side. If it cannot be sent, because an
   * answer is in progress in this or another window or the user's limits forbid it, it is put back into the composer,
   * which the panel has emptied.
   * @param shown a short sentence that is shown instead of a text that the user did not write.
   * @throws if there is no connection.
   */
  async send(text: string, models: readonly string[] = [], shown?: string): Promise<void> {
    const question = text.trim();
    const { composition } = this.#stage;
    if (question === '' && composition.attachments.length === 0) return;
    if (this.#claim !== undefined) return composition.putBack(text);
    await this.#once(() => this.#send(text, { question, models, shown }));
  }

  async #send(text: string, { question, models, shown }: TypedQuestion): Promise<void> {
    const { composition } = this.#stage;
    let isAllowed = false;
    try {
      isAllowed = await this.#maySend(models);
    } finally {
      if (!isAllowed) composition.putBack(text);
    }
    if (!isAllowed) return;
    const attachments = composition.take(text);
    const before = this.#value.entries;
    await this.#stage.conversation.catchUp();
    // Another window may have sent a question at the same moment. This one then gets a branch of its own.
    const entries = this.#isBusy ? before : this.#value.entries;
    await this.#sendAfter(entries, { text: question, shown, attachments }, models);
  }

  /** Sends a question like {@link send}, after the one on its way and the answers in progress in this window have ended. */
  async sendNext(text: string): Promise<void> {
    while (this.#claim !== undefined || this.#answers.areRunning) {
      await this.#claim?.promise;
      await this.#answers.ended;
    }
    await this.send(text);
  }

  /** Sends an edited question in a new branch, with the attachments and the model of the edit. */
  edit(turnId: string, text: string): Promise<void> {
    return this.#once(() => this.#edit(turnId, text));
  }

  async #edit(turnId: string, text: string): Promise<void> {
    const { entries } = this.#value;
    const place = entries.findIndex(({ id }) => id === turnId);
    const question = entries[place];
    if (this.#isBusy || question?.role !== 'user') return;
    const { edited, parameters } = this.#stage;
    const { attachments, model } = edited.versionOf(question);
    if (text.trim() === '' && attachments.length === 0) return;
    this.#requireConnection();
    if (!(await this.#mayAsk('edit', []))) return;
    if (model !== parameters.model) parameters.decide({ ...parameters.own, model });
    const asked = text.trim();
    const shown = asked === question.text ? question.shown : undefined;
    await this.#sendAfter(entries.slice(0, place), { text: asked, shown, attachments }, []);
  }

  /**
   * Requests the answer again, from the chat's model unless others are named. The previous answer stays as a branch
   * unless it is empty.
   */
  askAgain(turnId: string, models: readonly string[] = []): Promise<void> {
    return this.#once(() => this.#askAgain(turnId, models));
  }

  async #askAgain(turnId: string, models: readonly string[]): Promise<void> {
    const { entries } = this.#value;
    const place = entries.findIndex(({ id }) => id === turnId);
    const turn = entries[place];
    if (this.#isBusy || turn === undefined) return;
    this.#requireConnection();
    if (!(await this.#mayAsk('draft', models))) return;
    const isAnswer = turn.role === 'assistant';
    if (isAnswer && !isSpoken(turn)) this.#stage.conversation.record({ type: 'removed', id: turnId });
    await this.#ask(entries.slice(0, isAnswer ? place : place + 1), models);
  }

  /** Lets the model continue an answer that was cut off, stopped, or interrupted. The new text is appended to it. */
  continueAnswer(turnId: string): Promise<void> {
    return this.#once(() => this.#continueAnswer(turnId));
  }

  async #continueAnswer(turnId: string): Promise<void> {
    const { entries } = this.#value;
    const place = entries.findIndex(({ id }) => id === turnId);
    const answer = entries[place];
    if (this.#isBusy || answer?.role !== 'assistant') return;
    if (answer.run !== undefined) {
      // The agent makes sure that a run continues once.
      this.#begun();
      return this.#stage.runs.receive({ type: 'continueRun' });
    }
    if (answer.text === '') return this.#askAgain(turnId, []);
    this.#requireConnection();
    if (!(await this.#services.mayAsk('draft', []))) return;
    const { conversation } = this.#stage;
    // Another window may be generating it again, or may have continued it at the same moment.
    await conversation.catchUp();
    if (this.#isBusy || !conversation.value.isVisible(turnId)) return this.#stage.update();
    const continued = await this.#own(conversation.value.answer(turnId) ?? answer);
    await this.#answers.ask({
      conversation,
      entries: [...entries.slice(0, place), continued, GO_ON],
      continued,
      onBegun: this.#begun,
    });
  }

  /** Shows another branch. `position` is counted from 1. */
  showBranch(turnId: string, position: number): void {
    const chosen = this.#value.siblingsOf(turnId)[position - 1];
    if (chosen === undefined || this.#isAsking) return;
    this.#record({ type: 'chosen', id: chosen });
  }

  /** Removes a question with its answers, or a single answer, from the conversation. The turns after it stay. */
  remove(turnId: string): void {
    if (this.#isAsking) return;
    const entry = this.#value.entry(turnId);
    if (entry === undefined) return;
    const ids = entry.role === 'user' ? [turnId, ...this.#answersTo(turnId)] : [turnId];
    const { conversation } = this.#stage;
    this.#record(...ids.map((id): ConversationRecord => ({ type: 'removed', id })));
    this.#stage.undo.offer({
      text: entry.role === 'user' ? l10n.t('Question deleted.') : l10n.t('Answer deleted.'),
      undo: () => {
        for (const id of ids) conversation.record({ type: 'restored', id });
        conversation.record({ type: 'chosen', id: turnId });
        if (conversation === this.#stage.conversation) this.#stage.update();
      },
    });
  }

  /** Keeps one of the answers shown side by side. The others stay as branches. */
  keep(turnId: string): void {
    if (this.#isAsking || !this.#value.comparison.some(({ id }) => id === turnId)) return;
    this.#record({ type: 'kept', id: turnId });
  }

  /** Copies the conversation up to and including this turn into a new one, and shows it. */
  async fork(turnId: string): Promise<void> {
    const { conversation } = this.#stage;
    const id = randomUUID();
    const { workspace } = this.#services.store;
    const { forkRecords } = await import('../../chat/conversation/fork.ts');
    const records = forkRecords(conversation.value, turnId, { id, workspace });
    if (records === undefined) return;
    const { images } = this.#stage;
    await images.load(conversation.id, conversation.value.all);
    await images.keep(id, attachmentsOf(conversation.value.all));
    await this.#services.store.append(id, records);
    await this.#stage.open(id);
  }

  get #value() {
    return this.#stage.conversation.value;
  }

  /**
   * Asks a question, unless another one is on its way. The claim ends when the request has begun, because `#isBusy` is
   * true from then on, or when nothing was asked.
   */
  async #once(ask: () => Promise<void>): Promise<void> {
    if (this.#claim !== undefined) return;
    const claim = Promise.withResolvers<void>();
    this.#claim = claim;
    try {
      await ask();
    } finally {
      // A question whose request has begun leaves the claim to the next one.
      if (this.#claim === claim) this.#begun();
    }
  }

  /** Called when a request has begun. */
  readonly #begun = (): void => {
    this.#claim?.resolve();
    this.#claim = undefined;
  };

  /** Whether a question is on its way or being answered. */
  get #isAsking(): boolean {
    return this.#claim !== undefined || this.#isBusy;
  }

  get #isBusy(): boolean {
    const { runs, conversation } = this.#stage;
    return this.#answers.areRunning || runs.isBusy || conversation.isAnsweredElsewhere;
  }

  /** Returns the answer if this window wrote it, or else an answer of this window that replaces it. */
  async #own(answer: AnswerTurn): Promise<AnswerTurn> {
    const { conversation } = this.#stage;
    if (conversation.isOwn(answer.id)) return answer;
    const { takeOver } = await import('../../chat/conversation/takeOver.ts');
    const own = takeOver(conversation, answer);
    this.#stage.update();
    return own;
  }

  #answersTo(questionId: string): string[] {
    return this.#value.all
      .filter(({ id, role }) => role === 'assistant' && this.#value.parentOf(id) === questionId)
      .map(({ id }) => id);
  }

  async #sendAfter(
    before: readonly Entry[],
    { text, shown, attachments }: AskedQuestion,
    models: readonly string[],
  ): Promise<void> {
    const isFirst = this.#value.isEmpty;
    const parent = before.at(-1)?.id ?? null;
    await this.#stage.images.keep(this.#stage.conversation.id, attachments);
    this.#stage.parameters.keepModel();
    this.#record({
      type: 'question',
      id: randomUUID(),
      at: Date.now(),
      parent,
      text,
      ...defined({ shown }),
      attachments,
    });
    if (isFirst) await this.#stage.remember();
    await this.#ask(this.#value.entries, models);
  }

  async #maySend(models: readonly string[]): Promise<boolean> {
    if (this.#isBusy || this.#value.comparison.length > 0) return false;
    this.#requireConnection();
    return this.#mayAsk('draft', models);
  }

  /**
   * Returns whether the limits allow the question, and nothing else was asked meanwhile.
   * @throws if the agent is to answer, and cannot.
   */
  async #mayAsk(next: 'draft' | 'edit', models: readonly string[]): Promise<boolean> {
    if (!(await this.#services.mayAsk(next, distinct(models)))) return false;
    if (this.#acts(models)) await this.#stage.runs.checkMayAct();
    return !this.#isBusy;
  }

  /** Other models than the chat's only answer. */
  #acts(models: readonly string[]): boolean {
    return models.length === 0 && this.#stage.parameters.acts;
  }

  async #ask(entries: readonly Entry[], models: readonly string[] = []): Promise<void> {
    const { conversation, runs, undo } = this.#stage;
    undo.endLasting();
    await this.#stage.images.load(conversation.id, entries);
    const asked = distinct(models);
    if (this.#acts(asked)) return runs.start(entries, this.#begun);
    await this.#answers.ask({
      conversation,
      entries,
      ...(asked.length > 0 && { models: asked }),
      onBegun: this.#begun,
    });
  }

  #record(...records: readonly ConversationRecord[]): void {
    for (const record of records) this.#stage.conversation.record(record);
    this.#stage.update();
  }

  #requireConnection(): void {
    if (this.#services.connection.open === undefined)
      throw new Error(l10n.t('Set a service key or try the sandbox first.'));
  }
}

/** The models that answer side by side. */
function distinct(models: readonly string[]): readonly string[] {
  return [...new Set(models)].slice(0, MAX_MODELS);
}
