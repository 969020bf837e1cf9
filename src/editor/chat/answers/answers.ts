import { randomUUID } from 'node:crypto';
import type { ConversationImages } from '../../../chat/conversation/conversationImages.ts';
import { type Entry, hasStep } from '../../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import { buildRequest, withInstructions } from '../../../chat/request.ts';
import type { ChatRequest, FormatName } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/json.ts';
import type { AnswerTurn, ChatHostMessage } from '../../../pages/chat/protocol.ts';
import type { BaseServices } from '../../baseServices.ts';
import { requiredConnection } from '../../connection/requiredConnection.ts';
import type { Customizations } from '../customizations/customizations.ts';
import type { Estimator } from '../estimator.ts';
import type { ChatParameters } from '../parameters/chatParameters.ts';
import type { RunFollower } from '../runFollower.ts';
import type { Answering, AnsweringOptions, AskedStep } from './answering.ts';

/** How often other windows are notified that answers are in progress, in milliseconds. */
const TOUCH_MS = 1000;

export interface AnswersServices extends Pick<BaseServices, 'balance' | 'calls' | 'connection' | 'log' | 'models'> {
  readonly estimator: Estimator;
  readonly parameters: ChatParameters;
  readonly customizations: Customizations;
  readonly images: ConversationImages;
  readonly runs: RunFollower;
  /** Posts a message to the panel or tab that shows the chat. */
  readonly post: (message: ChatHostMessage) => void;
}

export interface Ask {
  readonly conversation: LiveConversation;
  /** The entries to send. The answer follows the last one. */
  readonly entries: readonly Entry[];
  /** Several models answer side by side. Defaults to the conversation's model. */
  readonly models?: readonly string[];
  /** The answer to continue. */
  readonly continued?: AnswerTurn;
  /** The answer is a step of the agent. */
  readonly step?: AskedStep;
}

export interface AnswersListener {
  /** Called when answers have started or ended. */
  readonly onDidChange: () => void;
  /** Called when all answers to a question, or a step of the agent, have ended. */
  readonly onEnded: () => void;
  /** Reads what other windows have written in the meantime. */
  readonly look: () => void;
  /** Called when an answer was stopped here because another window continues it. */
  readonly onTakenOver: () => void;
}

/** The answers in progress in a chat of this window. */
export class Answers {
  readonly #services: AnswersServices;
  readonly #listener: AnswersListener;
  #running: readonly Answering[] = [];
  #ending: Promise<unknown> = Promise.resolve();

  constructor(services: AnswersServices, listener: AnswersListener) {
    this.#services = services;
    this.#listener = listener;
  }

  /** Answers that run beside these, of a helper of the agent. They are shown by whoever asks for them. */
  beside(onDidChange: () => void): Answers {
    const nothing = () => undefined;
    const listener = { onDidChange, onEnded: nothing, look: nothing, onTakenOver: nothing };
    return new Answers({ ...this.#services, post: onDidChange }, listener);
  }

  get areRunning(): boolean {
    return this.#running.length > 0;
  }

  /** The current turns of the answers in progress. */
  get turns(): readonly AnswerTurn[] {
    return this.#running.flatMap(({ turn }) => turn ?? []);
  }

  /** Resolves when the answers in progress have ended, with or without an error. */
  get ended(): Promise<unknown> {
    return this.#ending;
  }

  stop(): void {
    for (const answering of this.#running) answering.stop();
  }

  /** Stops the answers. Resolves when everything received is written. */
  async stopped(): Promise<void> {
    this.stop();
    await this.#ending;
  }

  /** Stops the answers that other windows have taken over, because this window seemed to be closed. */
  yieldToSuccessor(): void {
    for (const answering of this.#running) if (answering.isTakenOver) answering.stop();
  }

  /** Immediately sends a request that waits for a retry. */
  retryNow(): void {
    for (const answering of this.#running) answering.retryNow();
  }

  /**
   * Loads what sends requests. The function that it returns sends them: the answers are in progress when it returns, and
   * its promise resolves when all of them have ended, with or without an error. It rejects without a connection.
   */
  async ready(): Promise<(ask: Ask) => Promise<void>> {
    // Loaded with the first question, because it contains most of the code for answers.
    const [{ Answering }] = await Promise.all([import('./answering.ts'), this.#services.customizations.ready()]);
    return (ask) => this.#ask(ask, (options) => new Answering(options));
  }

  async #ask(ask: Ask, begin: (options: AnsweringOptions) => Answering): Promise<void> {
    const { conversation, models = [this.#services.parameters.modelOf(conversation.value.parameters)] } = ask;
    const comparison = models.length > 1 ? randomUUID() : undefined;
    const asked = models.map((model) => this.#optionsFor(ask, model, comparison)).map(begin);
    this.#running = asked;
    for (const answering of asked) answering.begin();
    this.#listener.onDidChange();
    const touching = setInterval(() => {
      conversation.touch();
      this.#listener.look();
    }, TOUCH_MS);
    const ended = Promise.all(asked.map((answering) => this.#finish(answering)));
    this.#ending = ended;
    await ended.finally(() => clearInterval(touching));
    this.#listener.onEnded();
    await this.#services.balance.refreshAfterCharge();
  }

  async #finish(answering: Answering): Promise<void> {
    const answer = await answering.finish();
    this.#running = this.#running.filter((running) => running !== answering);
    // Steps of the agent say nothing about the length of answers.
    if (answer?.status === 'complete' && answer.run === undefined && answer.figures !== undefined) {
      await this.#services.estimator.learn(answer.model, answer.figures.outputTokens);
    }
    if (answering.isTakenOver) this.#listener.onTakenOver();
    this.#listener.onDidChange();
  }

  /** Services refuse calls of tools that a request does not define, and read the definitions from their cache. */
  #withUnusedTools(request: ChatRequest): ChatRequest {
    return { ...this.#services.runs.equip(request), toolChoice: { type: 'none' } };
  }

  #optionsFor(ask: Ask, model: string, comparison: string | undefined): AnsweringOptions {
    const { calls, connection, models, balance, estimator, parameters, images, post, log } = this.#services;
    const { conversation, entries, continued, step } = ask;
    const own = conversation.value.parameters;
    const asked = continued?.model ?? model;
    const format: FormatName = continued?.format ?? parameters.formatOf(own);
    const settings = withInstructions(parameters.requestSettings(own, asked), step?.instructions);
    const plain = buildRequest(entries, settings, images.lookup);
    const request = step?.prepare(plain) ?? (hasStep(entries) ? this.#withUnusedTools(plain) : plain);
    return {
      calls,
      connection: requiredConnection(connection),
      conversation,
      format,
      request,
      model: models.find(asked),
      findModel: (id) => models.find(id),
      forecast: estimator.forecastFor(asked),
      isInTeam: balance.state.balance?.team !== undefined,
      countInput: () => estimator.inputTokensOf(request),
      parent: step?.parent ?? entries.at(-1)?.id,
      ...defined({ comparison, continued, step }),
      post,
      warn: (message) => log.warn(message),
    };
  }
}
