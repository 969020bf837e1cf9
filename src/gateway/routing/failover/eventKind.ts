/** Classifies the first events of a stream for the choice of an upstream. */
import type { FormatName } from '../../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../../formats/json.ts';
import type { ServerSentEvent } from '../../../formats/serverSentEvents.ts';
import { parseJson } from '../../../service/json.ts';

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
  if (!Array.isArray(chunk.choices)) return chunk.object === 'chat.completion.chunk' ? 'preamble' : 'output';
  return chunk.choices.map(choiceKind).find((kind) => kind !== 'preamble') ?? 'preamble';
}

function choiceKind(choice: unknown): Exclude<EventKind, 'error'> {
  if (!isRecord(choice)) return 'output';
  const { delta, finish_reason: reason } = choice;
  const content = isRecord(delta)
    ? Object.entries(delta).filter(([name, value]) => name !== 'role' && hasContent(value))
    : [];
  if (content.length > 0) return content.every(([name]) => name === 'refusal') ? 'refusal' : 'output';
  if (reason === 'content_filter') return 'filter';
  return hasContent(reason) ? 'output' : 'preamble';
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}

const MESSAGES_PREAMBLE: ReadonlySet<string> = new Set(['message_start', 'ping']);

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
  const wire =
    type === 'response.output_item.added' || type === 'response.incomplete' ? parseJson(event.data) : undefined;
  if (!isRecord(wire)) return 'output';
  return type === 'response.incomplete' ? incompleteKind(wire.response) : addedItemKind(wire.item);
}

function incompleteKind(response: unknown): EventKind {
  const details = isRecord(response) ? response.incomplete_details : undefined;
  return isRecord(details) && details.reason === 'content_filter' ? 'filter' : 'output';
}

function addedItemKind(item: unknown): EventKind {
  return isRecord(item) && (item.type === 'message' || item.type === 'reasoning') ? 'preamble' : 'output';
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
  if (format === 'messages') {
    if (!Array.isArray(body.content)) return 'error';
    return body.content.length === 0 && body.stop_reason === 'refusal' ? 'refusal' : undefined;
  }
  if (!Array.isArray(body.output) || body.status === 'failed') return 'error';
  if (body.output.length === 0) return incompleteKind(body) === 'filter' ? 'filter' : undefined;
  return body.output.every(isRefusalItem) ? 'refusal' : undefined;
}

/** Whether an item of an answer in the responses format contains only the model's refusal. */
function isRefusalItem(item: unknown): boolean {
  if (!isRecord(item) || item.type !== 'message' || !Array.isArray(item.content)) return false;
  return item.content.length > 0 && item.content.every((part) => isRecord(part) && part.type === 'refusal');
}

function completionKind(choices: unknown): 'error' | 'refusal' | 'filter' | undefined {
  if (!Array.isArray(choices) || choices.length === 0) return 'error';
  const kinds = choices.map((choice) => choiceKind(isRecord(choice) ? { ...choice, delta: choice.message } : choice));
  if (kinds.includes('output')) return undefined;
  return kinds.find((kind) => kind === 'refusal' || kind === 'filter');
}
