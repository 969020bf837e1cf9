import type { ChatEvent } from '../formats/answer.ts';
import type { ChatRequest } from '../formats/conversation.ts';
import { type Usage, validUsage, withoutReportedCost } from '../formats/usage.ts';
import type { RoutedFacts } from '../ledger/routedFacts.ts';
import type { Prices } from '../service/modelPrices.ts';
import { estimateInputTokens } from '../tokens/estimate.ts';
import { priceOf } from '../tokens/price.ts';
import { TextMeter } from '../tokens/textEstimate.ts';

export interface CountedUsage {
  readonly usage: Usage;
  /** True unless the service has reported the usage of the whole answer, and the catalog's prices apply to it. */
  readonly isEstimated: boolean;
}

/**
 * The usage of one call: as reported by the service, and until then an estimate from the request and the answer so far.
 * The call reports its requests and events here as they pass, so that views and the ledger show the same figures.
 */
export class CallUsage {
  readonly #countInput: () => number;
  readonly #answer = new TextMeter();
  #input: number | undefined;
  #answeredModel: string | undefined;
  #reported: Usage | undefined;
  /** Whether more of the answer arrived after the last report. */
  #isOutdated = false;
  /** Whether the report covers a whole answer that has failed. */
  #isWhole = false;
  /** Whether the answer names a service tier, speed, or region whose prices are not the catalog's. */
  #hasUnlistedPrice = false;
  #isFinished = false;
  #mayBeBilled = false;
  /** Set if the model is a route, when the router has chosen who answers. */
  routed: RoutedFacts | undefined;

  /** @param countInput Returns the best count of the request's tokens that is available without the answer. */
  constructor(countInput: () => number) {
    this.#countInput = countInput;
  }

  static of(request: ChatRequest): CallUsage {
    return new CallUsage(() => estimateInputTokens(request));
  }

  /** Called when the request was sent. The upstream may bill it from now on. */
  send(): void {
    this.#mayBeBilled = true;
  }

  /** Called when the request is not billed: it was refused or never arrived. */
  waive(): void {
    this.#mayBeBilled = false;
  }

  /** The model that the answer names: the requested one, or another one that the service has chosen. */
  get answeredModel(): string | undefined {
    return this.#answeredModel;
  }

  see(event: ChatEvent): void {
    switch (event.type) {
      case 'start':
        this.#answeredModel = event.model || undefined;
        break;
      case 'textDelta':
      case 'refusalDelta':
      case 'reasoningDelta':
        this.#grow(event.text);
        break;
      case 'toolCallDelta':
        this.#grow(event.arguments);
        break;
      case 'usage':
        // The bill of the service follows from its prices.
        this.#reported = withoutReportedCost(validUsage(event.usage));
        this.#hasUnlistedPrice = event.usage.hasUnlistedPrice === true;
        this.#isOutdated = event.isPartial === true;
        this.#isWhole = event.isPartial === false;
        break;
      case 'finish':
        this.#isFinished = true;
        break;
    }
  }

  /** Undefined if nothing was used. */
  get count(): CountedUsage | undefined {
    if (this.routed?.isFinal) {
      const { usage, usageIsEstimated = false } = this.routed.entry;
      return usage && { usage, isEstimated: usageIsEstimated };
    }
    if (!this.#mayBeBilled) return undefined;
    const reported = this.#reported;
    const isWhole = this.#isWhole || (this.#isFinished && !this.#isOutdated);
    if (reported !== undefined && isWhole && !this.#isMissing(reported))
      return { usage: reported, isEstimated: this.#hasUnlistedPrice };
    this.#input ??= this.#countInput();
    const inputTokens = reported?.inputTokens || this.#input;
    const outputTokens = Math.max(reported?.outputTokens ?? 0, this.#answer.tokens);
    return { usage: { ...reported, inputTokens, outputTokens }, isEstimated: true };
  }

  /**
   * The prices of the model that a router or the service has chosen, or else of the requested one.
   * @param find returns the prices of another model in the catalog.
   */
  pricesOf(requested: Prices | undefined, find: (model: string) => Prices | undefined): Prices | undefined {
    if (this.routed !== undefined) return this.routed.entry.prices;
    return (this.#answeredModel === undefined ? undefined : find(this.#answeredModel)) ?? requested;
  }

  /** The cost so far in US dollars, at these prices. That of a request for a route includes failed attempts. */
  costAt(prices: Prices | undefined): number | undefined {
    if (this.routed?.isFinal) return this.routed.cost;
    const { count, routed } = this;
    const failed = routed?.entry.attempts?.flatMap(({ cost }) => cost ?? []) ?? [];
    const own = count && prices && priceOf(count.usage, prices);
    return failed.reduce((sum, cost) => (sum ?? 0) + cost, own);
  }

  /** No prompt is empty, and neither is an answer with text, so a count of 0 was not reported. */
  #isMissing({ inputTokens, outputTokens }: Usage): boolean {
    return inputTokens === 0 || (outputTokens === 0 && this.#answer.tokens > 0);
  }

  #grow(text: string): void {
    this.#answer.add(text);
    this.#isOutdated = true;
  }
}
