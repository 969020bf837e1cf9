import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import { CallTimes } from '../../calls/callTimes.ts';
import { CallUsage } from '../../calls/callUsage.ts';
import { type ChatCall, callSession } from '../../calls/chatCall.ts';
import type { ChatEvent } from '../../formats/answer.ts';
import { wireFormats } from '../../formats/index.ts';
import { defined } from '../../formats/json.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { RecentAttempt } from '../../gateway/traffic/protocol.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import type { ClientSession } from '../../ledger/sessionHash.ts';
import { MIN_FAILED_STATUS } from '../../rules/exchange.ts';
import { KINDS_HEADER, SEALED_HEADER } from '../../rules/sealedHeaders.ts';
import { streamChat } from '../../service/chat.ts';
import { type Prices, pricesOf } from '../../service/modelPrices.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { CallOptions, RequestHead } from '../../service/transport.ts';
import { isReasoningOpen } from '../../tokens/price.ts';
import { type WorkBranch, workBranch } from '../git/workBranch.ts';
import type { Settings } from '../settings/settings.ts';
import { type RoutedClient, type RouteServices, routedClient } from './routedClient.ts';

/** One call, and what can be observed of it while it runs and afterwards. It keeps neither the texts nor a key. */
export class CallWatch {
  readonly id: string;
  readonly #call: Pick<ChatCall, 'format' | 'source' | 'upstream' | 'conversationId' | 'step'> &
    Pick<LedgerEntry, 'agentType'>;
  readonly #model: string;
  /** Undefined for commands. */
  readonly session: ClientSession | undefined;
  readonly #workBranch: WorkBranch | undefined;
  readonly #times: CallTimes;
  readonly #usage: CallUsage;
  readonly #cancelled = new AbortController();
  readonly #at = Date.now();
  #status: number | undefined;
  #problem: string | undefined;
  /** Stays `clientLeft` if the reader stopped reading; any other end replaces it. */
  #end: LedgerEntry['end'] = 'clientLeft';
  /** The head of the last attempt. */
  #request: RequestHead | undefined;
  #answerHeaders: Headers | undefined;
  readonly #attempts: RecentAttempt[] = [];

  /** @param workBranch the repository and branch that the call is for. */
  constructor(call: ChatCall, workBranch?: WorkBranch) {
    const { id = randomUUID(), request, times, usage, format, source, upstream, conversationId, step, helper } = call;
    this.id = id;
    this.session = callSession(call);
    this.#workBranch = workBranch;
    this.#call = { format, source, upstream, ...defined({ conversationId, step, agentType: helper?.role }) };
    this.#model = request.model;
    this.#times = times ?? new CallTimes();
    this.#usage = usage ?? CallUsage.of(request);
  }

  /**
   * Sends the request and streams the answer's events. The call is over when the answer has ended or failed, or the
   * reader stops reading.
   */
  async *events({ client, format, request, options }: ChatCall): AsyncGenerator<ChatEvent, void, undefined> {
    try {
      for await (const event of streamChat(client, format, request, this.#optionsWith(options))) {
        this.#see(event);
        yield event;
      }
      if (this.#end === 'clientLeft') this.#end = 'completed';
    } catch (error) {
      this.#fail(error);
      throw error;
    } finally {
      this.#times.end();
    }
  }

  /** Cancels the call. Its reader gets an `AbortError` with a message for the user. */
  cancel(): void {
    this.#end = 'cancelled';
    this.#cancelled.abort(new DOMException(l10n.t('Canceled in the Traffic view.'), 'AbortError'));
  }

  /** Adds the branch to the {@link entry}, which other windows get, too. */
  ledgerEntry(find: (model: string) => Prices | undefined): LedgerEntry {
    return { ...this.entry(find), ...this.#workBranch };
  }

  /**
   * The call's entry, as if it ended now, without the branch.
   * @param find returns the current prices of a model in the catalog, which the entry keeps. If the answer names another
   * model than the requested one, and the catalog has it, its prices apply.
   */
  entry(find: (model: string) => Prices | undefined = () => undefined): LedgerEntry {
    const { durationMs, firstByteMs } = this.#times;
    const { format, ...call } = this.#call;
    const { usage, isEstimated } = this.#usage.count ?? {};
    const { answeredModel, routed } = this.#usage;
    const other = answeredModel === undefined || answeredModel === this.#model ? undefined : find(answeredModel);
    const prices = this.#usage.pricesOf(find(this.#model), find);
    return {
      ...call,
      id: this.id,
      at: this.#at,
      endpoint: ENDPOINT_PATHS[format],
      callerFormat: format,
      upstreamFormat: format,
      model: this.#model,
      durationMs,
      end: this.#end,
      ...((isEstimated || isReasoningOpen(usage, prices)) && { usageIsEstimated: true }),
      ...(usage !== undefined && { usageBound: isEstimated ? 'visible' : 'reported' }),
      ...defined({
        answeredModel: other && answeredModel,
        firstByteMs,
        usage,
        status: this.#status,
        secrets: this.#answerHeaders?.get(KINDS_HEADER)?.match(/[\w-]+/g) ?? undefined,
        sealed: Number(this.#answerHeaders?.get(SEALED_HEADER)) || undefined,
        prices: prices && pricesOf(prices),
      }),
      ...routed?.entry,
    };
  }

  /** The parts of the call that the ledger does not store. */
  get head() {
    return {
      isOver: this.#times.isOver,
      request: this.#request,
      answerHeaders: this.#answerHeaders,
      attempts: this.#attempts,
      problem: this.#problem,
    };
  }

  /** Adds observers of the request and the answer's head, and the call's own signal, to the caller's options. */
  #optionsWith({ signal, ...others }: CallOptions = {}): CallOptions {
    const own = this.#cancelled.signal;
    return {
      ...others,
      signal: signal === undefined ? own : AbortSignal.any([signal, own]),
      onRequest: (head) => {
        this.#request = head;
        this.#status = undefined;
        this.#usage.send();
        this.#attempts.push({ upstream: this.#call.upstream, atMs: this.#times.durationMs });
        others.onRequest?.(head);
      },
      onResponse: (head) => {
        this.#answerHeaders = head.headers;
        this.#status = head.status;
        if (head.status >= MIN_FAILED_STATUS) this.#usage.waive();
        others.onResponse?.(head);
      },
      onRetry: (notice) => {
        this.#usage.waive();
        others.onRetry?.(notice);
      },
    };
  }

  #see(event: ChatEvent): void {
    this.#times.see(event);
    this.#usage.see(event);
    this.#status ??= 200;
    if (event.type !== 'error') return;
    this.#break(event.error.message);
    if (!event.error.mayBeBilled && this.#times.firstTokenMs === undefined) this.#usage.waive();
  }

  /** A canceled call throws its signal's reason, which is not a service error. */
  #fail(error: unknown): void {
    if (!(error instanceof ServiceError)) return;
    this.#break(error.message);
    this.#status ??= error.status;
    if (!error.mayBeBilled) this.#usage.waive();
  }

  #break(problem: string): void {
    this.#end = 'upstreamFailed';
    this.#problem = problem;
  }
}

/** Returns the watch of a call that is about to be sent, for the branch that the workspace has now. */
export function watchCall(call: ChatCall, settings: Settings): CallWatch {
  return new CallWatch(call, workBranch(settings));
}

/** Returns a call whose model is a route as one that the router in the worker answers, which has attempts of its own. */
export async function routedCall(
  call: ChatCall,
  routing: RouteServices,
): Promise<ChatCall & Pick<RoutedClient, 'priced'>> {
  const { request, usage = CallUsage.of(request), options } = call;
  const routed = await routedClient(routing, request.model, usage);
  return { ...call, usage, ...routed, options: { ...options, retries: 0 } };
}

/** Returns the body of a call, to be measured. */
export function bodyOf({ format, request }: Pick<ChatCall, 'format' | 'request'>): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(wireFormats[format].encodeRequest(request)));
}
