import { type ApiError, FormatError } from '../formats/apiError.ts';

/**
 * A request that the sandbox answers with an error. Thrown while a request is read and checked, and always caught in
 * the sandbox.
 */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly error: ApiError;
  /** Additional headers of this error, such as `retry-after`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: ApiError, headers: Readonly<Record<string, string>> = {}) {
    super(error.message);
    this.error = error;
    this.headers = headers;
  }
}

export function invalid(message: string, param?: string, code?: string): RequestError {
  return new RequestError({
    kind: 'invalidRequest',
    status: 400,
    message,
    ...(param !== undefined && param !== '' && { param }),
    ...(code !== undefined && { code }),
  });
}

/**
 * Converts a decoder's {@link FormatError} to an error response. Returns other errors unchanged, because they are bugs.
 */
export function fromFormatError(error: unknown): unknown {
  return error instanceof FormatError ? invalid(error.message, error.path) : error;
}
