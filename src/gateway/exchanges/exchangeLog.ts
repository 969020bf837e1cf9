import type { IncomingHttpHeaders } from 'node:http';
import { defined } from '../../formats/json.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { BilledFailure, UpstreamAttempt } from '../../ledger/upstreamAttempt.ts';
import type { ExchangeEnd } from '../../rules/exchange.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import { clientName } from '../core/exchangeRecord.ts';
import type { LimitName } from '../core/keyLimits.ts';
import type { RequestSession } from '../core/requestSession.ts';
import type { SealedFacts } from '../core/standIns.ts';
import type { Endpoint, Routing, UsageCount } from '../core/upstream.ts';
import type { RunningExchange } from '../traffic/protocol.ts';
import type { AnswerUsage } from '../usage/answerUsage.ts';
import type { ClientAnswer } from './clientAnswer.ts';

interface LoggedExchange {
  readonly id: string;
  readonly format: WireFormat;
  readonly localKeyId: string | undefined;
  readonly model: string | undefined;
  readonly session: RequestSession | undefined;
  readonly outputLimit: number | undefined;
  readonly sealed: SealedFacts | undefined;
}

interface LoggedParts {
  readonly endpoint: Endpoint | undefined;
  readonly answer: Pick<ClientAnswer, 'status' | 'firstByteAt' | 'bytes'>;
  readonly usage: AnswerUsage;
}

type CountedUsage = UsageCount | undefined;

interface CountedAttempts {
  /** Undefined if there was only one. */
  readonly attempts: readonly UpstreamAttempt[] | undefined;
  /** The usage of the exchange itself. */
  readonly count: CountedUsage;
}

/**
 * What is noted of one exchange until its record is made: its times, the upstreams that were considered with the usage
 * of those that gave no answer, and how it ended.
 */
export class ExchangeLog {
  /** When it began, in milliseconds since the epoch. Its row, its day, and the period of its budget depend on it. */
  readonly at = Date.now();
  /** The same moment, and when an upstream was asked, on the clock of `performance.now()`. */
  readonly startedAt = performance.now();
  askedAt: number | undefined;
  /** Number of bytes of the request's body. */
  bytesIn = 0;
  /** The upstream that is asked. If the asked one is a router, the member that it has selected. */
  routing: Routing | undefined;
  end: ExchangeEnd = 'completed';
  /** Whether an upstream has failed before anything could be billed. */
  isUnbilled = false;
  /** Whether the gateway has canceled the call to an upstream that was answering. */
  hasLeft = false;
  readonly #parts: LoggedParts;
  readonly #userAgent: string | undefined;
  readonly #traceParent: string | undefined;
  readonly #reported: { readonly attempt: UpstreamAttempt; readonly billed: BilledFailure | undefined }[] = [];
  /** Whether an upstream is being asked, so that it may have usage that is not reported yet. */
  #isUnderWay = true;

  constructor(parts: LoggedParts, headers: IncomingHttpHeaders) {
    this.#parts = parts;
    this.#userAgent = headers['user-agent']?.split(' ', 1)[0];
    this.#traceParent = headers.traceparent as string | undefined;
  }

  routed(routing: Routing): void {
    this.routing = routing;
    this.#isUnderWay = true;
  }

  attempted(attempt: UpstreamAttempt, billed: BilledFailure | undefined): void {
    this.#reported.push({ attempt, billed });
    if (attempt.failure !== undefined) this.#isUnderWay = false;
  }

  dropped(names: readonly string[]): void {
    if (this.routing === undefined) return;
    this.routing = { ...this.routing, dropped: [...new Set([...(this.routing.dropped ?? []), ...names])] };
  }

  /** Whether the answer comes from a model and is forwarded in the caller's own format, as the upstream wrote it. */
  isPassedOn({ name, path }: WireFormat): boolean {
    const { format = name, hasOwnForm = false } = this.routing ?? {};
    return this.#parts.endpoint === path && format === name && !hasOwnForm;
  }

  /** Calls `onRecord` with the record of an exchange that has ended. If usage was not reported, after its estimate. */
  close(exchange: LoggedExchange, onRecord: (record: ExchangeRecord) => void): void {
    const { usage } = this.#parts;
    const record = this.#record(exchange);
    const { upstream = '', model = exchange.model ?? '' } = this.routing ?? {};
    const mayBeBilled = this.askedAt !== undefined && !this.isUnbilled && this.#isUnderWay;
    const count = usage.end({ mayBeBilled, hasLeft: this.hasLeft, model: { upstream, model } });
    const finish = (counted: CountedAttempts) => {
      this.#addCounted(record, counted);
      if (usage.upstreamMissReason !== undefined) record.upstreamMissReason = usage.upstreamMissReason;
      onRecord(record);
    };
    const counted = this.#counted(count);
    if (counted instanceof Promise) void counted.then(finish);
    else finish(counted);
  }

  soFar(exchange: LoggedExchange): ExchangeRecord {
    const record = this.#record(exchange);
    record.end = 'lost';
    this.#addCounted(record, this.#countedSoFar());
    return record;
  }

  running(exchange: LoggedExchange, waitsFor: LimitName | undefined): RunningExchange {
    const record = this.#record(exchange);
    const attempts = this.#reported.length > 0 ? this.#reported.map(({ attempt }) => attempt) : undefined;
    this.#addCounted(record, { attempts, count: this.#parts.usage.reported });
    const { end: _, userAgent, traceParent: __, repository: ___, branch: ____, ...rest } = record;
    return defined({ ...rest, client: clientName(userAgent), waitsFor });
  }

  /** Returns the record at this moment, without usage. */
  #record({ id, format, localKeyId, model, session, outputLimit, sealed }: LoggedExchange): RecordDraft {
    const { endpoint, answer, usage } = this.#parts;
    const { at, askedAt, startedAt, bytesIn, end } = this;
    const { upstream, model: askedModel, format: upstreamFormat, dropped = [], route } = this.routing ?? {};
    // What a client names of its session is read with the IDs.
    const { ids, agentType, toolMs, repository, branch } = session ?? {};
    return defined({
      id,
      at,
      callerFormat: format.name,
      localKeyId,
      userAgent: this.#userAgent,
      traceParent: this.#traceParent,
      endpoint,
      model,
      upstream,
      upstreamModel: askedModel === model ? undefined : askedModel,
      upstreamFormat: upstreamFormat ?? (usage.answer.isRead ? format.name : undefined),
      route,
      dropped: dropped.length > 0 ? dropped : undefined,
      outputLimit,
      secrets: sealed?.kinds,
      sealed: sealed?.count,
      unknownStandIns: sealed?.unknown,
      status: answer.status,
      queueMs: askedAt && askedAt - startedAt,
      firstByteMs: answer.firstByteAt && answer.firstByteAt - startedAt,
      durationMs: performance.now() - startedAt,
      bytesIn,
      bytesOut: answer.bytes,
      agentType,
      toolMs,
      repository,
      branch,
      end,
      ...ids,
    });
  }

  /**
   * Joins the attempts with their usage. If no upstream gave an answer, the usage of the attempt whose failure was
   * reported to the client counts as the exchange's own.
   * @param count of the answer.
   */
  #counted(count: CountedUsage | Promise<CountedUsage>): CountedAttempts | Promise<CountedAttempts> {
    if (this.#isPlain && !(count instanceof Promise)) return { attempts: undefined, count };
    const { usage } = this.#parts;
    const counts = this.#reported.map(({ attempt, billed }) => billed && usage.ofAttempt(billed, attempt));
    if (count instanceof Promise || counts.some((each) => each instanceof Promise)) {
      return Promise.all([count, Promise.all(counts)]).then(([own, known]) => this.#join(own, known));
    }
    return this.#join(count, counts as readonly CountedUsage[]);
  }

  /** Does the same for an exchange that is still running. */
  #countedSoFar(): CountedAttempts {
    const { usage } = this.#parts;
    const own = this.#isUnderWay ? usage.soFar : undefined;
    if (this.#isPlain) return { attempts: undefined, count: own };
    return this.#join(
      own,
      this.#reported.map(({ billed }) => billed && usage.ofAttemptSoFar(billed)),
    );
  }

  /** Whether the first upstream that was considered gave the answer. */
  get #isPlain(): boolean {
    const [first] = this.#reported;
    return this.#reported.length < 2 && (first === undefined || (isAnswer(first.attempt) && !first.billed));
  }

  #join(own: CountedUsage, counts: readonly CountedUsage[]): CountedAttempts {
    const answering = this.#reported.findIndex(({ attempt }, at) =>
      own === undefined ? counts[at] !== undefined && this.#isCurrent(attempt) : isAnswer(attempt),
    );
    const count = own ?? counts[answering];
    const attempts = this.#reported.map(({ attempt }, at) => {
      if (at === answering) return count?.isEstimated ? { ...attempt, ...estimated(count) } : attempt;
      return withUsage(attempt, counts[at]);
    });
    // While another upstream is being asked, a single finished attempt is not the one of the answer, so it is listed.
    const areSeveral = attempts.length > 1 || (own !== undefined && answering === -1 && attempts.length === 1);
    return { attempts: areSeveral ? attempts : undefined, count };
  }

  #isCurrent({ upstream, model }: UpstreamAttempt): boolean {
    return upstream === this.routing?.upstream && model === this.routing.model;
  }

  #addCounted(record: RecordDraft, { attempts, count }: CountedAttempts): void {
    if (attempts !== undefined) record.attempts = attempts;
    if (count === undefined) return;
    record.usage = count.usage;
    record.usageBound = count.bound ?? 'reported';
    if (count.isEstimated) record.usageIsEstimated = true;
    if (count.accuracy !== undefined) record.estimateAccuracy = count.accuracy;
    if (count.cacheIsAssumed) record.cacheIsAssumed = true;
    // A request for a stored response names no model.
    if (record.endpoint === '/responses/' && count.model !== undefined) record.model = count.model;
    if (count.model !== undefined && (count.model === record.model || count.model === this.routing?.model)) return;
    if (count.model) record.answeredModel = count.model;
    if (count.fallbackModels !== undefined) record.fallbackModels = count.fallbackModels;
  }
}

/** A record that its usage is still added to. */
type RecordDraft = { -readonly [Name in keyof ExchangeRecord]: ExchangeRecord[Name] };

function withUsage(attempt: UpstreamAttempt, count: CountedUsage): UpstreamAttempt {
  if (count === undefined) return attempt;
  const { usage, isEstimated, model = '', fallbackModels } = count;
  // An answer that names the requested model confirms it.
  const isConfirmed = model !== '' && model === attempt.model;
  const answered = isConfirmed ? {} : defined({ answeredModel: model || undefined, fallbackModels });
  return { ...attempt, usage, ...(isEstimated && estimated(count)), ...answered };
}

function estimated({ bound }: UsageCount): Pick<UpstreamAttempt, 'usageIsEstimated' | 'usageBound'> {
  return { usageIsEstimated: true, ...(bound !== undefined && { usageBound: bound }) };
}

function isAnswer({ failure, skipped }: UpstreamAttempt): boolean {
  return failure === undefined && skipped === undefined;
}
