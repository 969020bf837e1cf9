import { median } from '../../chat/median.ts';
import { buildRequest, withInstructions } from '../../chat/request.ts';
import { balanceAfter } from '../../display/money.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { NextStepView } from '../../pages/chat/protocol.ts';
import { priceOf } from '../../tokens/price.ts';
import type { BaseServices } from '../baseServices.ts';
import type { Chat } from '../chat/chat.ts';
import { DEFAULT_STEP_TOKENS } from '../chat/estimator.ts';
import type { EstimatedStep, RunServices } from './runServices.ts';
import { requestWithTools } from './toolbox.ts';

/** The minimum token limit of a step. */
const MIN_OUTPUT_LIMIT = 8192;

type NextStepServices = Pick<BaseServices, 'balance' | 'models'>;

/** The request that a run sends next: what it has beside the conversation, whether it fits, and what it costs. */
export class NextRunRequest implements Pick<RunServices, 'equip' | 'estimate'> {
  readonly #chat: Chat;
  readonly #services: NextStepServices;

  constructor(chat: Chat, services: NextStepServices) {
    this.#chat = chat;
    this.#services = services;
  }

  equip(request: ChatRequest, toolbox: EstimatedStep['toolbox']): ChatRequest {
    return requestWithTools(request, toolbox, this.#maxTokens(request));
  }

  /** The service decides about a model that the catalog does not have. */
  fits(id: string, inputTokens: number): boolean {
    const { tools, contextWindow = Number.POSITIVE_INFINITY } = this.#services.models.find(id) ?? {};
    return tools !== false && inputTokens + MIN_OUTPUT_LIMIT <= contextWindow;
  }

  #maxTokens({ model, maxTokens = 0 }: ChatRequest): number {
    const modelMax = this.#services.models.find(model)?.maxOutputTokens ?? Number.POSITIVE_INFINITY;
    return Math.min(modelMax, Math.max(maxTokens, MIN_OUTPUT_LIMIT));
  }

  /** What was sent with the last step will be read from the cache, if the service has read from it before. */
  estimate({ entries, steps, toolbox, instructions, model: named, isContinued }: EstimatedStep): NextStepView {
    const { models, balance } = this.#services;
    const { parameters, images, estimates } = this.#chat;
    const settings = withInstructions(parameters.requestSettingsFor(named ?? parameters.model), instructions);
    const request = this.equip(buildRequest(entries, settings, images.lookup), toolbox);
    const { tokens: inputTokens, parts } = estimates.draft.sizeOf(request);
    const last = isContinued ? steps.at(-1)?.figures : undefined;
    const cachedInputTokens = last?.cachedTokens === undefined ? 0 : Math.min(inputTokens, last.inputTokens ?? 0);
    const outputTokens = median(steps.flatMap(({ figures }) => figures?.outputTokens ?? [])) ?? DEFAULT_STEP_TOKENS;
    const model = models.find(request.model);
    const cost = model && priceOf({ inputTokens, outputTokens, cachedInputTokens }, model);
    const remaining = balance.state.balance?.remaining;
    return {
      inputTokens,
      parts,
      ...(cachedInputTokens > 0 && { cachedShare: cachedInputTokens / inputTokens }),
      ...defined({
        cost,
        balanceAfter: cost === undefined || remaining === undefined ? undefined : balanceAfter(remaining, cost),
      }),
    };
  }
}
