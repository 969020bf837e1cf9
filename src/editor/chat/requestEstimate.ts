import type { ConversationImages } from '../../chat/conversation/conversationImages.ts';
import { hasStep } from '../../chat/conversation/entry.ts';
import type { BaseServices } from '../baseServices.ts';
import type { EstimateInput, Estimator } from './estimator.ts';
import type { ConversationParameters } from './parameters/conversationParameters.ts';
import type { RunCosts } from './runCosts.ts';
import type { RunFollower } from './runFollower.ts';

export interface RequestEstimateServices extends Pick<BaseServices, 'balance' | 'models' | 'settings'> {
  readonly estimator: Estimator;
  readonly runCosts: RunCosts;
}

/** The conversation's entries, the draft, and the attachments. */
export type RequestParts = Pick<EstimateInput, 'entries' | 'draft' | 'attachments'>;

/** The contents of the request. */
export interface NextRequest {
  readonly parts: () => RequestParts;
  /** The model that would answer. */
  readonly model: () => string;
  readonly parameters: ConversationParameters;
  readonly runs: RunFollower;
  readonly images: ConversationImages;
  /** Whether somebody sees the estimate. Otherwise the service is not asked to count. */
  readonly isShown: () => boolean;
}

/** The estimate of a request that may be sent next. */
export class RequestEstimate {
  readonly #services: RequestEstimateServices;
  readonly #next: NextRequest;

  constructor(services: RequestEstimateServices, next: NextRequest) {
    this.#services = services;
    this.#next = next;
  }

  /** Called when the request's contents, the prices, or the balance have changed. */
  update(): void {
    const { estimator } = this.#services;
    estimator.update(this.#inputFor(this.#next.model()));
    if (!this.#next.isShown()) estimator.cancel();
  }

  /**
   * Returns the expected cost of the request in US dollars, for all these models together. Without models, it is that of
   * the model that would answer. Undefined if no price is known. It is computed from what is sent now, because what is
   * shown may be older.
   */
  costOn(models: readonly string[], sent: Partial<RequestParts>): number | undefined {
    const { estimator } = this.#services;
    const asked = models.length === 0 ? [this.#next.model()] : models;
    const costs = asked.map((model) => estimator.costOf(this.#inputFor(model, { ...this.#next.parts(), ...sent })));
    const known = costs.filter((cost) => cost !== undefined);
    return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
  }

  #inputFor(model: string, sent = this.#next.parts()): EstimateInput {
    const { models, balance, settings, runCosts } = this.#services;
    const { parameters, runs, images } = this.#next;
    const found = models.find(model);
    const hasTools = parameters.acts || hasStep(sent.entries);
    return {
      ...sent,
      equip: hasTools ? (request) => runs.equip(request) : undefined,
      images: images.lookup,
      settings: parameters.requestSettingsFor(model),
      model: found,
      balance: balance.state.balance?.remaining,
      run:
        parameters.acts && runs.canAct
          ? { cap: settings.agentCap, typical: (tokens) => found && runCosts.typicalFor(found, tokens) }
          : undefined,
    };
  }
}
