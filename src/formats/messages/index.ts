import { errorInEvent } from '../errorSentence.ts';
import type { ServerSentEvent } from '../serverSentEvents.ts';
import { checkEvent } from '../tolerant.ts';
import { ENDPOINT_PATHS, type StreamItem, type WireFormat } from '../wireFormat.ts';
import { droppedFromAnswer, droppedFromRequest } from './dropped.ts';
import { decodeError, encodeError } from './errors.ts';
import { type MessagesEvent, messagesEvent } from './eventSchema.ts';
import { decodeRequest, encodeRequest } from './request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import { type MessagesError, type MessagesRequest, type MessagesResponse, untypedError } from './schema.ts';
import { MessagesStreamDecoder } from './streamDecoder.ts';
import { MessagesStreamEncoder } from './streamEncoder.ts';

/**
 * The messages format.
 *
 * Converted to another form when encoding:
 * - a list of allowed tools becomes the tools offered;
 * - temperatures above 1 become 1;
 * - plain JSON as a response format becomes an instruction;
 * - a missing token limit becomes {@link DEFAULT_MAX_TOKENS};
 * - the calls of free-form tools become an object with the single string `input`;
 * - refusals become text.
 *
 * Dropped when encoding a request: reasoning that this format's services did not sign, image resolution, tool
 * namespaces, grammars of free-form tools, names of JSON schemas, frequency and presence penalty, seed, verbosity,
 * metadata except the user ID, service tiers other than `auto` and `default`, `store`, the previous response, prompt
 * cache keys, truncation, item IDs, hosted tools of other formats, citations of an earlier answer without a proof of
 * this format's service.
 *
 * Dropped when encoding an answer: its time, log probabilities, citations of anything other than pages, the span of a
 * citation within its text.
 *
 * Dropped when decoding: `context_management`, `container`, and other members, blocks, and events that are not in the
 * schema, citations in requests, context of documents, server-side tool calls and their results in messages, effort if
 * thinking is disabled, the category of a refusal.
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

/** Validates one event. An error is recognized in any shape: some services omit its type or send plain text. */
function parseEvent(event: ServerSentEvent): StreamItem<MessagesEvent> {
  if (event.data === '[DONE]') return { type: 'done' };
  const item = checkEvent(messagesEvent, event);
  if (item.type !== 'malformed') return item;
  const error = checkEvent(untypedError, event);
  if (error.type === 'event') return { type: 'event', event: { ...error.event, type: 'error' } };
  const message = errorInEvent(event);
  return message === undefined ? item : { type: 'event', event: { type: 'error', error: { message } } };
}

export { CONTINUED_THREAD } from './dropped.ts';
export { LOST_THREAD } from './errors.ts';
export type { MessagesEvent } from './eventSchema.ts';
export {
  decodeCountTokensRequest,
  encodeCountTokensRequest,
} from './request.ts';
export type {
  CountTokensRequest,
  MessagesError,
  MessagesRequest,
  MessagesResponse,
} from './schema.ts';
export { DEFAULT_MAX_TOKENS } from './thinkingConfig.ts';
export {
  DEFAULT_VERSION,
  inVersion,
  isKnownVersion,
  namedVersion,
  refusedMember,
} from './version.ts';
