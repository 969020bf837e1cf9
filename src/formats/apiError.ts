/** A kind of failure, independent of any format. */

/** `server` is a failure of the service without a more specific reason (HTTP 500 and similar). */
export type ErrorKind =
  | 'authentication'
  | 'credit'
  | 'permission'
  | 'notFound'
  | 'rateLimit'
  | 'overloaded'
  | 'invalidRequest'
  | 'tooLarge'
  | 'timeout'
  | 'network'
  | 'malformed'
  | 'server';

/** The kind that an HTTP status implies; other statuses imply none. */
export const KIND_OF_STATUS: Readonly<Record<number, ErrorKind>> = {
  400: 'invalidRequest',
  401: 'authentication',
  402: 'credit',
  403: 'permission',
  404: 'notFound',
  408: 'timeout',
  413: 'tooLarge',
  422: 'invalidRequest',
  429: 'rateLimit',
  502: 'network',
  503: 'overloaded',
  504: 'timeout',
  529: 'overloaded',
};

/** An error as a value: in a stream, or between the bodies of two formats. */
export interface ApiError {
  readonly kind: ErrorKind;
  /** For the user: what happened and, if known, what to do. */
  readonly message: string;
  /** HTTP status of the response. */
  readonly status?: number;
  /** The format's machine-readable codes, kept so that the same format gets them back. */
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
  /** True if the service may have worked and may charge, although its answer never arrived. */
  readonly mayBeBilled?: true;
}

export function malformed(message: string): ApiError {
  return { kind: 'malformed', status: 502, message };
}

/** The message for a stream that ended before its answer. Some agents retry only if it starts with these two words. */
export const CUT_ANSWER: ApiError = {
  kind: 'network',
  message:
    'Connection error: the answer was cut, the stream closed before its end (premature close). Send the request again.',
};

/** The message for an answer whose reason for its end is no normal one. @param reason the service's word. */
export function endedEarly(reason: string): string {
  return `The upstream ended the answer early (${reason}). Send the request again.`;
}

/** Thrown by a decoder if a body does not match its format. `path` is the field, such as `messages.0.role`. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}
