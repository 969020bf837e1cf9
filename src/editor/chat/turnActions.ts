import { randomUUID } from 'node:crypto';
import { type Entry, isSpoken, type Question } from '../../chat/conversation/entry.ts';
import type { Attachment } from '../../chat/conversation/record.ts';
import { defined } from '../../formats/json.ts';
import { Claim, type HeldClaim } from '../claim.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import { requiredConnection } from '../connection/requiredConnection.ts';
import type { Answers } from './answers/answers.ts';
import type { ChatEstimates, NextQuestion } from './chatEstimates.ts';
import type { ChatParts } from './chatParts.ts';
import type { RequestParts } from './requestEstimate.ts';

/** Makes a model continue an answer that ended early. It is sent but never shown. */
const GO_ON: Question = { role: 'user', id: 'go-on', text: 'Continue exactly where you stopped.', attachments: [] };

/** Nothing is asked beside what is asked again. */
const NO_DRAFT = { draft: '', attachments: [] };

/** The maximum number of models that answer side by side. */
const MAX_MODELS = 3;

/** How a question is answered. */
interface Way {
  /** The models that answer side by side. None for the chat's model. */
  readonly models: readonly string[];
  /** Whether the agent answers. */
  readonly acts: boolean;
}

/** A question on its way. */
interface QuestionClaim extends HeldClaim {
  /** Ends what the user's limits have reserved. It is called when the request has ended, or is not sent. */
  release: () => void;
}

interface AskedQuestion extends Pick<Question, 'text' | 'attachments'> {
  readonly shown: string | undefined;
}

/** A chat in which questions are asked. */
interface AskingChat extends ChatParts {
  readonly estimates: Pick<ChatEstimates, 'reserve'>;
  /** @throws if too many other chats are running. */
  checkMayRun(): void;
}

/** The user's questions in a chat, and requests for other answers. */
export class TurnActions {
  readonly #chat: AskingChat;
  readonly #answers: Answers;
  readonly #connection: ConnectionManager;
  /**
   * The question that is on its way: limits, files, and images are awaited before its request begins. If it is stopped and
   * was sent from the composer, it is put back.
   */
  readonly claim: Claim;

  /** @param onDidChange called when a question is on its way, and when it no longer is. */
  constructor(chat: AskingChat, answers: Answers, connection: ConnectionManager, onDidChange: () => void) {
    this.#chat = chat;
    this.#answers = answers;
    this.#connection = connection;
    this.claim = new Claim(onDidChange);
  }

  /** Whether a question is on its way: its request has not begun. */
  get isAsking(): boolean {
    return this.claim.isHeld;
  }

  /**
   * Sends a question with its attachments to one model, or to several side by side. If it cannot be sent, because an
   * answer is in progress in this or another window, the user's limits forbid it, or the user stops it, it is put back
   * into the composer, which the panel has emptied.
   * @param shown a short sentence that is shown instead of a text that the user did not write.
   * @throws if there is no connection.
   */
  async send(text: string, models: readonly string[] = [], shown?: string): Promise<void> {
    const { composition } = this.#chat;
    if (text.trim() === '' && composition.attachments.length === 0) return;
    if (this.claim.isHeld) return composition.putBack(text);
    await this.#once((asking) => this.#send({ text, shown, attachments: [] }, this.#wayOf(models), asking));
  }

  async #send({ text, shown }: AskedQuestion, way: Way, asking: QuestionClaim): Promise<void> {
    const { composition, conversation } = this.#chat;
    let attachments: readonly Attachment[] = [];
    let running: Promise<void> | undefined;
    try {
      if (!(await this.#maySend(text, way, asking))) return;
      attachments = composition.take(text);
      const before = this.#value.entries;
      await conversation.catchUp();
      // Another window may have sent a question at the same moment. This one then gets a branch of its own.
      const entries = this.isBusy ? before : this.#value.entries;
      const ask = await this.#readyAfter(entries, { text: text.trim(), shown, attachments }, way, asking);
      if (this.#mayBegin(asking)) running = ask();
    } finally {
      if (running === undefined) {
        composition.putBack(text);
        if (attachments.length > 0) composition.attach(...attachments);
      }
      asking.end();
    }
    await running;
  }

  /** Sends a question like {@link send}, after the one on its way and what is in progress in the chat have ended. */
  async sendNext(text: string): Promise<void> {
    while (this.isAsking || this.isRunning) {
      await this.claim.ended;
      await this.#answers.ended;
      await this.#chat.runs.ended();
    }
    await this.send(text);
  }

  /** Sends an edited question in a new branch, with the attachments and the model of the edit. */
  async edit(turnId: string, text: string): Promise<void> {
    await this.#once((asking) => this.#edit(turnId, text, asking));
  }

  async #edit(turnId: string, text: string, asking: QuestionClaim): Promise<void> {
    const { entries } = this.#value;
    const place = entries.findIndex(({ id }) => id === turnId);
    const question = entries[place];
    if (this.isBusy || question?.role !== 'user') return;
    const { edited, parameters } = this.#chat;
    const { attachments, model } = edited.versionOf(question);
    if (text.trim() === '' && attachments.length === 0) return;
    this.#checkMayAsk();
    const way = this.#wayOf([]);
    if (!(await this.#mayAsk('edit', { draft: text, attachments }, way, asking))) return;
    const asked = text.trim();
    const shown = asked === question.text ? question.shown : undefined;
    const ask = await this.#readyAfter(entries.slice(0, place), { text: asked, shown, attachments }, way, asking);
    if (!this.#mayBegin(asking)) return;
    if (model !== parameters.model) parameters.decide({ ...parameters.own, model });
    await begun(asking, ask());
  }

  /**
   * Requests the answer again, from the chat's model unless others are named. The previous answer stays as a branch
   * unless it is empty.
   */
  async askAgain(turnId: string, models: readonly string[] = []): Promise<void> {
    await this.#once((asking) => this.#askAgain(turnId, this.#wayOf(models), asking));
  }

  async #askAgain(turnId: string, way: Way, asking: QuestionClaim): Promise<void> {
    const { entries } = this.#value;
    const place = entries.findIndex(({ id }) => id === turnId);
    const turn = entries[place];
    if (this.isBusy || turn === undefined) return;
    this.#checkMayAsk();
    const isAnswer = turn.role === 'assistant';
    const asked = entries.slice(0, isAnswer ? place : place + 1);
    if (!(await this.#mayAsk('draft', { entries: asked, ...NO_DRAFT }, way, asking))) return;
    const ask = await this.#ready(asked, way, asking);
    if (!this.#mayBegin(asking)) return;
    if (isAnswer && !isSpoken(turn)) this.#chat.conversation.record({ type: 'removed', id: turnId });
    await begun(asking, ask(asked));
  }

  /** Lets the model continue an answer that was cut off, stopped, or interrupted. The new text is appended to it. */
  async continueAnswer(turnId: string): Promise<void> {
    const answer = this.#value.answer(turnId);
    // The agent makes sure that a run continues once.
    if (answer?.run !== undefined && !this.isAsking) return this.#chat.runs.receive({ type: 'continueRun' });
    if (answer?.text === '') return this.askAgain(turnId);
    await this.#once((asking) => this.#continueAnswer(turnId, asking));
  }

  async #continueAnswer(turnId: string, asking: QuestionClaim): Promise<void> {
    const { entries } = this.#value;
    const place = entries.findIndex(({ id }) => id === turnId);
    const answer = entries[place];
    if (this.isBusy || answer?.role !== 'assistant') return;
    this.#checkMayAsk();
    const { conversation } = this.#chat;
    const sent = { entries: entries.slice(0, place + 1), draft: GO_ON.text, attachments: [] };
    if (!(await this.#mayAsk('draft', sent, { models: [answer.model], acts: false }, asking))) return;
    const { takeOver } = await import('../../chat/conversation/abandonedAnswers.ts');
    const ask = await this.#answers.ready();
    // Another window may be generating it again, or may have continued it at the same moment.
    await conversation.catchUp();
    if (this.isBusy || !this.#mayBegin(asking) || !conversation.value.isVisible(turnId)) return this.#chat.update();
    const latest = conversation.value.answer(turnId) ?? answer;
    const continued = conversation.isOwn(latest.id) ? latest : takeOver(conversation, latest);
    this.#chat.update();
    await begun(asking, ask({ conversation, entries: [...entries.slice(0, place), continued, GO_ON], continued }));
  }

  get #value() {
    return this.#chat.conversation.value;
  }

  /** Asks a question, unless another one is on its way. */
  async #once(ask: (asking: QuestionClaim) => Promise<void>): Promise<void> {
    await this.claim.hold(async (claim) => {
      const asking: QuestionClaim = { ...claim, release: () => undefined };
      await ask(asking).finally(() => asking.release());
    });
  }

  /** Whether an answer or a run is in progress in this window. */
  get isRunning(): boolean {
    return this.#answers.areRunning || this.#chat.runs.isBusy;
  }

  /** Whether the chat cannot be changed, because it is being answered here or in another window. */
  get isBusy(): boolean {
    return this.isRunning || this.#chat.conversation.isAnsweredElsewhere;
  }

  /** Other models than the chat's only answer. */
  #wayOf(models: readonly string[]): Way {
    const asked = [...new Set(models)].slice(0, MAX_MODELS);
    return { models: asked, acts: asked.length === 0 && this.#chat.parameters.acts };
  }

  async #maySend(draft: string, way: Way, asking: QuestionClaim): Promise<boolean> {
    if (this.isBusy || this.#value.comparison.length > 0) return false;
    this.#checkMayAsk();
    const { attachments } = this.#chat.composition;
    return this.#mayAsk('draft', { draft, attachments }, way, asking);
  }

  /**
   * Returns whether the limits allow the question, and nothing else was asked meanwhile.
   * @throws if the agent is to answer, and cannot.
   */
  async #mayAsk(
    next: NextQuestion,
    sent: Partial<RequestParts>,
    { models, acts }: Way,
    asking: QuestionClaim,
  ): Promise<boolean> {
    const release = await this.#chat.estimates.reserve(next, models, sent);
    if (release === undefined) return false;
    asking.release = release;
    if (acts) await this.#chat.runs.checkMayAct();
    return !asking.stop.aborted && !this.isBusy;
  }

  /** The last check before a request: nothing is awaited from here to its beginning. */
  #mayBegin({ stop }: QuestionClaim): boolean {
    return !stop.aborted && !this.isRunning;
  }

  /** Keeps the images of a question. Returns what records it, and begins its request in the same turn. */
  async #readyAfter(
    before: readonly Entry[],
    { text, shown, attachments }: AskedQuestion,
    way: Way,
    asking: QuestionClaim,
  ): Promise<() => Promise<void>> {
    const { conversation, images, parameters } = this.#chat;
    const stored = attachments.flatMap(({ image }) => image ?? []);
    await images.keep(conversation.id, stored);
    const ask = await this.#ready(before, way, asking);
    return async () => {
      const parent = before.at(-1)?.id ?? null;
      const place = { id: randomUUID(), at: Date.now(), parent };
      parameters.keepModel();
      conversation.record({ type: 'question', ...place, text, ...defined({ shown }), attachments });
      this.#chat.update();
      await ask(this.#value.entries);
    };
  }

  /** Loads what a request needs. Returns what begins it in the same turn. */
  async #ready(
    entries: readonly Entry[],
    { models, acts }: Way,
    asking: QuestionClaim,
  ): Promise<(asked: readonly Entry[]) => Promise<void>> {
    const { conversation, images, runs, undo } = this.#chat;
    await images.load(conversation.id, entries);
    const start = acts ? await runs.ready() : undefined;
    const ask = await this.#answers.ready();
    return (asked) => {
      undo?.endLasting();
      if (start !== undefined) return start(asked, asking.release);
      return ask({ conversation, entries: asked, ...(models.length > 0 && { models }) });
    };
  }

  #checkMayAsk(): void {
    requiredConnection(this.#connection);
    this.#chat.checkMayRun();
  }
}

/** Ends the claim of a question whose request has begun: from here on, the request shows that it is in progress. */
function begun(asking: QuestionClaim, running: Promise<void>): Promise<void> {
  asking.end();
  return running;
}
