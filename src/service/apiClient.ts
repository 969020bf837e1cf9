/**
 * Client of the service's six endpoints. What the specification leaves open is read leniently; see each reader. The
 * formats and the readers of answers are loaded on first use, because the catalog and the balance, which the editor
 * reads at startup, do not need them.
 */

import * as l10n from '@vscode/l10n';
import type { CountTokensRequest } from '../formats/messages/index.ts';
import type { WireFormat } from '../formats/wireFormat.ts';
import { readNumber } from './amount.ts';
import type { ApiKey } from './apiKey.ts';
import { type Balance, readBalance } from './balance.ts';
import { type Clock, systemClock } from './clock.ts';
import type { EventStream } from './eventStream.ts';
import { readJson } from './jsonAnswer.ts';
import { KnownRefusals } from './knownRefusals.ts';
import { Members } from './members.ts';
import { type ModelCatalog, readModelCatalog } from './modelCatalog.ts';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './retry.ts';
import { ServiceError } from './serviceError.ts';
import type { TeamDay, TeamModels } from './teamUsage.ts';
import { type CallOptions, type OpenAnswer, Transport } from './transport.ts';

/** The specification shows no field; the first one is the vendor's. */
const NAMES = [
  'input_tokens',
  'usage.input_tokens',
  'data.input_tokens',
  'result.input_tokens',
  'prompt_tokens',
  'total_tokens',
  'token_count',
  'tokens',
  'count',
];

export interface ApiClientOptions extends Partial<TimeLimits> {
  /** Includes the path prefix, such as `https://example.com/api/v1`; see `normalizeBaseAddress`. */
  readonly baseAddress: string;
  readonly key: ApiKey;
  /** Injected, because only the host's `fetch` uses the editor's proxy settings. */
  readonly fetch: typeof globalThis.fetch;
  readonly retry?: Partial<RetryPolicy>;
  readonly clock?: Clock;
  /** What the service refuses. By default, it is forgotten with the client. */
  readonly refusals?: KnownRefusals;
}

/** In milliseconds. There is no limit on the total time of a stream. */
export interface TimeLimits {
  /** Time limit until the response headers of a stream arrive. */
  readonly firstByteMs: number;
  /** Maximum time without any data in a stream. */
  readonly stallMs: number;
  /** Time limit of the catalog, the balance, and token counts. */
  readonly readMs: number;
}

const DEFAULT_LIMITS: TimeLimits = { firstByteMs: 300_000, stallMs: 120_000, readMs: 30_000 };

/** The version header in the specification, and under the vendor's own name. */
const VERSION = { 'vendorb-version': '2023-06-01', 'anthropic-version': '2023-06-01' };

const JSON_ONLY = { accept: 'application/json' };

/** Every method throws a {@link ServiceError}, or the signal's reason if its signal was aborted. */
export class ApiClient {
  readonly refusals: KnownRefusals;
  readonly #transport: Transport;
  readonly #limits: TimeLimits;

  constructor(options: ApiClientOptions) {
    const { baseAddress, key, fetch, retry, clock = systemClock, refusals, ...limits } = options;
    this.refusals = refusals ?? new KnownRefusals();
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#transport = new Transport({ baseAddress, key, fetch, clock, retry: { ...DEFAULT_RETRY_POLICY, ...retry } });
  }

  countTokens(request: CountTokensRequest, options: CallOptions = {}): Promise<TokenCount> {
    const { readMs: limitMs } = this.#limits;
    const path = '/messages/count_tokens';
    const headers = { ...JSON_ONLY, ...VERSION };
    const read = async (answer: OpenAnswer) => readTokenCount(await readJson(answer));
    return this.#transport.send(
      { method: 'POST', path, headers, body: request, limitMs, readsOnly: true, read },
      options,
    );
  }

  models(options?: CallOptions): Promise<ModelCatalog> {
    return this.#get('/models', readModelCatalog, options);
  }

  balance(options?: CallOptions): Promise<Balance> {
    return this.#get('/balance', readBalance, options);
  }

  /**
   * Reads the usage of the client's key from a team's gateway, by model and by day.
   * @param from First and last day, such as `2026-11-21`.
   */
  async teamUsage(from: string, to: string): Promise<TeamModels & { readonly days: readonly TeamDay[] }> {
    const { readTeamDays, readTeamModels } = await import('./teamUsage.ts');
    const [models, days] = await Promise.all([
      this.#get(`/usage/models?from=${from}&to=${to}`, readTeamModels),
      this.#get(`/usage?by=day,model&from=${from}&to=${to}`, readTeamDays),
    ]);
    return { ...models, days };
  }

  /** Requests an answer from the format's endpoint. `request` must ask for a stream. */
  stream<Request, Event>(
    format: WireFormat<Request, unknown, Event>,
    request: Request,
    options: CallOptions = {},
  ): Promise<EventStream<Event>> {
    const { firstByteMs: limitMs, stallMs } = this.#limits;
    const read = async (answer: OpenAnswer) => {
      const { EventStream, itemsOf, readItems } = await import('./eventStream.ts');
      const items = comesInOnePiece(answer.response)
        ? itemsOf(await (await import('./answerInOnePiece.ts')).readAnswerAsItems(answer, format, request))
        : readItems(answer, (event) => format.parseEvent(event), stallMs);
      return new EventStream(answer, items);
    };
    const headers = { accept: 'text/event-stream', ...(format.name === 'messages' && VERSION) };
    const { path } = format;
    return this.#transport.send(
      { method: 'POST', path, headers, body: request, limitMs, readsOnly: false, read },
      options,
    );
  }

  #get<T>(path: string, reader: (body: unknown) => T, options: CallOptions = {}): Promise<T> {
    const { readMs: limitMs } = this.#limits;
    const read = async (answer: OpenAnswer) => reader(await readJson(answer));
    return this.#transport.send({ method: 'GET', path, headers: JSON_ONLY, limitMs, readsOnly: true, read }, options);
  }
}

/**
 * Whether a stream request was answered with a JSON body or a web page. A response without a type counts as a stream.
 */
function comesInOnePiece({ headers }: Response): boolean {
  return /\b(?:json|html)\b/i.test(headers.get('content-type') ?? '');
}

interface TokenCount {
  readonly inputTokens: number;
  /** The raw response. */
  readonly raw: unknown;
}

/** @throws {ServiceError} of kind `malformed` if the response contains no whole number of tokens. */
export function readTokenCount(body: unknown): TokenCount {
  const inputTokens = new Members(body).first(NAMES, (value) => {
    const count = readNumber(value);
    return count !== undefined && Number.isInteger(count) && count >= 0 ? count : undefined;
  });
  if (inputTokens !== undefined) return { inputTokens, raw: body };
  throw new ServiceError({
    kind: 'malformed',
    message: l10n.t('The service’s token count response contains no number of tokens.'),
  });
}
