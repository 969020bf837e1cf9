import type { OutgoingHttpHeaders } from 'node:http';
import { Writable } from 'node:stream';
import { errorText } from '../../display/errors.ts';
import type { ApiError } from '../../formats/apiError.ts';
import { wireFormats } from '../../formats/index.ts';
import { defined } from '../../formats/json.ts';
import { toDollars } from '../../ledger/cost.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { RoutedFacts } from '../../ledger/routedFacts.ts';
import { newRequestId } from '../core/callIds.ts';
import type { ClientResponse } from '../core/clientResponse.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { callerFormat, METHOD_OF_ENDPOINT } from '../core/route.ts';
import {
  type AnswerSink,
  offersOf,
  PAID_UPSTREAMS,
  type Upstream,
  type UpstreamCall,
  type UpstreamRequest,
} from '../core/upstream.ts';
import { Exchange } from '../exchanges/exchange.ts';
import { ExchangePrices, pricedExchange } from '../exchanges/exchangePrices.ts';
import { pairsOf } from '../http/headers.ts';
import type { UpstreamSettings, Upstreams } from '../routing/upstreams.ts';
import type { AskCommand, WorkerAnswer, WorkerMessage } from './protocol.ts';

/** The sandbox account for the extension's own requests. The sandbox shares one account for all. */
const EDITOR_KEY_ID = 'editor';

/** The extension's own requests to the sandbox and to routes, answered over the worker's port, so that they need no listener. */
export class WorkerRequests {
  readonly #upstreams: Upstreams;
  readonly #post: (message: WorkerMessage) => void;
  readonly #calls = new Map<number, UpstreamCall>();
  readonly #routed: RoutedRequests;

  constructor(upstreams: Upstreams, post: (message: WorkerMessage) => void) {
    this.#upstreams = upstreams;
    this.#post = post;
    this.#routed = new RoutedRequests(upstreams, post);
  }

  async ask({ requestId, endpoint, body, route }: AskCommand): Promise<void> {
    const request = {
      endpoint,
      method: METHOD_OF_ENDPOINT[endpoint],
      subpath: '',
      query: '',
      headers: { 'content-type': 'application/json' },
      localKeyId: EDITOR_KEY_ID,
      callerFormat: callerFormat(endpoint, {}),
      ...(body !== undefined && { body: Buffer.from(body) }),
    };
    if (route !== undefined) return this.#routed.ask(requestId, route, request);
    const sandbox = await this.#upstreams.open({ kind: 'sandbox' });
    const call = sandbox.send(request, this.#sink(requestId));
    this.#calls.set(requestId, call);
  }

  /** No message about a canceled answer follows. */
  cancel(requestId: number): void {
    if (this.#routed.cancel(requestId)) return;
    this.#calls.get(requestId)?.cancel();
    this.#calls.delete(requestId);
  }

  close(): Promise<void> {
    return this.#routed.close();
  }

  #sink(requestId: number): AnswerSink {
    const post = this.#post;
    const over = () => this.#calls.delete(requestId);
    return {
      start: (status: number, headers: OutgoingHttpHeaders) =>
        post({ type: 'answerStart', requestId, status, headers: pairsOf(headers) }),
      data: (chunk: Buffer) => {
        post({ type: 'answerData', requestId, chunk });
        return true;
      },
      end: () => {
        over();
        post({ type: 'answerEnd', requestId });
      },
      fail: (error: ApiError) => {
        over();
        post({ type: 'answerFail', requestId, message: error.message });
      },
    };
  }
}

/**
 * The extension's own requests for routes: each is an exchange as in the gateway, with its failover and its usage. Only
 * its record is not entered here, but returned, because the extension enters its requests itself.
 */
class RoutedRequests {
  readonly #upstreams: Upstreams;
  readonly #post: (message: WorkerAnswer) => void;
  readonly #prices = new ExchangePrices();
  readonly #counted = new Set<string>();
  readonly #keptOfAll = { length: 0 };
  readonly #responses = new Map<number, PortResponse>();
  #router: { readonly settings: string; readonly upstream: Promise<Upstream> } | undefined;

  constructor(upstreams: Upstreams, post: (message: WorkerAnswer) => void) {
    this.#upstreams = upstreams;
    this.#post = post;
  }

  async ask(
    requestId: number,
    { name, upstream: settings }: NonNullable<AskCommand['route']>,
    request: UpstreamRequest,
  ): Promise<void> {
    const response = new PortResponse();
    this.#responses.set(requestId, response);
    const exchange = this.#begin(requestId, request, response);
    try {
      const upstream = await this.#open(settings);
      // So that the prices are known when the answer begins.
      void this.#prices.listings(offersOf(upstream, name));
      exchange.ask(upstream, request, name);
    } catch (error) {
      exchange.fail({ kind: 'invalidRequest', status: 400, message: errorText(error) });
    }
  }

  cancel(requestId: number): boolean {
    const response = this.#responses.get(requestId);
    response?.destroy();
    return response !== undefined;
  }

  async close(): Promise<void> {
    for (const response of this.#responses.values()) response.destroy();
    const router = this.#router;
    this.#router = undefined;
    if (router !== undefined) await this.#upstreams.release(await router.upstream);
  }

  #begin(requestId: number, { endpoint, callerFormat: format }: UpstreamRequest, response: PortResponse): Exchange {
    const exchange = new Exchange(
      {
        id: newRequestId(),
        format: wireFormats[format],
        endpoint,
        trace: undefined,
        estimator: this.#upstreams.counter,
        counted: this.#counted,
        keptOfAll: this.#keptOfAll,
        onSent: () => undefined,
      },
      { headers: {} },
      response,
      (ended, record) =>
        this.#prices.price(record, ended.upstream, (priced) => {
          this.#responses.delete(requestId);
          const facts = factsOf(record, pricedExchange(record, priced).entry, true);
          const end = response.writableFinished
            ? ({ type: 'answerEnd' } as const)
            : ({ type: 'answerFail', message: 'The connection to the upstream was lost.' } as const);
          this.#post({ ...end, requestId, facts });
        }),
    );
    response.onHead = (status, headers) => {
      const facts = factsOf(exchange.soFar, this.#prices.lostEntry(exchange), false);
      this.#post({ type: 'answerStart', requestId, status, headers: pairsOf(headers), facts });
    };
    response.onData = (chunk) => this.#post({ type: 'answerData', requestId, chunk });
    return exchange;
  }

  /** Changed settings open another router. The previous one is closed after its requests. */
  #open(settings: UpstreamSettings): Promise<Upstream> {
    const written = JSON.stringify(settings);
    const before = this.#router;
    if (before?.settings === written) return before.upstream;
    const upstream = this.#upstreams.open(settings);
    this.#router = { settings: written, upstream };
    void before?.upstream.then((replaced) => this.#upstreams.release(replaced));
    return upstream;
  }
}

function factsOf(record: ExchangeRecord, entry: LedgerEntry, isFinal: boolean): RoutedFacts {
  const { upstream = '', upstreamModel = record.model ?? '' } = record;
  const { upstreamFormat, answeredModel, attempts, route, prices } = entry;
  const { usage, usageIsEstimated, usageBound, estimateAccuracy, cacheIsAssumed, cost } = entry;
  const own = { upstreamFormat, answeredModel, attempts, route, prices };
  const used = isFinal ? { usage, usageIsEstimated, usageBound, estimateAccuracy, cacheIsAssumed, cost } : {};
  const model = answeredModel ?? upstreamModel;
  return {
    answeredBy: upstream === '' || PAID_UPSTREAMS.has(upstream) ? model : `${upstream}/${model}`,
    entry: { ...(record.upstream !== undefined && { upstream }), ...defined({ ...own, ...used }) },
    isFinal,
    ...(isFinal && cost !== undefined && { cost: toDollars(cost) }),
  };
}

/** The response of an exchange whose client is the extension, at the other end of the worker's port. */
class PortResponse extends Writable implements ClientResponse {
  headersSent = false;
  statusCode = 200;
  onHead: (status: number, headers: OutgoingHttpHeaders) => void = () => undefined;
  onData: (chunk: Buffer) => void = () => undefined;

  writeHead(status: number, headers: OutgoingHttpHeaders = {}): void {
    this.headersSent = true;
    this.statusCode = status;
    this.onHead(status, headers);
  }

  /** The head was sent when it was written. */
  flushHeaders(): void {
    return;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.onData(chunk);
    done();
  }
}
