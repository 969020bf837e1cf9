import type { FormatName } from '../../../formats/conversation.ts';
import { isRecord, type JsonObject, type JsonValue } from '../../../formats/json.ts';

/** Settings of reasoning, which not every model has. */
const SETTINGS: ReadonlySet<string> = new Set(['thinking', 'reasoning', 'reasoning_effort', 'context_management']);
const PARTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking', 'reasoning']);
const REFUSAL = /thinking|signature|reasoning|encrypted_content|effort/i;

/**
 * Whether a model may have refused a request because of the reasoning in it, which another model has signed or
 * encrypted, or because of its settings.
 */
export function refusesReasoning(status: number, message: string): boolean {
  return (status === 400 || status === 422) && REFUSAL.test(message);
}

/** Returns a request without the reasoning of earlier answers and without settings of reasoning. */
export function withoutReasoning(body: JsonObject, format: FormatName): JsonObject {
  const list = format === 'responses' ? 'input' : 'messages';
  const kept = Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, JsonValue][] =>
      SETTINGS.has(name) ? [] : [[name, withoutEffort(name, value)]],
    ),
  );
  const items = kept[list];
  return Array.isArray(items) ? { ...kept, [list]: items.flatMap(withoutParts) } : kept;
}

function withoutEffort(name: string, value: JsonValue): JsonValue {
  if (name !== 'output_config' || !isRecord(value)) return value;
  const { effort: _, ...others } = value;
  return others;
}

/** Omits a message that contains nothing else. */
function withoutParts(item: JsonValue): JsonValue[] {
  if (!isRecord(item)) return [item];
  if (PARTS.has(item.type)) return [];
  const { reasoning_content: _, reasoning_details: __, ...message } = item;
  const { content } = message;
  if (!Array.isArray(content)) return [message];
  const parts = content.filter((part: JsonValue) => !(isRecord(part) && PARTS.has(part.type)));
  return parts.length === 0 && content.length > 0 ? [] : [{ ...message, content: parts }];
}
