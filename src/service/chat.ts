/** Sends a chat in any wire format. Its request and events are in the neutral form. */

import type { ChatEvent } from '../formats/answer.ts';
import type { ApiError } from '../formats/apiError.ts';
import type { ChatRequest, FormatName } from '../formats/conversation.ts';
import { isRecord } from '../formats/json.ts';
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
  const { wireFormats, wholeName } = await import('../formats/index.ts');
  const format = wireFormats[formatName];
  const stream = await startStream(client, format, { ...request, stream: true, includeUsage: true }, options);
  const decoder = format.createStreamDecoder();
  const names = new Set(request.tools?.map(({ name }) => name));
  // A service that accepts only shorter names was sent names that stand for these.
  const ownName = (name: string) => (names.has(name) ? name : wholeName(name, names));
  let started = false;
  try {
    for await (const item of stream) {
      for (const event of decoder.push(item)) {
        started = true;
        yield event.type === 'toolCallStart' ? { ...event, name: ownName(event.name) } : safe(event);
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

/**
 * Starts the stream. The extension has written the whole request, so a request that the service refuses is sent again in
 * another form. Only the messages format needs cache hints. The code of repairs is loaded with the first refusal.
 */
async function startStream(client: ApiClient, format: WireFormat, request: ChatRequest, options: CallOptions) {
  const { model } = request;
  const encoded = format.encodeRequest(format.name === 'messages' ? withCacheHints(request) : request);
  if (!isRecord(encoded)) return client.stream(format, encoded, options);
  const isKnown = client.refusals.of(model).length > 0;
  const body = isKnown ? (await loadRepairs()).withKnownChanges(client, { model, body: encoded }) : encoded;
  try {
    return await client.stream(format, body, options);
  } catch (error) {
    if (!(error instanceof ServiceError) || !REFUSALS.has(error.status)) throw error;
    const { repeatInOtherForms } = await loadRepairs();
    return repeatInOtherForms(client, { format, model, body }, error, options);
  }
}

/** Statuses with which services refuse the form of a request. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 422, 500]);
const loadRepairs = () => import('./repairedStream.ts');

function safe(event: ChatEvent): ChatEvent {
  return event.type === 'error' ? { ...event, error: lateError(event.error) } : event;
}

/** Returns an error during an answer, with a redacted message, because it may repeat parts of the request. */
function lateError({ mayBeBilled: _, ...error }: ApiError): ApiError {
  return { ...error, message: redact(error.message), ...(!NEVER_BILLED.has(error.kind) && { mayBeBilled: true }) };
}
