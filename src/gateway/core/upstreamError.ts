/** Converts an upstream's error answer to the caller's format. */
import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, type ErrorKind, KIND_OF_STATUS } from '../../formats/apiError.ts';
import { wireFormats } from '../../formats/index.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { newId } from './callIds.ts';

/** Kinds that contain no more information than the status. */
const VAGUE: ReadonlySet<ErrorKind> = new Set(['server', 'invalidRequest']);
const SHOWN_OF_TEXT = 500;

export interface UpstreamError {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** Reads an upstream's error in any format, because servers of one format also use the errors of others. */
export function readError({ status, headers, body }: UpstreamError, format: WireFormat): ApiError {
  const decoded = decode(body, format);
  const byStatus = KIND_OF_STATUS[status] ?? 'server';
  const kind = decoded === undefined || VAGUE.has(decoded.kind) ? byStatus : decoded.kind;
  const message = decoded?.message || plainText(body) || `The upstream answered with status ${status}.`;
  return {
    ...decoded,
    kind,
    message,
    status,
    requestId: requestIdOf(headers) ?? headerSafe(decoded?.requestId) ?? newRequestId(),
  };
}

function decode(body: string, format: WireFormat): ApiError | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  return [format, ...Object.values(wireFormats)].map((each) => each.decodeError(value)).find(Boolean);
}

/** HTML pages and JSON are not used as messages. */
function plainText(body: string): string {
  const text = body.trim();
  return text.startsWith('<') || text.startsWith('{') ? '' : text.slice(0, SHOWN_OF_TEXT);
}

/**
 * Returns the error for a caller. If the vendors of the two formats differ, the vendor's own error type is dropped, and
 * so is the status of an overload, which differs between the formats.
 */
export function forCaller(error: ApiError, upstream: WireFormat, caller: WireFormat): ApiError {
  if ((upstream.name === 'messages') === (caller.name === 'messages')) return error;
  const { type: _, status, ...rest } = error;
  return { ...rest, ...(error.kind !== 'overloaded' && status !== undefined && { status }) };
}

export function requestIdOf(headers: OutgoingHttpHeaders): string | undefined {
  const id = headers['request-id'] ?? headers['x-request-id'];
  return typeof id === 'string' ? id : undefined;
}

/** Returns an ID only if it is safe as a header value, because it comes from a body. */
function headerSafe(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.:-]{1,200}$/.test(id) ? id : undefined;
}

export function newRequestId(): string {
  return `req_${newId()}`;
}
