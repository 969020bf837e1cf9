import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { BilledFailure, ChosenRoute } from '../../../ledger/upstreamAttempt.ts';
import type { CallerRequest } from '../../core/callerRequest.ts';
import { newRequestId } from '../../core/callIds.ts';
import { sendJson } from '../../core/gatewayAnswer.ts';
import { isFree, isPassed, PASSED_ENDPOINTS } from '../../core/passedEndpoint.ts';
import type { AnswerSink, Routing, UpstreamCall, UpstreamRequest, UsageCount } from '../../core/upstream.ts';
import { forCaller } from '../../core/upstreamError.ts';
import type { ByteSink } from '../../http/byteSink.ts';
import { headersNamed } from '../../http/headers.ts';
import { parseJsonBody } from '../../http/jsonBody.ts';
import { withoutSealedReasoning } from '../../translation/ownReasoning.ts';
import { translate } from '../../translation/translation.ts';
import type { CallServices, Candidate } from '../callPlan.ts';
import { PassedUsageSink } from '../passedUsage.ts';
import { keyRefused, refusesKey } from '../refusedKey.ts';
import { billedFailure, type ErrorAnswer, type Failure } from './failure.ts';

/** A request in a format that the upstream understands, and the path of its answer back to the caller. */
export interface PreparedCall {
  readonly request: UpstreamRequest;
  /** Writes the body that the request still lacks. */
  readonly writeBody?: (() => Promise<Buffer>) | undefined;
  readonly routing: Routing;
  /** The upstream's format. */
  readonly format: WireFormat;
  /** False if the upstream has a form of its own, which only its translation can read. */
  readonly isReadable: boolean;
  /** Receives the upstream's answer: the given sink, or the translation in front of it. */
  readonly sink: AnswerSink;
  /** The caller's side of a translation. Undefined if the answer is not translated. */
  readonly front?: AnswerFront;
  readonly isTranslated: boolean;
  /** Wraps the upstream's call for use by the caller, if the answer is translated. */
  readonly attach?: (call: UpstreamCall) => UpstreamCall;
}

export interface CallerSide {
  readonly sink: AnswerSink;
  readonly route: ChosenRoute | undefined;
  /** Returns what receives a translated answer in front of the sink. */
  readonly createFront: () => AnswerFront;
}

/** @returns the error of the request if the upstream needs a translation that is not possible. */
export function prepareCall(
  caller: CallerRequest,
  { member, model }: Candidate,
  { sink, createFront, route }: CallerSide,
  { responses, vendor }: Pick<CallServices, 'responses' | 'vendor'>,
): PreparedCall | ApiError {
  const { format, original } = caller;
  const { endpoint, body } = original;
  const routed: Routing = { upstream: member.id, model, ...(route && { route }) };
  if (PASSED_ENDPOINTS.has(endpoint) && isPassed(endpoint)) {
    const passed = isFree(endpoint) ? sink : new PassedUsageSink(sink, endpoint, body);
    return {
      request: caller.renamed(model),
      routing: routed,
      format,
      isReadable: false,
      sink: passed,
      isTranslated: false,
    };
  }
  const target = member.targets[format.name];
  if (target === undefined) {
    const request = withoutSealedReasoning(caller.renamed(model));
    const routing: Routing = { ...routed, format: format.name };
    return { request, routing, format, isReadable: true, sink, isTranslated: false };
  }
  const form = member.hasOwnForm ? { hasOwnForm: true as const } : { format: target.name };
  const decoded = caller.decoded();
  if ('kind' in decoded) return decoded;
  const translation = translate(original, decoded, target, model, responses, { id: member.id, vendor });
  if ('kind' in translation) return translation;
  const front = createFront();
  const answer = translation.createAnswer(front, member.upstream.mask);
  return {
    request: translation.request,
    writeBody: translation.writeBody,
    routing: { ...routed, ...form, dropped: translation.dropped },
    format: target,
    isReadable: !member.hasOwnForm,
    sink: answer,
    front,
    isTranslated: true,
    attach: (call) => answer.attach(call),
  };
}

interface FrontOptions {
  readonly sink: AnswerSink;
  /** Added to the headers of the answer. */
  readonly headers: () => OutgoingHttpHeaders | undefined;
  /** Called instead of the sink if the answer fails before its start, for example because it cannot be translated. */
  readonly onFailed: (error: ApiError, begun: BilledFailure | undefined) => void;
  /** Called when the answer has ended or was cut off. */
  readonly onEnded: () => void;
}

/** The caller's side of one attempt. Receives the answer, after its translation if there is one. */
export class AnswerFront implements AnswerSink {
  /** The caller's sink, unless another upstream is asked. */
  direct: ByteSink | undefined;
  readonly #options: FrontOptions;
  #hasBegun = false;
  #count: UsageCount | undefined;
  #isClosed = false;

  constructor(options: FrontOptions) {
    this.#options = options;
    this.direct = options.sink;
  }

  /** Ignores everything that still arrives, because another upstream is asked. */
  close(): void {
    this.#isClosed = true;
    this.direct = undefined;
  }

  /** Passes on the failure of this attempt, because no other attempt was better. */
  reopen(): void {
    this.#isClosed = false;
    this.direct = this.#options.sink;
    this.#hasBegun = true;
  }

  start(status: number, headers: OutgoingHttpHeaders): void {
    if (this.#isClosed) return;
    this.#hasBegun = true;
    const added = this.#options.headers();
    this.#options.sink.start(status, added === undefined ? headers : { ...headers, ...added });
  }

  data(chunk: Buffer): boolean {
    return this.#isClosed || this.#options.sink.data(chunk);
  }

  end(): void {
    if (this.#isClosed) return;
    this.#options.onEnded();
    this.#options.sink.end();
  }

  fail(error: ApiError): void {
    if (this.#isClosed) return;
    if (!this.#hasBegun) {
      this.#options.onFailed(error, this.#begun());
      return;
    }
    this.#options.onEnded();
    this.#options.sink.fail(error);
  }

  routed(routing: Routing): void {
    if (!this.#isClosed) this.#options.sink.routed?.(routing);
  }

  used(count: UsageCount): void {
    if (this.#isClosed) return;
    this.#count = count;
    this.#options.sink.used?.(count);
  }

  dropped(names: readonly string[]): void {
    if (!this.#isClosed) this.#options.sink.dropped?.(names);
  }

  tap(request: UpstreamRequest, sink: AnswerSink): AnswerSink {
    return this.#options.sink.tap?.(request, sink) ?? sink;
  }

  /** Usage of an answer that could be read but not translated. */
  #begun(): BilledFailure | undefined {
    if (this.#count === undefined || this.#count.isEstimated) return undefined;
    return billedFailure(this.#count.usage, this.#count.isPartial !== true);
  }
}

const RETRY_HEADERS = ['retry-after', 'retry-after-ms', 'x-should-retry'] as const;

/**
 * Passes the upstream's error response on if the caller can read it. Otherwise, sends an error in the caller's format.
 * If the upstream refuses the gateway's key, the error must not look as if the caller's key were refused.
 */
export function reportFailure(failure: Failure, prepared: PreparedCall, sink: AnswerSink, caller: WireFormat): void {
  const { answer, error } = failure;
  const { format, isReadable, routing } = prepared;
  if (isReadable && failure.trigger === 'auth' && refusesKey(error.status)) {
    sink.fail(keyRefused(error, routing.upstream));
  } else if (answer !== undefined && (prepared.isTranslated || isOfFormat(answer, format))) {
    prepared.sink.start(answer.status, answer.headers);
    prepared.sink.data(answer.body);
    prepared.sink.end();
  } else if (answer !== undefined) {
    respond(forCaller(error, format, caller), answer, sink, caller);
  } else sink.fail(forCaller(error, format, caller));
}

/** Agents match the text of error messages, which the HTML page of a proxy does not contain. */
function isOfFormat({ status, headers, body }: ErrorAnswer, format: WireFormat): boolean {
  if (/html/i.test(String(headers['content-type'] ?? ''))) return false;
  return status < 500 || format.decodeError(parseJsonBody(body)) !== undefined;
}

function respond(error: ApiError, { headers }: ErrorAnswer, sink: AnswerSink, caller: WireFormat): void {
  const requestId = error.requestId ?? newRequestId();
  const { status, body } = caller.encodeError({ ...error, requestId });
  const retry = headersNamed(headers, RETRY_HEADERS);
  sendJson(sink, status, body, { ...retry, 'request-id': requestId, 'x-request-id': requestId });
}
