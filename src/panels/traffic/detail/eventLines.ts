import type { ShownEvent } from '../../../pages/traffic/protocol.ts';

/** The minimum duration of a listed gap, in milliseconds. */
const SHOWN_GAP_MS = 500;
/** The minimum duration of a highlighted gap. */
export const LONG_GAP_MS = 5_000;

/** A line of the timeline: an event, or the gap before the next one. */
export type EventLine =
  | { readonly kind: 'event'; readonly nth: number; readonly event: ShownEvent; readonly sinceMs: number }
  | { readonly kind: 'gap'; readonly nth: number; readonly ms: number };

/** The first gap begins with the request. */
export function eventLines(events: readonly ShownEvent[]): EventLine[] {
  const lines: EventLine[] = [];
  let before = 0;
  for (const [nth, event] of events.entries()) {
    const sinceMs = Math.max(0, event.atMs - before);
    if (sinceMs >= SHOWN_GAP_MS) lines.push({ kind: 'gap', nth, ms: sinceMs });
    lines.push({ kind: 'event', nth, event, sinceMs });
    before = event.atMs;
  }
  return lines;
}

/**
 * Extracts the text that an event of a stream added to the answer, for a line of the timeline.
 * @returns undefined if the event adds no text, such as one that only starts or ends something.
 */
export function eventText(data: string): string | undefined {
  const event = parsed(data);
  if (!isRecord(event)) return undefined;
  const text = textOfDelta(event.delta) ?? textOfChoices(event.choices) ?? textOfDelta(event.content_block);
  return text === '' ? undefined : text;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    // `[DONE]`, a comment, or an incomplete event.
    return undefined;
  }
}

function textOfChoices(choices: unknown): string | undefined {
  return Array.isArray(choices)
    ? joined(choices.map((choice) => isRecord(choice) && textOfDelta(choice.delta)))
    : undefined;
}

/** Returns the text of a delta, which in the responses format is the text itself and in the other formats an object. */
function textOfDelta(delta: unknown): string | undefined {
  if (typeof delta === 'string') return delta;
  if (!isRecord(delta)) return undefined;
  const { text, thinking, partial_json, content, reasoning_content, reasoning, refusal, tool_calls } = delta;
  return joined([
    reasoning_content ?? reasoning,
    thinking,
    text,
    content,
    refusal,
    partial_json,
    textOfCalls(tool_calls),
  ]);
}

function textOfCalls(calls: unknown): string | undefined {
  if (!Array.isArray(calls)) return undefined;
  const functions = calls.map((call) => (isRecord(call) && isRecord(call.function) ? call.function : {}));
  return joined(functions.flatMap(({ name, arguments: written }) => [name, written]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function joined(parts: readonly unknown[]): string | undefined {
  const texts = parts.filter((part) => typeof part === 'string');
  return texts.length === 0 ? undefined : texts.join('');
}
