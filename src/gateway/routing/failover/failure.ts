import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError, ErrorKind } from '../../../formats/apiError.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import { readRetryAfter } from '../../../service/retryAfter.ts';
import type { BilledFailure } from '../../core/upstreamAttempt.ts';
import { readError } from '../../core/upstreamError.ts';
import type { Trigger } from '../routes/routeEntry.ts';
import { extraTrigger } from './errorWords.ts';

/** Why an upstream gave no answer. */
export interface Failure {
  /** Absent when the request itself is wrong, so that nobody else is asked. */
  readonly trigger?: Trigger;
  /** With a status, as the caller would be told. */
  readonly error: ApiError;
  /** The upstream's answer, if it was an error answer that can be passed on. */
  readonly answer?: ErrorAnswer;
  /** How long the upstream asks not to be asked again. */
  readonly retryAfterMs?: number;
  /** Absent when the upstream cannot bill anything. */
  readonly billed?: BilledFailure;
  /** Whether the same upstream may do better a moment later. */
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

/** Kinds of errors with which an upstream says that it has not worked for the request. */
const REFUSALS: ReadonlySet<ErrorKind> = new Set([
  'authentication',
  'credit',
  'permission',
  'notFound',
  'rateLimit',
  'invalidRequest',
  'tooLarge',
]);

/** Failures that are often over at once; an overloaded upstream is left alone. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([500, 502]);
const LONGEST_RETRY_MS = 1_000;

/** Of an answer with status 400 or higher. */
export function failureOfAnswer(answer: ErrorAnswer, format: WireFormat): Failure {
  const { status, headers, body } = answer;
  const error = readError({ status, headers, body: body.toString() }, format);
  const byStatus = status >= 500 ? 'server' : TRIGGER_OF_STATUS[status];
  const trigger = extraTrigger(error, status) ?? byStatus ?? (error.kind === 'notFound' ? 'gone' : undefined);
  const waitMs = readRetryAfter(waitHeaders(headers), Date.now());
  const mayRetry = headers['x-should-retry'] !== 'false' && (waitMs ?? 0) <= LONGEST_RETRY_MS;
  return {
    error,
    answer,
    ...(trigger !== undefined && { trigger }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    ...(mayRetry && PASSING_STATUSES.has(status) && { isPassing: true as const }),
  };
}

/** Of an answer that began as a success and turned out to be an error. */
export function failureOfEvent(error: ApiError, format: WireFormat, begun?: BilledFailure): Failure {
  const status = statusOf(error, format);
  // What was refused in other words than a status costs no more than with one.
  const billed = REFUSALS.has(error.kind) && begun?.usage === undefined ? undefined : begun;
  const trigger = extraTrigger(error, status) ?? TRIGGER_OF_KIND[error.kind];
  return {
    error: { ...error, status },
    ...(trigger !== undefined && { trigger }),
    ...(billed !== undefined && { billed }),
    ...(PASSING_STATUSES.has(status) && { isPassing: true as const }),
  };
}

/** Of a success that is no answer. */
export function failureWithoutAnswer(message: string, billed?: BilledFailure): Failure {
  const error: ApiError = { kind: 'malformed', status: 502, message };
  return { error, trigger: 'server', isPassing: true, ...(billed !== undefined && { billed }) };
}

/** Of an answer that ends without output because the model or a filter declined. */
export function failureOfDecline(trigger: 'refusal' | 'filter', billed: BilledFailure): Failure {
  const who = trigger === 'refusal' ? 'The model refused' : "The upstream's content filter refused";
  return { error: { kind: 'invalidRequest', status: 400, message: `${who} to answer.` }, trigger, billed };
}

/** Of a request that got no answer at all. @param begun what there was of one. */
export function failureOfCall(error: ApiError, begun?: BilledFailure): Failure {
  const trigger = TRIGGER_OF_KIND[error.kind];
  const isPassing = error.kind === 'network';
  const billed = begun ?? (error.mayBeBilled ? {} : undefined);
  return {
    error,
    ...(trigger !== undefined && { trigger }),
    ...(billed !== undefined && { billed }),
    ...(isPassing && { isPassing }),
  };
}

function waitHeaders({ 'retry-after-ms': ms, 'retry-after': wait }: OutgoingHttpHeaders): Headers {
  const headers = new Headers();
  if (typeof ms === 'string') headers.set('retry-after-ms', ms);
  if (typeof wait === 'string') headers.set('retry-after', wait);
  return headers;
}

/** Some servers send the status as the code of the error. */
function statusOf(error: ApiError, format: WireFormat): number {
  const code = Number(error.code);
  return code >= 400 && code < 600 ? code : format.encodeError(error).status;
}
