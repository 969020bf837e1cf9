/** What went wrong, in the terms of no format in particular. */

/** `server` is a failure of the service that says no more (HTTP 500 and the like). */
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

/** What an HTTP status says by itself; other statuses say nothing in particular. */
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

/** An error as a value: in a stream, or on its way from one format's body to another's. */
export interface ApiError {
  readonly kind: ErrorKind;
  /** For a person: what happened and, where known, what to do. */
  readonly message: string;
  /** HTTP status of the answer that carried it. */
  readonly status?: number;
  /** The wire's machine-readable words, kept so that the same format gets them back. */
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
  readonly requestId?: string;
  /** True when the service may have worked and may charge, although its answer never came. */
  readonly mayBeBilled?: true;
}

/** Of a stream that ended before its answer did. There are agents that ask again after these first two words alone. */
export const CUT_ANSWER: ApiError = {
  kind: 'network',
  message:
    'Connection error: the answer was cut, the stream closed before its end (premature close). Send the request again.',
};

/** Thrown by a decoder when a body is not of its format. `path` names the field, such as `messages.0.role`. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly path: string;

  constructor(message: string, path: string) {
    super(message);
    this.path = path;
  }
}
