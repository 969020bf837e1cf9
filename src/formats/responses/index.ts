import { checkEvent } from '../check.ts';
import { ENDPOINT_PATHS } from '../endpointPaths.ts';
import type { ServerSentEvent } from '../serverSentEvents.ts';
import type { StreamItem, WireFormat } from '../wireFormat.ts';
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
 * Carried in another shape:
 * - one plain system prompt is `instructions`, several are one system message at the head of the input;
 * - a document given as text becomes text; bytes without a name get one;
 * - a thinking budget becomes an effort: `low` up to 4096 tokens, `medium` up to 16384, else `high`;
 * - an answer's signatures travel as encrypted content (see reasoning.ts);
 * - a finish reason becomes the answer's status: a stop sequence and a pause are `completed`, a full context window is
 *   `max_output_tokens`, a refusal without words is `content_filter`;
 * - calls without an id, or with one that another call has, get one of their own;
 * - ids of users are cut to the 64 characters that this format allows.
 *
 * Cannot carry, and so leaves out: `topK`, frequency and presence penalty, seed, stop sequences and which of them ended
 * an answer, whether a tool result is an error, cache hints of tools, calls and results and their lifetimes other than
 * `30m` and `12h`, signatures toward a service, hosted tools of other formats, descriptions of namespaces. Of the wire
 * it cannot carry: items of other types than messages, reasoning, calls of functions, custom tools and tool searches and
 * their outputs (among them references to stored items), audio, annotations of files and any in a request, phases of messages,
 * `include`, `conversation`, `prompt` and other members beside those of the schema. `include` is written whenever there
 * is reasoning to ask for.
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

/** An event named `error` is an error regardless of its data. */
function parseEvent(event: ServerSentEvent): StreamItem<ResponsesEvent> {
  if (event.data.trim() === '[DONE]') return { type: 'done' };
  const item = checkEvent(eventSchema, event);
  if (item.type !== 'malformed' || event.event !== 'error') return item;
  return { type: 'event', event: { type: 'error', message: event.data } };
}
