import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, type ErrorKind, malformed } from '../../../formats/apiError.ts';
import { defined } from '../../../formats/json.ts';
import { speaksOfCredit, speaksOfFilter, speaksOfOverflow } from '../../../formats/refusalReason.ts';
import type { Usage } from '../../../formats/usage.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { BilledFailure } from '../../../ledger/upstreamAttempt.ts';
import { refusesCompaction } from '../../core/compactionRefusal.ts';
import { isPassed } from '../../core/passedEndpoint.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import { readError } from '../../core/upstreamError.ts';
import { retryAfterOf } from '../../http/headers.ts';
import type { ExtraTrigger, Trigger } from '../routes/routeEntry.ts';

export interface Failure {
  /** Undefined if the request itself is invalid, so that no other upstream is asked. */
  readonly trigger?: Trigger;
  /** Has the status that the caller would receive. */
  readonly error: ApiError;
  /** The upstream's error response, if it can be passed on. */
  readonly answer?: ErrorAnswer;
  /** How long the upstream asks clients to wait. */
  readonly retryAfterMs?: number;
  /** Undefined if the upstream cannot bill the attempt. */
  readonly billed?: BilledFailure;
  /** Whether a retry with the same upstream can succeed a moment later. */
  readonly isPassing?: true;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: Buffer;
}

const TRIGGER_OF_KIND: Readonly<Record<ErrorKind, Trigger | undefined>> = {
  authentication: 'auth',
  credit: 'credit',
  permission: 'auth',
  notFound: 'gone',
  rateLimit: 'rate',
  overloaded: 'server',
  invalidRequest: undefined,
  tooLarge: 'overflow',
  timeout: 'idle',
  network: 'network',
  malformed: 'server',
  server: 'server',
};

const TRIGGER_OF_STATUS: Readonly<Record<number, Trigger>> = {
  401: 'auth',
  402: 'credit',
  403: 'auth',
  404: 'gone',
  408: 'server',
  413: 'overflow',
  425: 'server',
  429: 'rate',
};

/** Kinds of errors that upstreams return without processing the request. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set([
  'authentication',
  'credit',
  'permission',
  'notFound',
  'rateLimit',
  'invalidRequest',
  'tooLarge',
]);

/** Statuses of failures that are often transient. An overloaded upstream is not asked again. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([500, 502]);
const MAX_RETRY_MS = 1_000;

/** Failure of an attempt whose answer has status 400 or higher. */
export function failureOfAnswer(answer: ErrorAnswer, format: WireFormat): Failure {
  const { status, headers, body } = answer;
  const error = readError({ status, headers, body: body.toString() }, format);
  const byStatus = status >= 500 ? 'server' : TRIGGER_OF_STATUS[status];
  const trigger = extraTrigger(error, status) ?? byStatus ?? (error.kind === 'notFound' ? 'gone' : undefined);
  const waitMs = retryAfterOf(headers, Date.now());
  const mayRetry = headers['x-should-retry'] !== 'false' && (waitMs ?? 0) <= MAX_RETRY_MS;
  return {
    error,
    answer,
    ...defined({ trigger, retryAfterMs: waitMs }),
    ...(mayRetry && PASSING_STATUSES.has(status) && { isPassing: true as const }),
  };
}

/** Failure of an answer that started successfully and then contained an error. */
export function failureOfEvent(error: ApiError, format: WireFormat, begun?: BilledFailure): Failure {
  const status = statusOf(error, format);
  // A refusal that has no HTTP status of its own costs no more than one that has.
  const billed = REFUSALS.has(error.kind) && begun?.usage === undefined ? undefined : begun;
  const trigger = extraTrigger(error, status) ?? TRIGGER_OF_KIND[error.kind];
  return {
    error: { ...error, status },
    ...defined({ trigger, billed }),
    ...(PASSING_STATUSES.has(status) && { isPassing: true as const }),
  };
}

/** Failure of a successful response that is not an answer. */
export function failureWithoutAnswer(message: string, billed?: BilledFailure): Failure {
  return { error: malformed(message), trigger: 'server', isPassing: true, ...(billed !== undefined && { billed }) };
}

/** Failure of an answer that ends without output because the model or a filter declined. */
export function failureOfDecline(trigger: 'refusal' | 'filter', billed: BilledFailure): Failure {
  const who = trigger === 'refusal' ? 'The model refused' : "The upstream's content filter refused";
  return { error: { kind: 'invalidRequest', status: 400, message: `${who} to answer.` }, trigger, billed };
}

/**
 * Failure of a call that has not returned an answer.
 * @param begun usage of the part that arrived, if there is one.
 */
export function failureOfCall(error: ApiError, begun?: BilledFailure): Failure {
  const trigger = TRIGGER_OF_KIND[error.kind];
  const isPassing = error.kind === 'network';
  const billed = begun ?? (error.mayBeBilled ? {} : undefined);
  return {
    error,
    ...defined({ trigger, billed }),
    ...(isPassing && { isPassing }),
  };
}

/** Some servers send the HTTP status as the error's code. */
function statusOf(error: ApiError, format: WireFormat): number {
  const code = Number(error.code);
  return code >= 400 && code < 600 ? code : format.encodeError(error).status;
}

/** Whether a failure helps the caller more than an earlier one of another upstream. */
export function isClearer(failure: Failure, first: Failure): boolean {
  if (isUnreachable(failure)) return false;
  // A message about the request helps more than one about a server.
  return isUnreachable(first) || ((first.error.status ?? 0) >= 500 && failure.error.kind === 'invalidRequest');
}

/** Whether the upstream has not returned the error itself. */
export function isUnreachable({ trigger }: Failure): boolean {
  return trigger === 'network' || trigger === 'idle';
}

const REFUSED: ReadonlySet<number> = new Set([400, 403, 413, 422, 429]);

/** Returns the trigger for a refusal's code or message, or `undefined` if only the status counts. */
export function extraTrigger(error: ApiError, status: number): ExtraTrigger | undefined {
  if (error.kind === 'credit') return 'credit';
  if (!REFUSED.has(status)) return undefined;
  const words = `${error.code ?? ''} ${error.type ?? ''} ${error.message}`;
  if (status !== 413 && speaksOfCredit(words)) return 'credit';
  if (status === 429) return undefined;
  if (status !== 403 && speaksOfOverflow(words)) return 'overflow';
  return speaksOfFilter(words) ? 'filter' : undefined;
}

export function billedFailure(usage: Usage | undefined, isWhole: boolean): BilledFailure {
  return usage === undefined ? {} : { usage, ...(isWhole && { isWhole }) };
}

export function unbilled({ mayBeBilled: _, ...error }: ApiError): ApiError {
  return error;
}

/** The failure of an answer that took longer than a limit. */
export function timedOut(message: string): ApiError {
  return { kind: 'timeout', status: 504, message, mayBeBilled: true };
}

export function withoutTrigger({ trigger: _, ...failure }: Failure): Failure {
  return failure;
}

/** A model that is missing for embeddings, for example, can still answer. */
export function isOtherUse({ trigger }: Failure, { endpoint }: UpstreamRequest): boolean {
  return trigger === 'gone' && isPassed(endpoint);
}

/**
 * Whether the model is available, but its upstream cannot compact. The client has another way to compact, and an item
 * compacted by another upstream could only be read there.
 */
export function lacksCompaction({ answer }: Failure, request: UpstreamRequest): boolean {
  return answer !== undefined && refusesCompaction(request, answer.status, answer.body.toString());
}
