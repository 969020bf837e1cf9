/** Sends a chat in any wire format. Its request and events are in the neutral form. */

import type { ChatEvent } from '../formats/answer.ts';
import type { ApiError } from '../formats/apiError.ts';
import type { ChatRequest, FormatName } from '../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../formats/json.ts';
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

/** Some services name one refused member after the other. */
const MAX_ROUNDS = 3;
const HINT = 'cache_control';

/**
 * Starts the stream. The extension has written the whole request, so members that the service refuses are replaced or
 * removed, and the request is sent again, as the gateway does for translated ones. What is refused is remembered once a
 * request without it has succeeded. Only the messages format needs cache hints.
 */
async function startStream(client: ApiClient, format: WireFormat, request: ChatRequest, options: CallOptions) {
  const { model } = request;
  const known = client.refusals.of(model);
  const encoded = format.encodeRequest(format.name === 'messages' ? withCacheHints(request) : request);
  let refused = known;
  for (let round = 0; ; round += 1) {
    const body = refused.length === 0 || !isRecord(encoded) ? encoded : await repaired(encoded, refused);
    try {
      const stream = await client.stream(format, body, options);
      if (refused !== known) client.refusals.learn(model, refused);
      return stream;
    } catch (error) {
      const further = round < MAX_ROUNDS ? await membersRefusedBy(error, body) : [];
      const added = further.filter((member) => !refused.includes(member));
      if (added.length === 0) throw error;
      refused = [...refused, ...added];
    }
  }
}

/** The code of repairs is loaded with the first refusal. */
async function repaired(body: JsonRecord, refused: readonly string[]): Promise<JsonRecord> {
  const { repairAll } = await import('../formats/repairs/repair.ts');
  return repairAll(body, refused).body;
}

async function membersRefusedBy(error: unknown, body: unknown): Promise<readonly string[]> {
  if (!(error instanceof ServiceError) || !isRecord(body)) return [];
  const { status, message, param, code, type } = error;
  if (status !== 400 && status !== 422) return [];
  const { refusedMembers } = await import('../formats/repairs/refusal.ts');
  // A request without hints asks the same, so any mention of them is a reason to omit them.
  const hints = `${param ?? ''} ${message}`.includes(HINT) && JSON.stringify(body).includes(`"${HINT}"`) ? [HINT] : [];
  return [...new Set([...hints, ...refusedMembers(JSON.stringify({ error: { message, param, code, type } }), body)])];
}

function safe(event: ChatEvent): ChatEvent {
  return event.type === 'error' ? { ...event, error: lateError(event.error) } : event;
}

/** Returns an error during an answer, with a redacted message, because it may repeat parts of the request. */
function lateError({ mayBeBilled: _, ...error }: ApiError): ApiError {
  return { ...error, message: redact(error.message), ...(!NEVER_BILLED.has(error.kind) && { mayBeBilled: true }) };
}
