import { createHash } from 'node:crypto';
import { errorText } from '../../display/errors.ts';
import type { ChatRequest } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import { BoundedMap } from '../../rules/boundedMap.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { estimatePrompt } from '../../tokens/estimate.ts';
import type { PromptParts } from '../../tokens/promptSize.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { Log } from '../log/log.ts';

/** The number of cached counts. Agent mode counts the large pieces of its prompt again for each question. */
const CACHE_SIZE = 1_000;

/** How long a service that cannot count is not asked again, in milliseconds. */
const UNSUPPORTED_PAUSE_MS = 600_000;

export interface CountedTokens {
  readonly tokens: number;
  /** True if this is a local estimate and not the service's count. */
  readonly estimated: boolean;
}

export interface DividedTokens extends CountedTokens {
  /** What the tokens belong to, by local estimates. */
  readonly parts: PromptParts;
}

/** Counts the input tokens of a request with the service if it can, or else with the local estimate. */
export class ServiceTokenCounter {
  readonly #connection: ConnectionManager;
  readonly #log: Log;
  readonly #isRoute: (model: string) => boolean;
  readonly #counts = new BoundedMap<string, number>(CACHE_SIZE);
  #askAgainAt = 0;

  /** @param isRoute whether a name is a route, which the service does not know. */
  constructor(connection: ConnectionManager, log: Log, isRoute: (model: string) => boolean) {
    this.#isRoute = isRoute;
    this.#connection = connection;
    this.#log = log;
  }

  /** Returns immediately with a cached count or the local estimate. */
  estimate(request: ChatRequest): DividedTokens {
    return this.#known(request) ?? estimated(request);
  }

  /**
   * Returns the service's count, or the estimate after any failure.
   * @throws if the signal is aborted.
   */
  async count(request: ChatRequest, signal: AbortSignal): Promise<DividedTokens> {
    const known = this.#known(request);
    if (known !== undefined) return known;
    const connection = this.#connection.open;
    if (connection === undefined || Date.now() < this.#askAgainAt || this.#isRoute(request.model))
      return this.estimate(request);
    try {
      const body = await countable(request);
      const { inputTokens } = await connection.client.countTokens(body, { signal, retries: 0 });
      this.#counts.set(this.#cacheKey(request), inputTokens);
      return { ...estimated(request), tokens: inputTokens, estimated: false };
    } catch (error) {
      signal.throwIfAborted();
      this.#noteFailure(error);
      return this.estimate(request);
    }
  }

  #known(request: ChatRequest): DividedTokens | undefined {
    const tokens = this.#counts.get(this.#cacheKey(request));
    return tokens === undefined ? undefined : { ...estimated(request), tokens, estimated: false };
  }

  #noteFailure(error: unknown): void {
    this.#log.debug(`Tokens are estimated: ${errorText(error)}`);
    const cannotCount = error instanceof ServiceError && (error.kind === 'notFound' || error.kind === 'permission');
    if (cannotCount) this.#askAgainAt = Date.now() + UNSUPPORTED_PAUSE_MS;
  }

  /** The identity is part of the key, because services may count differently. */
  #cacheKey(request: ChatRequest): string {
    const identity = this.#connection.open?.identity ?? '';
    return createHash('sha256').update(identity).update(JSON.stringify(request)).digest('base64');
  }
}

function estimated(request: ChatRequest): DividedTokens {
  const { text, fixed, parts } = estimatePrompt(request);
  return { tokens: text + fixed, estimated: true, parts };
}

/**
 * Only the members that determine the input tokens. Limits and sampling do not, and the counting endpoint does not
 * accept `max_tokens`.
 */
async function countable({ model, system, messages: turns, tools, toolChoice }: ChatRequest) {
  const { messages } = await import('../../formats/messages/index.ts');
  const { max_tokens: _, ...body } = messages.encodeRequest({
    model,
    system,
    messages: turns,
    ...defined({ tools, toolChoice }),
  });
  return body;
}
