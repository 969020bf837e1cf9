import { ENDPOINT_PATHS, type WireFormat } from '../wireFormat.ts';
import { droppedFromAnswer, droppedFromRequest } from './dropped.ts';
import { decodeError, encodeError } from './errors.ts';
import { ChatCompletionsEventParser, parseEvent } from './eventParser.ts';
import { decodeRequest, encodeRequest } from './request.ts';
import { decodeResponse, encodeResponse } from './response.ts';
import type {
  ChatCompletionsError,
  ChatCompletionsEvent,
  ChatCompletionsRequest,
  ChatCompletionsResponse,
} from './schema.ts';
import { ChatCompletionsStreamDecoder } from './streamDecoder.ts';
import { ChatCompletionsStreamEncoder } from './streamEncoder.ts';

export type { ChatCompletionsError, ChatCompletionsEvent, ChatCompletionsRequest, ChatCompletionsResponse };

/**
 * The chat-completions format.
 *
 * Converted to another form:
 * - images and documents in tool results are in a user message directly after the results;
 * - a document given as text becomes text, and an image given by a file ID becomes a file;
 * - a thinking budget becomes an effort: `low` up to 4096 tokens, `medium` up to 16384, otherwise `high`;
 * - the parts of an assistant message are ordered: reasoning, text, refusals, tool calls; adjacent parts of one kind
 *   are joined in answers;
 * - finish reasons: a stop sequence and a pause become `stop`, a full context window becomes `length`, a refusal
 *   `content_filter`;
 * - user IDs are truncated to the 64 characters that this format allows;
 * - tools in the format's older form (`functions`) are answered in that form: the upstream is asked for one call at a
 *   time, and only the first of several is reported.
 *
 * Dropped when encoding: cache hints (they are decoded, but strict servers reject them), `topK` (likewise), whether a
 * tool result is an error, which stop sequence ended an answer, tool namespaces, item IDs except those of encrypted
 * reasoning, reasoning summaries, previous responses, hosted tools of other formats.
 *
 * Dropped when decoding: audio, names of participants, choices beyond the first, log probabilities of refusals,
 * predictions, annotations of anything other than pages, and all annotations in a request.
 */
export const chatCompletions: WireFormat<
  ChatCompletionsRequest,
  ChatCompletionsResponse,
  ChatCompletionsEvent,
  ChatCompletionsError
> = {
  name: 'chat-completions',
  path: ENDPOINT_PATHS['chat-completions'],
  decodeRequest,
  encodeRequest,
  droppedFromRequest,
  decodeResponse,
  encodeResponse,
  droppedFromAnswer,
  parseEvent,
  createEventParser: () => new ChatCompletionsEventParser(),
  createStreamDecoder: (unnamedId) => new ChatCompletionsStreamDecoder(unnamedId),
  createStreamEncoder: (context) => new ChatCompletionsStreamEncoder(context),
  decodeError,
  encodeError,
};
