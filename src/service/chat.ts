/** A chat in any format, in and out in the neutral form. */
import type { ApiError } from '../formats/apiError.ts';
import type { ChatEvent, ChatRequest, FormatName } from '../formats/conversation.ts';
import type { ApiClient } from './apiClient.ts';
import { NEVER_BILLED } from './errorKind.ts';
import { redact } from './redact.ts';
import { ServiceError } from './serviceError.ts';
import type { CallOptions } from './transport.ts';

/**
 * Sends the request in the format and yields the answer as it comes, always as a stream and with its usage. The last
 * event is an `error` when the answer broke off or the service said so in the middle of it.
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
  const stream = await client.stream(
    format,
    format.encodeRequest({ ...request, stream: true, includeUsage: true }),
    options,
  );
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

function safe(event: ChatEvent): ChatEvent {
  return event.type === 'error' ? { ...event, error: lateError(event.error) } : event;
}

/** Of an answer that has begun. Its message may repeat what was sent. */
function lateError({ mayBeBilled: _, ...error }: ApiError): ApiError {
  return { ...error, message: redact(error.message), ...(!NEVER_BILLED.has(error.kind) && { mayBeBilled: true }) };
}
