/** Converts an upstream's error answer to the caller's format. */
import type { OutgoingHttpHeaders } from 'node:http';
import { type ApiError, type ErrorKind, KIND_OF_STATUS } from '../../formats/apiError.ts';
import { errorSentence } from '../../formats/errorSentence.ts';
import { wireFormats } from '../../formats/index.ts';
import { isRecord, parseJson } from '../../formats/json.ts';
import type { WireFormat } from '../../formats/wireFormat.ts';
import { requestIdOf } from '../http/headers.ts';
import { newRequestId } from './callIds.ts';

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
  const value = parsed(body);
  const decoded = decode(value, format);
  const byStatus = KIND_OF_STATUS[status] ?? 'server';
  const kind = decoded === undefined || VAGUE.has(decoded.kind) ? byStatus : decoded.kind;
  const sentence = decoded?.message ? errorSentence(decoded.message) : errorSentence(value);
  const message = withInner(sentence, value) || plainText(body) || `The upstream answered with status ${status}.`;
  return {
    ...decoded,
    kind,
    message,
    status,
    requestId: requestIdOf(headers) ?? headerSafe(decoded?.requestId) ?? newRequestId(),
  };
}

/** Returns the JSON of a body, without the list that some servers put around an error. */
function parsed(body: string): unknown {
  const value = parseJson(body);
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function decode(value: unknown, format: WireFormat): ApiError | undefined {
  return [format, ...Object.values(wireFormats)].map((each) => each.decodeError(value)).find(Boolean);
}

/** Adds the error of another service behind the upstream, which multi-model services pass on beside their own. */
function withInner(sentence: string | undefined, value: unknown): string | undefined {
  const error = isRecord(value) && isRecord(value.error) ? value.error : undefined;
  const raw = isRecord(error?.metadata) ? errorSentence(error.metadata.raw) : undefined;
  return raw === undefined || sentence?.includes(raw) ? sentence : [sentence, raw].filter(Boolean).join(': ');
}

/** Of HTML pages, only the title is used, and JSON is not used at all. */
function plainText(body: string): string {
  const text = body.trim();
  const [, title = ''] = /^<[\s\S]*?<title[^>]*>([^<]*)<\/title>/i.exec(text) ?? [];
  return /^[<{[]/.test(text) ? title.trim().slice(0, SHOWN_OF_TEXT) : text.slice(0, SHOWN_OF_TEXT);
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

/** Returns an ID only if it is safe as a header value, because it comes from a body. */
function headerSafe(id: string | undefined): string | undefined {
  return id !== undefined && /^[\w.:-]{1,200}$/.test(id) ? id : undefined;
}
