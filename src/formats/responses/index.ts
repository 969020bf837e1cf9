import { errorInEvent } from '../errorSentence.ts';
import type { ServerSentEvent } from '../serverSentEvents.ts';
import { checkEvent } from '../tolerant.ts';
import { ENDPOINT_PATHS, type StreamItem, type WireFormat } from '../wireFormat.ts';
import { droppedFromAnswer, droppedFromRequest } from './dropped.ts';
import { decodeError, encodeError, type ResponsesError } from './errors.ts';
import { eventSchema, type ResponsesEvent } from './eventSchema.ts';
import { decodeRequest, encodeRequest } from './request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import type { ResponsesRequest, ResponsesResponse } from './schema.ts';
import { ResponsesStreamDecoder } from './streamDecoder.ts';
import { ResponsesStreamEncoder } from './streamEncoder.ts';

export { responseId } from './ids.ts';
export { outputItems } from './response.ts';
export type { OutputItem as ResponsesItem } from './schema.ts';
export type { ResponsesError, ResponsesEvent, ResponsesRequest, ResponsesResponse };

/**
 * The responses format.
 *
 * Converted to another form:
 * - one plain system prompt is `instructions`; several become one system message at the beginning of the input;
 * - a document given as text becomes text; bytes without a name get one;
 * - a thinking budget becomes an effort: `low` up to 4096 tokens, `medium` up to 16384, otherwise `high`;
 * - an answer's signatures are sent as encrypted content (see reasoning.ts);
 * - a finish reason becomes the answer's status: a stop sequence and a pause are `completed`, a full context window is
 *   `max_output_tokens`, a refusal without text is `content_filter`;
 * - calls without an ID, or with the ID of another call, get an ID of their own;
 * - user IDs are truncated to the 64 characters that this format allows.
 *
 * Dropped when encoding: `topK`, frequency and presence penalty, seed, stop sequences and which of them ended an
 * answer, whether a tool result is an error, cache hints of tools, calls, and results, cache lifetimes other than `30m`
 * and `12h`, signatures in requests to a service, hosted tools of other formats, descriptions of namespaces.
 *
 * Dropped when decoding: items of types other than messages, reasoning, function calls, custom tools, tool searches,
 * and their outputs (also references to stored items), audio, annotations of files and all annotations in a request,
 * phases of messages, `include`, `conversation`, `prompt`, and other members that are not in the schema. When encoding,
 * `include` is written if there is reasoning to request.
 */
export const responses: WireFormat<ResponsesRequest, ResponsesResponse, ResponsesEvent, ResponsesError> = {
  name: 'responses',
  path: ENDPOINT_PATHS.responses,
  decodeRequest,
  encodeRequest,
  droppedFromRequest,
  decodeResponse,
  encodeResponse,
  droppedFromAnswer,
  parseEvent,
  createStreamDecoder: (unnamedId) => new ResponsesStreamDecoder(unnamedId),
  createStreamEncoder: (context) => new ResponsesStreamEncoder(context),
  decodeError,
  encodeError,
};

/** Validates one event. An event named `error` is an error regardless of its data. */
function parseEvent(event: ServerSentEvent): StreamItem<ResponsesEvent> {
  if (event.data.trim() === '[DONE]') return { type: 'done' };
  const item = checkEvent(eventSchema, event);
  const message = item.type === 'malformed' ? errorInEvent(event) : undefined;
  return message === undefined ? item : { type: 'event', event: { type: 'error', message } };
}
