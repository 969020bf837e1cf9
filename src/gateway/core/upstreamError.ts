/** An upstream's error answer in the terms of the caller's format. */
import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, type ErrorKind, KIND_OF_STATUS } from '../../formats/apiError.ts';
import { wireFormats } from '../../formats/index.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { newId } from './callIds.ts';

/** Kinds that say no more than the status does. */
const VAGUE: ReadonlySet<ErrorKind> = new Set(['server', 'invalidRequest']);
const SHOWN_OF_TEXT = 500;

export interface UpstreamError {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** What the upstream said, whichever format it said it in; servers of one format use the errors of another. */
export function readError({ status, headers, body }: UpstreamError, format: WireFormat): ApiError {
  const told = decode(body, format);
  const byStatus = KIND_OF_STATUS[status] ?? 'server';
  const kind = told === undefined || VAGUE.has(told.kind) ? byStatus : told.kind;
  const message = told?.message || plainText(body) || `The upstream answered with status ${status}.`;
  return {
    ...told,
    kind,
    message,
    status,
    requestId: requestIdOf(headers) ?? headerSafe(told?.requestId) ?? newRequestId(),
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

/** Whole pages say nothing to a program. */
function plainText(body: string): string {
  const text = body.trim();
  return text.startsWith('<') || text.startsWith('{') ? '' : text.slice(0, SHOWN_OF_TEXT);
}

/**
 * The error for a caller of another vendor's format: the words of the upstream's own vendor are left to that format,
 * and being overloaded has a status of its own in each.
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

/** An id that a body told becomes a header, and may hold nothing there that would begin another. */
function headerSafe(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.:-]{1,200}$/.test(id) ? id : undefined;
}

export function newRequestId(): string {
  return `req_${newId()}`;
}
