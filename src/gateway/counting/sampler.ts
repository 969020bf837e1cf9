import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { Endpoint, UpstreamRequest } from '../core/upstream.ts';
import type { TokenCounter } from './tokenCounter.ts';

const ENDPOINTS: ReadonlySet<Endpoint> = new Set(['/chat/completions', '/messages', '/responses']);

/** Shorter bodies say too little, and longer ones take too long to count. */
const BYTES = { min: 1_000, max: 1_000_000 };
const MAX_HELD = 4;
/** Minimum time between two samples. */
const PAUSE_MS = 2_000;

/**
 * Gives the counter some of the requests whose input the upstream has counted. It does so only while the counter is in
 * use, after the end of the exchange, and rarely, so that users who do not request counts do not pay for better ones.
 */
export class Sampler {
  /** Without one in use, there is nothing to offer or to finish. */
  readonly counter: TokenCounter;
  readonly #held = new Map<string, UpstreamRequest>();
  #quietUntil = 0;

  constructor(counter: TokenCounter) {
    this.counter = counter;
  }

  /** Offers a request that is sent to an upstream, by the ID of its exchange. */
  offer(id: string, request: UpstreamRequest): void {
    const bytes = request.body?.length ?? 0;
    if (bytes < BYTES.min || bytes > BYTES.max || this.#held.size >= MAX_HELD) return;
    if (!ENDPOINTS.has(request.endpoint) || performance.now() < this.#quietUntil) return;
    if (this.counter.isAwake) this.#held.set(id, request);
  }

  /**
   * Takes the sample of an exchange that has ended.
   * @returns a promise that resolves when the sample was counted, or `undefined` if there is none.
   */
  finish(record: ExchangeRecord): Promise<void> | undefined {
    const request = this.#held.get(record.id);
    if (request === undefined) return undefined;
    this.#held.delete(record.id);
    return this.#learn(request, record);
  }

  async #learn({ endpoint, body }: UpstreamRequest, record: ExchangeRecord): Promise<void> {
    const { upstream, upstreamModel, model = upstreamModel, usage, usageIsEstimated } = record;
    const inputTokens = usageIsEstimated ? 0 : (usage?.inputTokens ?? 0);
    if (body === undefined || inputTokens === 0 || upstream === undefined || model === undefined) return;
    this.#quietUntil = performance.now() + PAUSE_MS;
    await this.counter.learn({ upstream, model: upstreamModel ?? model, endpoint, body }, inputTokens);
  }
}
