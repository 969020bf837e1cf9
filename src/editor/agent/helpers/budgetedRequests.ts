import { randomUUID } from 'node:crypto';
import { REPORT_NOW } from '../../../agent/systemPrompt.ts';
import type { Entry } from '../../../chat/conversation/entry.ts';
import type { ChatRequest } from '../../../formats/conversation.ts';
import { defined } from '../../../formats/json.ts';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { priceOf } from '../../../tokens/price.ts';
import type { Answers } from '../../chat/answers/answers.ts';
import type { RunRecords } from '../runRecords.ts';
import type { RunServices } from '../runServices.ts';
import type { StepRequests } from '../stepRequests.ts';

/** How much longer a request may be than its estimate. */
const MARGIN = 1.15;
/** The shortest answer that is worth a request, in tokens. */
const MIN_ANSWER = 300;
/** The answer of a usual step, in tokens. */
const USUAL_ANSWER = 1000;
/** A step is the last one if the rest of the budget pays less than this many steps like it. */
const LAST_STEPS = 2;

export interface BudgetedRequestsOptions {
  readonly records: RunRecords;
  readonly services: RunServices;
  readonly model: string;
  readonly answers: Answers;
}

/**
 * The requests of a helper, none of which can cost more than the rest of its budget: the length of the answer is limited
 * accordingly. Before the last step that it pays, or that the limit of steps allows, the helper is told to report.
 */
export class BudgetedRequests implements Pick<StepRequests, 'send'> {
  readonly #options: BudgetedRequestsOptions;
  requests: StepRequests | undefined;
  #isLast = false;

  constructor(options: BudgetedRequestsOptions) {
    this.#options = options;
  }

  /** The services of the run as a helper uses them: with its own model, instructions, and answers. */
  get services(): RunServices {
    const { services, model, answers } = this.#options;
    return {
      ...services,
      answers,
      estimate: (step) => {
        const { cost, ...next } = services.estimate({ ...step, model: step.model ?? model });
        // No step costs more than the rest of the budget.
        return { ...next, ...defined({ cost: cost && Math.min(cost, this.#left) }) };
      },
      contextWindow: () => this.#model?.contextWindow,
      equip: (request, toolbox) => this.#limited(services.equip(request, toolbox)),
    };
  }

  async send(entries: readonly Entry[], stop: AbortSignal): Promise<AnswerTurn | undefined> {
    return this.requests?.send(this.#isLast ? entries : this.#beforeLast(entries), stop);
  }

  get #model(): Model | undefined {
    return this.#options.services.models().find(({ id }) => id === this.#options.model);
  }

  /** What is left of the budget; infinite without one. */
  get #left(): number {
    const { limits, spent = 0 } = this.#options.records;
    return limits.cap === 0 ? Number.POSITIVE_INFINITY : limits.cap - spent;
  }

  /** Tells the helper to report if this is its last step. */
  #beforeLast(entries: readonly Entry[]): readonly Entry[] {
    const { conversation, limits, steps } = this.#options.records;
    const last = conversation.value.entries.findLast(({ role }) => role === 'assistant');
    const { inputTokens = 0 } = last?.role === 'assistant' ? (last.figures ?? {}) : {};
    const step = this.#boundOf(inputTokens, USUAL_ANSWER);
    const isPaid = step === undefined || step * LAST_STEPS <= this.#left;
    const isAllowed = limits.maxSteps === 0 || steps.length + 1 < limits.maxSteps;
    this.#isLast = last !== undefined && !(isPaid && isAllowed);
    if (!this.#isLast) return entries;
    const parent = entries.at(-1)?.id ?? null;
    const id = randomUUID();
    conversation.record({ type: 'question', id, at: Date.now(), parent, text: REPORT_NOW, attachments: [] });
    return conversation.value.entries;
  }

  #limited(request: ChatRequest): ChatRequest {
    const { services } = this.#options;
    const input = services.inputTokensOf(request);
    const perToken = this.#boundOf(input, 1);
    const without = this.#boundOf(input, 0);
    const report = this.#isLast ? { toolChoice: { type: 'none' as const } } : {};
    if (perToken === undefined || without === undefined || perToken === without) return { ...request, ...report };
    const paid = Math.floor((this.#left - without) / (perToken - without));
    if (paid < MIN_ANSWER) throw new BudgetUsedError(without + MIN_ANSWER * (perToken - without));
    return { ...request, ...report, maxTokens: Math.min(request.maxTokens ?? paid, paid) };
  }

  /** The most that a request and an answer of this length can cost. Undefined if no price is known. */
  #boundOf(inputTokens: number, outputTokens: number): number | undefined {
    const input = Math.ceil(inputTokens * MARGIN);
    const model = this.#model;
    return model && priceOf({ inputTokens: input, cacheWriteTokens: input, outputTokens }, model);
  }
}

/** What is left of a helper's budget pays no further request. */
export class BudgetUsedError extends Error {
  /** What the next request can cost with the shortest answer, in US dollars. */
  readonly price: number;

  constructor(price: number) {
    super('The budget pays no further request.');
    this.price = price;
  }
}
