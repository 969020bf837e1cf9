import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import { titleIn } from '../../chat/conversation/title.ts';
import { errorText } from '../../display/errors.ts';
import type { ErrorKind } from '../../formats/apiError.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import { maxCost } from '../../limits/maxCost.ts';
import type { Model } from '../../service/modelCatalog.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { smallModel } from '../../service/smallModel.ts';
import type { BaseServices } from '../baseServices.ts';
import { askOnce, type PaidCall, type PaidCallServices, type PaidText } from './paidCall.ts';

export type TitleServices = PaidCallServices & Pick<BaseServices, 'limits' | 'log'>;

/** Failures that concern the model, and not only one request. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set(['permission', 'notFound', 'invalidRequest']);

const SYSTEM = [
  'You write titles for chats. Answer with the title only: three to six words in the language of the question, which say',
  'what it is about, without quotation marks and without a period. Do not answer the question.',
].join(' ');

/** How much of the question and its answer is sent, in characters. */
const [MAX_QUESTION, MAX_ANSWER] = [2000, 1000];
/** The smallest context window, in tokens. */
const MIN_WINDOW = 4_000;
const MAX_TOKENS = 60;
/** For models that may reason first. */
const MAX_TOKENS_WITH_REASONING = 1000;

interface Texts {
  readonly questionId: string;
  readonly question: string;
  readonly answer: string;
  /** The model that has answered. */
  readonly model: string;
}

/** Writes titles of chats with a cheap model, after their first answers. Without one, the title is the question cut off. */
export class ChatTitles {
  readonly #services: TitleServices;
  readonly #running = new Map<string, AbortController>();
  /** Models that refused such a request. Others write the later titles. */
  readonly #refused = new Set<string>();

  constructor(services: TitleServices) {
    this.#services = services;
  }

  /**
   * Writes the title of a chat with one answered question, unless it has been given one. Never rejects.
   * @returns whether it has written one.
   */
  async write(conversation: LiveConversation): Promise<boolean> {
    const texts = textsOf(conversation);
    const model = texts && this.#modelFor(texts.model);
    if (texts === undefined || model === undefined || this.#running.has(conversation.id)) return false;
    const stop = new AbortController();
    this.#running.set(conversation.id, stop);
    try {
      return await this.#write(conversation, texts, model, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) this.#services.log.info(`No title was written for a chat. ${errorText(error)}`);
      return false;
    } finally {
      this.#running.delete(conversation.id);
    }
  }

  isWriting(conversationId: string): boolean {
    return this.#running.has(conversationId);
  }

  /** Stops writing the title of a chat, or all titles. */
  stop(conversationId?: string): void {
    for (const [id, stop] of this.#running) if (conversationId === undefined || id === conversationId) stop.abort();
  }

  /** The cheapest model whose price is known. */
  #modelFor(main: string): Model | undefined {
    const { models } = this.#services;
    const usable = models.state.models.filter(({ id }) => !this.#refused.has(id));
    const small = models.find(smallModel(usable, main, MIN_WINDOW) ?? main);
    return small?.inputPrice === undefined || this.#refused.has(small.id) ? undefined : small;
  }

  async #write(conversation: LiveConversation, texts: Texts, model: Model, signal: AbortSignal): Promise<boolean> {
    const { limits, settings } = this.#services;
    const request = requestOf(texts, model);
    const max = maxCost(request, model);
    const { chatCap } = settings;
    if (chatCap > 0 && (conversation.spent.cost ?? 0) + max > chatCap) return false;
    const settle = await limits.admit(async () => max);
    try {
      const { text, cost } = await this.#ask({
        conversationId: conversation.id,
        turnId: texts.questionId,
        request,
        signal,
      });
      await conversation.catchUp();
      signal.throwIfAborted();
      const { value } = conversation;
      // The user may have been faster.
      if (value.isNamed) return false;
      const writer = { model: model.id, ...defined({ cost }) };
      conversation.record({ type: 'title', title: titleIn(text) ?? conversation.title, writer });
      return true;
    } finally {
      settle();
    }
  }

  async #ask(call: Omit<PaidCall, 'source'>): Promise<PaidText> {
    try {
      return await askOnce(this.#services, { ...call, source: 'chatTitle' });
    } catch (error) {
      if (error instanceof ServiceError && REFUSALS.has(error.kind)) this.#refused.add(call.request.model);
      throw error;
    }
  }
}

/** Returns undefined unless the chat has one question, which is answered, and no title that somebody chose. */
function textsOf({ value }: LiveConversation): Texts | undefined {
  const { all, isNamed } = value;
  const [question, ...others] = all.filter((entry) => entry.role === 'user');
  const answer = all.find((entry) => entry.role === 'assistant' && entry.status === 'complete');
  if (isNamed || question?.role !== 'user' || others.length > 0 || answer?.role !== 'assistant') return undefined;
  const names = question.attachments.map(({ label }) => label);
  const asked = [question.shown ?? question.text, ...names].join('\n');
  return {
    questionId: question.id,
    question: asked.slice(0, MAX_QUESTION),
    answer: answer.text.slice(0, MAX_ANSWER),
    model: answer.model,
  };
}

function requestOf({ question, answer }: Texts, { id, reasoning }: Model): ChatRequest {
  const text = `The question:\n<question>\n${question}\n</question>\n\nThe answer begins:\n<answer>\n${answer}\n</answer>`;
  return {
    model: id,
    system: [{ type: 'text', text: SYSTEM }],
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    maxTokens: reasoning === true ? MAX_TOKENS_WITH_REASONING : MAX_TOKENS,
    stream: true,
    includeUsage: true,
  };
}
