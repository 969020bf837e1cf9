/** Sends a chat in any wire format. Its request and events are in the neutral form. */

import type { ChatEvent } from '../formats/answer.ts';
import type { ApiError } from '../formats/apiError.ts';
import type { CacheHint, ChatRequest, FormatName, Message, TextPart, UserPart } from '../formats/conversation.ts';
import { isRecord } from '../formats/json.ts';
import type { WireFormat } from '../formats/wireFormat.ts';
import type { ApiClient } from './apiClient.ts';
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

/** Marks the end of a prefix that the service caches for a few minutes. */
const HINT: CacheHint = {};

/** The last turn, and the one before it, which the service already has in its cache. */
const HINTED_TURNS = 2;

/**
 * Returns the request with cache hints, which the messages format requires: on the last tool, the last system prompt,
 * and the last two turns of the user or of tools. Nothing else changes, so that the conversation's next request begins
 * with the same bytes. A request that already has hints is returned unchanged.
 */
export function withCacheHints(request: ChatRequest): ChatRequest {
  if (hasHints(request)) return request;
  const { system, messages, tools } = request;
  const turns = messages.flatMap((message, index) => (isTurn(message) ? [index] : [])).slice(-HINTED_TURNS);
  return {
    ...request,
    system: withLast(system, isHintable, hinted),
    messages: messages.map((message, index) => (turns.includes(index) ? hintedMessage(message) : message)),
    ...(tools !== undefined && { tools: withLast(tools, () => true, hinted) }),
  };
}

function hasHints({ system, messages, tools = [] }: ChatRequest): boolean {
  const parts = [...system, ...tools, ...messages.flatMap((message): readonly object[] => message.parts)];
  return parts.some((part) => 'cacheHint' in part && part.cacheHint !== undefined);
}

function isTurn({ role }: Message): boolean {
  return role === 'user' || role === 'tool';
}

function hintedMessage(message: Message): Message {
  if (message.role === 'user') return { ...message, parts: withLast(message.parts, isHintable, hinted) };
  if (message.role === 'tool') return { ...message, parts: withLast(message.parts, () => true, hinted) };
  return message;
}

/** Services reject a hint on an empty text. */
function isHintable(part: TextPart | UserPart): boolean {
  return part.type !== 'text' || part.text !== '';
}

function hinted<Part>(part: Part): Part & { cacheHint: CacheHint } {
  return { ...part, cacheHint: HINT };
}

function withLast<Item>(items: readonly Item[], fits: (item: Item) => boolean, change: (item: Item) => Item): Item[] {
  const last = items.findLastIndex(fits);
  return items.map((item, index) => (index === last ? change(item) : item));
}
