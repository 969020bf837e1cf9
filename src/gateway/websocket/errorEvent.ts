/** An error as an answer over HTTP has it. */
export interface SocketError {
  readonly type: string;
  readonly message: string;
  readonly code?: string | null;
  readonly param?: string | null;
}

/** Returns the event for an error that is not part of a stream, with the status that it has over HTTP. */
export function errorEvent(status: number, error: SocketError, headers: object = {}): string {
  const { code = null, param = null } = error;
  const isEmpty = Object.keys(headers).length === 0;
  return JSON.stringify({ type: 'error', status, error: { ...error, code, param }, ...(isEmpty ? {} : { headers }) });
}

export function invalidEvent(message: string, code: string, param: string | null = null): string {
  return errorEvent(400, { type: 'invalid_request_error', code, message, param });
}
