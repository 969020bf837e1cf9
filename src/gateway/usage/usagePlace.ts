/** Where each format reports the usage of an answer. */
import {
  decodeUsage as chatCompletionsUsage,
  usageIn as chatCompletionsUsageIn,
  hasOutput,
} from '../../formats/chatCompletions/usage.ts';
import type { FormatName } from '../../formats/conversation.ts';
import { isRecord, type JsonRecord } from '../../formats/json.ts';
import { mergeUsage, decodeUsage as messagesUsage } from '../../formats/messages/usage.ts';
import {
  searchIn as messagesSearch,
  searchesIn as messagesSearches,
  usageWithSearches as messagesUsageWithSearches,
} from '../../formats/messages/webSearches.ts';
import { decodeUsage as responsesUsage } from '../../formats/responses/usage.ts';
import {
  searchIn as responsesSearch,
  usageWithSearches as responsesUsageWithSearches,
} from '../../formats/responses/webSearches.ts';
import type { ShownSearchReader } from '../../formats/shownSearches.ts';
import { isCount, type Usage } from '../../formats/usage.ts';

export interface UsagePlace {
  /**
   * Returns the format's own usage object in an answer or an event.
   *
   * @param shown the number of web searches that the stream has shown before.
   */
  readonly find: (value: JsonRecord, shown: number) => unknown;
  readonly decode: (wire: JsonRecord) => Usage | undefined;
  /** Whether the answer or event reports the final usage. Earlier events can be outdated. */
  readonly isLast: (value: JsonRecord) => boolean;
  /** The format's names of the counts for input and output. If one is missing, it was not reported. */
  readonly counters: readonly [input: string, output: string];
  /** Combines the counts of an event with those of an earlier one. */
  readonly merge: (earlier: JsonRecord, later: JsonRecord) => JsonRecord;
  /** Contained in events that an earlier count does not cover. Empty if only the last event reports usage. */
  readonly outdatingWords: readonly string[];
  /** Whether an event contains a part of the answer or ends it, so that earlier usage does not cover it. */
  readonly hasOutput: (value: JsonRecord) => boolean;
  /** Where streams show web searches. Chat completions do not. */
  readonly search?: ShownSearchReader;
}

const RUNNING: ReadonlySet<unknown> = new Set(['in_progress', 'queued']);
const LAST_EVENTS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

export const USAGE_PLACES: Readonly<Record<FormatName, UsagePlace>> = {
  'chat-completions': {
    find: chatCompletionsUsageIn,
    decode: chatCompletionsUsage,
    isLast: ({ choices }) => !Array.isArray(choices) || choices.length === 0 || choices.every(hasFinished),
    counters: ['prompt_tokens', 'completion_tokens'],
    merge: lastThatCounts,
    outdatingWords: ['"delta"'],
    hasOutput: ({ choices }) =>
      Array.isArray(choices) && choices.some((choice) => isRecord(choice) && hasOutput(choice.delta)),
  },
  messages: {
    find: messagesUsageIn,
    decode: messagesUsage,
    isLast: ({ type }) => type === 'message_delta' || type === 'message',
    counters: ['input_tokens', 'output_tokens'],
    merge: mergeUsage,
    outdatingWords: ['"content_block_', '"message_delta"'],
    hasOutput: ({ type, delta }) =>
      type === 'content_block_start' || type === 'content_block_delta' || (type === 'message_delta' && isStop(delta)),
    search: messagesSearch,
  },
  responses: {
    find: (value, shown) =>
      responsesUsageWithSearches(isRecord(value.response) && value.usage === undefined ? value.response : value, shown),
    decode: responsesUsage,
    isLast: ({ type, status }) => (typeof type === 'string' ? LAST_EVENTS.has(type) : !RUNNING.has(status)),
    counters: ['input_tokens', 'output_tokens'],
    merge: lastThatCounts,
    outdatingWords: [],
    hasOutput: () => false,
    search: responsesSearch,
  },
};

function messagesUsageIn({ usage, message, content }: JsonRecord, shown: number): unknown {
  const first = isRecord(message) ? message.usage : undefined;
  return isRecord(usage) ? messagesUsageWithSearches(usage, shown + messagesSearches(content)) : (usage ?? first);
}

function isStop(delta: unknown): boolean {
  return isRecord(delta) && typeof delta.stop_reason === 'string';
}

/** Whether an event of a chat completion contains the reason why an answer ends. */
export function isFinish({ choices }: JsonRecord): boolean {
  return Array.isArray(choices) && choices.some(hasFinished);
}

function hasFinished(choice: unknown): boolean {
  if (!isRecord(choice)) return false;
  const { finish_reason: reason } = choice;
  return isRecord(reason) || (typeof reason === 'string' && reason !== 'null');
}

/** Some servers report zeros in the first events, and some in the last. */
export function lastThatCounts(earlier: JsonRecord, later: JsonRecord): JsonRecord {
  return counts(later) ? later : earlier;
}

/** Whether a usage has any count above 0. */
export function counts(usage: JsonRecord): boolean {
  for (const name in usage) {
    const count = usage[name];
    if (typeof count === 'number' && count > 0 && isCount(count)) return true;
  }
  return false;
}
