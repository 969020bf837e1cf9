/** Reads and rewrites the input of Responses requests that contain compaction items or ask for compaction. */
import { isRecord, type JsonRecord, parseJson } from '../../formats/json.ts';
import type { Refusal } from '../core/refusal.ts';
import type { RequestStandIns } from '../core/standIns.ts';
import { isSealed, unseal } from './seal.ts';

/** Introduces the summary that the model reads in place of the compacted part of the conversation. */
const INTRODUCTION =
  'Earlier parts of this conversation were replaced with the following summary. Continue from where it ends.\n\n';

const PROMPT = [
  'Summarize the conversation so far. The summary replaces the conversation: whoever continues the work reads nothing else.',
  'Include the task and all requirements as the user stated them, decisions and their reasons, what was done and with what',
  'result, facts that were found (paths, names, commands, figures, and errors, all verbatim), the current state, and the next',
  'steps. Keep everything that is still needed. Do not call tools, and write only the summary.',
].join(' ');

/**
 * Limits for the summaries of a request. A client sends one or a few. Since a client knows the key with which they are
 * sealed, it can make a short item that becomes very long.
 */
const MAX_SEALED = 100;
const MAX_OPENED_BYTES = 16 * 1024 * 1024;

const TRIGGER = 'compaction_trigger';

/** Returns the items of an input, which may be a single text. */
export function itemsOf({ input }: JsonRecord): readonly unknown[] {
  if (typeof input === 'string') return [message(input)];
  return Array.isArray(input) ? input : [];
}

export function isTrigger(item: unknown): boolean {
  return isRecord(item) && item.type === TRIGGER;
}

/**
 * Replaces sealed summaries with messages.
 * @returns the items, or the refusal if this key cannot open an item.
 */
export function withOpened(
  items: readonly unknown[],
  key: () => Uint8Array,
  standIns?: RequestStandIns,
): readonly unknown[] | Refusal {
  if (items.filter((item) => sealedContent(item) !== undefined).length > MAX_SEALED) return TOO_MANY_SEALED;
  const opened: unknown[] = [];
  let room = MAX_OPENED_BYTES;
  for (const item of items) {
    const content = sealedContent(item);
    const text = content === undefined ? undefined : unseal(content, key(), room);
    if (content !== undefined && text === undefined) return CANNOT_OPEN;
    room -= Math.min(room, text?.length ?? 0);
    opened.push(text === undefined ? item : message(INTRODUCTION + withoutSecrets(text, standIns)));
  }
  return opened;
}

/** What follows it in a sealed summary are the secrets that the summary's stand-ins stand for. */
const SECRETS = '\n\0';

/** Adds the secrets of the stand-ins in a summary to it. Both are sealed together, so that only the gateway reads them. */
export function withSecrets(summary: string, standIns: RequestStandIns | undefined): string {
  const texts = standIns?.textsIn(summary) ?? [];
  return texts.length === 0 ? summary : summary + SECRETS + JSON.stringify(texts);
}

function withoutSecrets(text: string, standIns: RequestStandIns | undefined): string {
  const at = text.lastIndexOf(SECRETS);
  const texts = at === -1 ? undefined : parseJson(text.slice(at + SECRETS.length));
  if (!Array.isArray(texts)) return text;
  for (const [standIn, secret] of texts) standIns?.know(String(standIn), String(secret));
  return text.slice(0, at);
}

function sealedContent(item: unknown): string | undefined {
  if (!isRecord(item) || item.type !== 'compaction' || typeof item.encrypted_content !== 'string') return undefined;
  return isSealed(item.encrypted_content) ? item.encrypted_content : undefined;
}

const CANNOT_OPEN = refusal(
  'The summary in the compaction item was sealed with another local key, was changed, or is too long. Send the request with the local key that compacted the conversation, or start a new conversation.',
);

const TOO_MANY_SEALED = refusal(
  `The input has more than ${MAX_SEALED} compaction items. Send only the latest, which summarizes all earlier ones.`,
);

function refusal(message: string): Refusal {
  return {
    error: { kind: 'invalidRequest', status: 400, code: 'invalid_encrypted_content', param: 'input', message },
  };
}

export function summaryRequest(body: JsonRecord, items: readonly unknown[], isStream: boolean): JsonRecord {
  const kept = Object.entries(body).filter(([name]) => !LEFT_OUT.has(name));
  const conversation = items.filter((item) => !isTrigger(item));
  const hasTools = Array.isArray(body.tools) && body.tools.length > 0;
  return {
    ...Object.fromEntries(kept),
    input: [...conversation, message(PROMPT)],
    ...(hasTools && { tool_choice: 'none' }),
    store: false,
    stream: isStream,
  };
}

/** Members that determine the form of an answer. The summary has its own form. */
const LEFT_OUT = new Set([
  'text',
  'max_output_tokens',
  'max_tool_calls',
  'background',
  'tool_choice',
  'stream_options',
]);

function message(text: string) {
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }] };
}
