import { checkEvent } from '../check.ts';
import { ENDPOINT_PATHS } from '../endpointPaths.ts';
import type { ServerSentEvent } from '../serverSentEvents.ts';
import type { StreamItem, WireFormat } from '../wireFormat.ts';
import { droppedFromAnswer, droppedFromRequest } from './dropped.ts';
import { decodeError, encodeError } from './errors.ts';
import { decodeRequest, encodeRequest } from './request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import type { MessagesError, MessagesEvent, MessagesRequest, MessagesResponse } from './schema.ts';
import { messagesEvent, untypedError } from './schema.ts';
import { MessagesStreamDecoder } from './streamDecoder.ts';
import { MessagesStreamEncoder } from './streamEncoder.ts';

/**
 * The messages format.
 *
 * Cannot carry, and so leaves out when it encodes a request: reasoning that this format's services did not sign,
 * resolution of images, groups of tools, grammars of free-form tools (their calls become an object with the one
 * string `input`), names of JSON schemas, frequency and presence penalty, seed,
 * verbosity, metadata beside the user's id, service tiers other than `auto` and `default`, `store`, the previous
 * response, keys of prompt caches, truncation, ids of items, tools hosted by others, citations of an earlier answer
 * without a proof of this format's service. A list of allowed tools becomes the tools offered; temperatures
 * above 1 become 1. Of an answer: its time, log probabilities, what is cited beside pages, the words that a citation
 * stands for within its text; refusals become text. Plain JSON
 * as a response format becomes an instruction. A missing limit of tokens becomes
 * {@link DEFAULT_MAX_TOKENS}.
 *
 * Does not decode, since the neutral form has no place for it: `context_management`, `container` and other members
 * beside those of the schema, citations in requests, context of documents, server-side tool calls and their results in messages,
 * effort when thinking is switched off.
 */
export const messages: WireFormat<MessagesRequest, MessagesResponse, MessagesEvent, MessagesError> = {
  name: 'messages',
  path: ENDPOINT_PATHS.messages,
  decodeRequest,
  encodeRequest,
  droppedFromRequest,
  decodeResponse,
  encodeResponse,
  droppedFromAnswer,
  parseEvent,
  createStreamDecoder: (unnamedId) => new MessagesStreamDecoder(unnamedId),
  createStreamEncoder: (context) => new MessagesStreamEncoder(context),
  decodeError,
  encodeError,
};

/** An error counts whatever its shape: some services omit its type or send plain text. */
function parseEvent(event: ServerSentEvent): StreamItem<MessagesEvent> {
  if (event.data === '[DONE]') return { type: 'done' };
  const item = checkEvent(messagesEvent, event);
  if (item.type !== 'malformed') return item;
  const error = checkEvent(untypedError, event);
  if (error.type === 'event') return { type: 'event', event: { ...error.event, type: 'error' } };
  return event.event === 'error' ? { type: 'event', event: { type: 'error', error: { message: event.data } } } : item;
}

export { decodeCountTokensResponse, encodeCountTokensResponse } from './countTokens.ts';
export { DEFAULT_MAX_TOKENS, decodeCountTokensRequest, encodeCountTokensRequest } from './request.ts';
export type {
  CountTokensRequest,
  MessagesError,
  MessagesEvent,
  MessagesRequest,
  MessagesResponse,
} from './schema.ts';
export { CONTINUED_THREAD, LOST_THREAD } from './threads.ts';
