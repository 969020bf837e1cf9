import { type ApiError, FormatError } from '../../../formats/apiError.ts';

/** A request that the sandbox answers with an error. Thrown while a request is read and checked; never leaves it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly error: ApiError;
  /** Headers that belong to this error alone, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: ApiError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.error = error;
    this.headers = headers;
  }
}

/** A request that cannot be served as it is: HTTP 400. `param` names the field. */
export function invalid(message: string, param?: string, code?: string): RequestError {
  return new RequestError({
    kind: 'invalidRequest',
    status: 400,
    message,
    ...(param !== undefined && param !== '' && { param }),
    ...(code !== undefined && { code }),
  });
}

/** What a decoder threw, as an answer. Anything but a {@link FormatError} is a fault of ours and passes through. */
export function fromFormatError(error: unknown): unknown {
  return error instanceof FormatError ? invalid(error.message, error.path) : error;
}
