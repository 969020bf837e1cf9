import type { OutgoingHttpHeaders } from 'node:http';
import type { ApiError } from '../../formats/apiError.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import type { ClientResponse } from './clientResponse.ts';

/**
 * Answers with an error in the caller's format. Its request ID is the ID of the exchange unless the error has one.
 * @returns the number of bytes of the body.
 */
export function sendError(
  response: ClientResponse,
  format: WireFormat,
  error: ApiError,
  requestId: string,
  headers?: OutgoingHttpHeaders,
): number {
  const { status, body } = format.encodeError({ requestId, ...error });
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json',
    'content-length': bytes.length,
    'x-request-id': requestId,
    'request-id': requestId,
  });
  response.end(bytes);
  return bytes.length;
}
