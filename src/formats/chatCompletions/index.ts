import { ENDPOINT_PATHS } from '../endpointPaths.ts';
import type { WireFormat } from '../wireFormat.ts';
import { droppedFromAnswer, droppedFromRequest } from './dropped.ts';
import { decodeError, encodeError } from './errors.ts';
import { parseEvent } from './event.ts';
import { ChatCompletionsEventParser } from './eventParser.ts';
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
 * Carried in another shape:
 * - images and documents within tool results stand in a user message right after the results;
 * - a document given as text becomes text, an image given by a file's id a file;
 * - a thinking budget becomes an effort: `low` up to 4096 tokens, `medium` up to 16384, else `high`;
 * - parts of an assistant message are put in order: reasoning, text, refusals, tool calls; neighbours of a kind are
 *   joined in answers;
 * - finish reasons: a stop sequence and a pause become `stop`, a full context window `length`, a refusal
 *   `content_filter`;
 * - ids of users are cut to the 64 characters that this format allows;
 * - tools of the format's older form (`functions`) are answered in that form: the upstream is asked for one call at a
 *   time, and of several the first is told.
 *
 * Cannot carry: cache hints (read, but not written: strict servers refuse them), `topK` (likewise), whether a tool
 * result is an error, which stop sequence ended an answer, namespaces of tools, ids of items but those of sealed
 * reasoning, summaries of reasoning, previous responses, hosted tools of other formats. Of the wire it cannot carry:
 * audio, names of participants, choices beyond the first, log probabilities of refusals, predictions, annotations of
 * other things than pages, and any in a request.
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
