/** Classifies the first events of a stream for the choice of an upstream. */
import { hasFailedBase } from '../../../formats/chatCompletions/errors.ts';
import { decodeFinishReason } from '../../../formats/chatCompletions/response.ts';
import type { FormatName } from '../../../formats/conversation.ts';
import { isRecord, type JsonRecord, parseJson } from '../../../formats/json.ts';
import type { ServerSentEvent } from '../../../formats/serverSentEvents.ts';

/**
 * `preamble`: no output yet, or data that is not a JSON object. `output`: text, reasoning, a tool call, the end of the
 * answer, or an unknown event.
 * `refusal` and `filter`: the answer ends without output for this reason. `error`: the upstream failed.
 */
export type EventKind = 'preamble' | 'output' | 'refusal' | 'filter' | 'error';

const KINDS: Readonly<Record<FormatName, (event: ServerSentEvent) => EventKind>> = {
  'chat-completions': chatCompletionsKind,
  messages: messagesKind,
  responses: responsesKind,
};

export function eventKind(format: FormatName, event: ServerSentEvent): EventKind {
  return KINDS[format](event);
}

/** In JSON, no text contains these bytes, because its quotes are escaped. */
const CONTENT = /"delta"\s*:\s*\{\s*(?:"role"\s*:\s*"\w*"\s*,\s*)?"content"\s*:\s*"[^"]/;

function chatCompletionsKind({ data }: ServerSentEvent): EventKind {
  // An end marker without any output before it ends an empty stream.
  if (data === '[DONE]') return 'preamble';
  if (CONTENT.test(data) && !data.includes('"error"')) return 'output';
  const chunk = parseJson(data);
  if (!isRecord(chunk)) return 'preamble';
  if (isError(chunk.error)) return 'error';
  if (!Array.isArray(chunk.choices) && hasFailedBase(chunk)) return 'error';
  if (!Array.isArray(chunk.choices)) return chunk.object === 'chat.completion.chunk' ? 'preamble' : 'output';
  return chunk.choices.map(choiceKind).find((kind) => kind !== 'preamble') ?? 'preamble';
}

function choiceKind(choice: unknown): Exclude<EventKind, 'error'> {
  if (!isRecord(choice)) return 'output';
  const { finish_reason: reason } = choice;
  const delta = choice.delta ?? choice.message;
  const content = isRecord(delta)
    ? Object.entries(delta).filter(([name, value]) => name !== 'role' && hasContent(value))
    : [];
  if (content.length > 0) return content.every(([name]) => name === 'refusal') ? 'refusal' : 'output';
  return hasContent(reason) ? endingKind(reason) : 'preamble';
}

/** @param reason the finish reason of an answer without output. */
function endingKind(reason: unknown): 'output' | 'refusal' | 'filter' {
  const decoded = typeof reason === 'string' ? decodeFinishReason(reason, false) : 'stop';
  if (decoded === 'refusal') return 'refusal';
  return decoded === 'contentFilter' ? 'filter' : 'output';
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}

const MESSAGES_PREAMBLE: ReadonlySet<string> = new Set(['message_start', 'content_block_stop', 'ping']);

function messagesKind(event: ServerSentEvent): EventKind {
  const type = typeOf(event);
  if (type === undefined || MESSAGES_PREAMBLE.has(type)) return 'preamble';
  if (type === 'error') return 'error';
  if (type !== 'content_block_start' && type !== 'message_delta') return 'output';
  const wire = parseJson(event.data);
  const { content_block: block, delta } = isRecord(wire) ? wire : {};
  if (type === 'message_delta') return isRecord(delta) && delta.stop_reason === 'refusal' ? 'refusal' : 'output';
  return isEmptyBlock(block) ? 'preamble' : 'output';
}

function isEmptyBlock(block: unknown): boolean {
  if (!isRecord(block)) return false;
  return (block.type === 'text' && block.text === '') || (block.type === 'thinking' && !hasContent(block.thinking));
}

/** Events that can be those of an item without content. */
const RESPONSES_PARTS: ReadonlySet<string> = new Set([
  'response.output_item.added',
  'response.output_text.done',
  'response.content_part.done',
  'response.output_item.done',
]);

const RESPONSES_PREAMBLE: ReadonlySet<string> = new Set([
  'response.created',
  'response.queued',
  'response.in_progress',
  'response.content_part.added',
  'response.reasoning_summary_part.added',
  'keepalive',
]);

function responsesKind(event: ServerSentEvent): EventKind {
  const type = typeOf(event);
  if (type === undefined || RESPONSES_PREAMBLE.has(type)) return 'preamble';
  if (type === 'error' || type === 'response.failed') return 'error';
  if (type.startsWith('response.refusal.')) return 'refusal';
  if (type !== 'response.incomplete' && !RESPONSES_PARTS.has(type)) return 'output';
  const wire = parseJson(event.data);
  if (!isRecord(wire)) return 'output';
  if (type === 'response.incomplete') return incompleteKind(wire.response);
  if (type === 'response.output_text.done') return hasContent(wire.text) ? 'output' : 'preamble';
  return partKind(type === 'response.content_part.done' ? wire.part : wire.item);
}

function incompleteKind(response: unknown): EventKind {
  const details = isRecord(response) ? response.incomplete_details : undefined;
  return isRecord(details) && details.reason === 'content_filter' ? 'filter' : 'output';
}

/** Classifies an item or a part of one. What is not known to be empty is output. */
function partKind(part: unknown): 'preamble' | 'output' | 'refusal' {
  if (!isRecord(part)) return 'output';
  if (part.type === 'refusal') return 'refusal';
  if (part.type === 'output_text') return hasContent(part.text) ? 'output' : 'preamble';
  if (part.type === 'reasoning') return hasContent(part.summary) || hasContent(part.content) ? 'output' : 'preamble';
  if (part.type !== 'message') return 'output';
  return Array.isArray(part.content) ? kindOfAll(part.content.map(partKind)) : 'preamble';
}

/** Output beside a refusal counts as output. */
function kindOfAll<Kind extends EventKind>(kinds: readonly Kind[]): Kind | 'preamble' {
  return kinds.find((kind) => kind === 'output') ?? kinds.find((kind) => kind !== 'preamble') ?? 'preamble';
}

const LEADING_TYPE = /^\s*\{\s*"type"\s*:\s*"([^"\\]+)"/;

/**
 * Reads the type without parsing the data where possible, because the data can repeat a long request.
 * @returns undefined if the event has no name and its data is malformed.
 */
function typeOf({ event, data }: ServerSentEvent): string | undefined {
  const named = event ?? LEADING_TYPE.exec(data)?.[1];
  if (named !== undefined && named !== 'message') return named;
  const wire: unknown = parseJson(data);
  if (!isRecord(wire)) return undefined;
  return typeof wire.type === 'string' ? wire.type : isError(wire.error) ? 'error' : '';
}

/** Some servers send `null` for no error. */
function isError(error: unknown): error is JsonRecord | string {
  return isRecord(error) || (typeof error === 'string' && error !== '');
}

/** Classifies a complete answer that is an error or was declined. Returns `undefined` for one that can be passed on. */
export function bodyKind(format: FormatName, body: unknown): Exclude<EventKind, 'preamble' | 'output'> | undefined {
  if (!isRecord(body) || isError(body.error) || body.type === 'error') return 'error';
  if (format === 'chat-completions') return completionKind(body.choices);
  return format === 'messages' ? messageKind(body) : responseKind(body);
}

/** Some servers send one element instead of a list of one. */
function listOf(value: unknown): readonly unknown[] | undefined {
  return isRecord(value) ? [value] : Array.isArray(value) ? value : undefined;
}

function messageKind({ content, stop_reason: reason }: JsonRecord): 'error' | 'refusal' | undefined {
  const blocks =
    content === '' ? [] : typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  if (blocks === undefined) return 'error';
  return reason === 'refusal' && blocks.every(isEmptyBlock) ? 'refusal' : undefined;
}

function responseKind(body: JsonRecord): 'error' | 'refusal' | 'filter' | undefined {
  const output = listOf(body.output);
  if (output === undefined || body.status === 'failed') return 'error';
  const kind = kindOfAll(output.map(partKind));
  if (kind === 'preamble') return incompleteKind(body) === 'filter' ? 'filter' : undefined;
  return kind === 'refusal' ? kind : undefined;
}

function completionKind(written: unknown): 'error' | 'refusal' | 'filter' | undefined {
  const choices = listOf(written) ?? [];
  if (choices.length === 0) return 'error';
  const kinds = choices.map((choice) => choiceKind(isRecord(choice) ? { ...choice, delta: choice.message } : choice));
  const kind = kindOfAll(kinds);
  return kind === 'refusal' || kind === 'filter' ? kind : undefined;
}
