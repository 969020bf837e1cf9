/** Sends a chat in any wire format. Its request and events are in the neutral form. */
import type { ApiError } from '../formats/apiError.ts';
import type { ChatEvent, ChatRequest, FormatName } from '../formats/conversation.ts';
import type { WireFormat } from '../formats/wireFormat.ts';
import type { ApiClient } from './apiClient.ts';
import { withCacheHints } from './cacheHints.ts';
import { NEVER_BILLED } from './errorKind.ts';
import { redact } from './redact.ts';
import { ServiceError } from './serviceError.ts';
import type { CallOptions } from './transport.ts';

/**
 * Sends the request in the format and yields the answer as it arrives, always as a stream and with its usage. If the
 * answer is interrupted or the service reports an error in the middle of it, the last event is an `error`.
 * @throws {ServiceError} for a failure before the first event; the signal's reason at any time.
 */
export async function* streamChat(
  client: ApiClient,
  formatName: FormatName,
  request: ChatRequest,
  options: CallOptions = {},
): AsyncGenerator<ChatEvent, void, undefined> {
  const { wireFormats } = await import('../formats/index.ts');
  const format = wireFormats[formatName];
  const stream = await startStream(client, format, { ...request, stream: true, includeUsage: true }, options);
  const decoder = format.createStreamDecoder();
  let started = false;
  try {
    for await (const item of stream) {
      for (const event of decoder.push(item)) {
        started = true;
        yield safe(event);
        if (event.type === 'error') return;
      }
    }
  } catch (error) {
    if (!started || !(error instanceof ServiceError)) throw error;
    yield { type: 'error', error: error.toApiError() };
    return;
  }
  yield* decoder.end().map(safe);
}

/** Clients of services that reject cache hints. */
const refusing = new WeakSet<ApiClient>();
const INVALID = 400;

/**
 * Starts the stream. Only the messages format needs cache hints. If a service rejects them, this request and all later
 * ones are sent without hints.
 */
async function startStream(client: ApiClient, format: WireFormat, request: ChatRequest, options: CallOptions) {
  const isHinted = format.name === 'messages' && !refusing.has(client);
  try {
    return await client.stream(format, format.encodeRequest(isHinted ? withCacheHints(request) : request), options);
  } catch (error) {
    if (!isHinted || !(error instanceof ServiceError) || !refusesHints(error)) throw error;
    refusing.add(client);
    return client.stream(format, format.encodeRequest(request), options);
  }
}

function refusesHints({ status, message, param = '' }: ServiceError): boolean {
  return status === INVALID && `${param} ${message}`.includes('cache_control');
}

function safe(event: ChatEvent): ChatEvent {
  return event.type === 'error' ? { ...event, error: lateError(event.error) } : event;
}

/** Returns an error during an answer, with a redacted message, because it may repeat parts of the request. */
function lateError({ mayBeBilled: _, ...error }: ApiError): ApiError {
  return { ...error, message: redact(error.message), ...(!NEVER_BILLED.has(error.kind) && { mayBeBilled: true }) };
}
