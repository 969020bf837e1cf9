/** The error that all requests to the service throw. */

import * as l10n from '@vscode/l10n';
import type { ApiError, ErrorKind } from '../formats/apiError.ts';
import { defined } from '../formats/json.ts';
import { readErrorBody } from './errorBody.ts';
import { errorKindOf, NEVER_BILLED } from './errorKind.ts';
import { redact } from './redact.ts';
import { type Repeat, repeatOf } from './repeat.ts';
import { readRetryAfter } from './retryAfter.ts';

export interface ServiceErrorDetails {
  readonly kind: ErrorKind;
  readonly message: string;
  readonly status?: number | undefined;
  readonly type?: string | undefined;
  readonly code?: string | undefined;
  readonly param?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly repeat?: Repeat | undefined;
  /** If undefined, it is derived from the kind. */
  readonly mayBeBilled?: boolean | undefined;
}

export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly kind: ErrorKind;
  /** HTTP status. Undefined if there was no response. */
  readonly status: number | undefined;
  /** The service's machine-readable type and code; for a network failure the system's code, such as `ECONNREFUSED`. */
  readonly type: string | undefined;
  readonly code: string | undefined;
  readonly param: string | undefined;
  readonly requestId: string | undefined;
  /** The delay that the service requested. */
  readonly retryAfterMs: number | undefined;
  readonly repeat: Repeat;
  /** Whether the service may have worked on the request and may charge for it. */
  readonly mayBeBilled: boolean;

  /** The message is redacted here, so that no caller can forget it. */
  constructor(details: ServiceErrorDetails, options?: ErrorOptions) {
    super(redact(details.message), options);
    this.kind = details.kind;
    this.status = details.status;
    this.type = details.type;
    this.code = details.code;
    this.param = details.param;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
    this.repeat = details.repeat ?? 'never';
    this.mayBeBilled = details.mayBeBilled ?? !NEVER_BILLED.has(details.kind);
  }

  /**
   * Creates the error of an unsuccessful response: either vendor's body, other JSON, plain text, a web page, or
   * nothing.
   * @param now milliseconds since the epoch, with which a date in `retry-after` is compared.
   */
  static fromResponse(status: number, headers: Headers, bodyText: string, now = Date.now()): ServiceError {
    const requestId = requestIdOf(headers);
    if (status >= 300 && status < 400) return redirected(status, headers, requestId);
    const body = readErrorBody(bodyText);
    const kind = errorKindOf(status, [body.code, body.type]);
    return new ServiceError({
      kind,
      status,
      message: body.message ?? l10n.t('The service returned {0} without a reason.', statusText(status)),
      type: body.type,
      code: body.code,
      param: body.param,
      requestId: requestId ?? body.requestId,
      retryAfterMs: readRetryAfter(headers, now),
      repeat: repeatOf(kind, status, headers),
    });
  }

  /** Returns the error as a value, for a stream of the neutral form or for the body of another format. */
  toApiError(): ApiError {
    const { kind, message, status, type, code, param, requestId, mayBeBilled } = this;
    return {
      kind,
      message,
      ...defined({ status, type, code, param, requestId }),
      ...(mayBeBilled && { mayBeBilled }),
    };
  }
}

/** Returns the ID with which the service's operators can find a request. */
export function requestIdOf(headers: Headers): string | undefined {
  return headers.get('request-id') ?? headers.get('x-request-id') ?? undefined;
}

function redirected(status: number, headers: Headers, requestId: string | undefined): ServiceError {
  const target = headers.get('location')?.split(/[?#]/)[0];
  const redirects =
    target === undefined
      ? l10n.t('The service sent a redirect.')
      : l10n.t('The service sent a redirect to {0}.', target);
  const advice = l10n.t('Redirects are not followed because the key would be sent with them. Check the base address.');
  return new ServiceError({
    kind: 'malformed',
    status,
    message: `${redirects} ${advice}`,
    requestId,
    mayBeBilled: false,
  });
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Unauthorized',
  402: 'Payment required',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Request timeout',
  413: 'Content too large',
  429: 'Too many requests',
  500: 'Internal server error',
  502: 'Bad gateway',
  503: 'Service unavailable',
  504: 'Gateway timeout',
  529: 'Overloaded',
};

function statusText(status: number): string {
  const words = STATUS_WORDS[status];
  return words === undefined ? `HTTP ${status}` : `HTTP ${status} (${words})`;
}
