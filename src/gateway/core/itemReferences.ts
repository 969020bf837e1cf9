/** Items of the input that stand for items of earlier answers, as clients send them to a service that stores answers. */
import { isRecord } from '../../formats/json.ts';
import type { ResponsesItem } from '../../formats/responses/index.ts';
import type { ResponseReferences } from './responseStore.ts';

/** What a body of the responses format names of earlier answers; `undefined` when it names nothing. */
export function referencesOf(body: unknown): ResponseReferences | undefined {
  if (!isRecord(body)) return undefined;
  const { previous_response_id: previous, input } = body;
  const itemIds = Array.isArray(input) ? input.map(referenced).filter((id) => id !== undefined) : [];
  if (typeof previous === 'string') return { previousResponseId: previous, itemIds };
  return itemIds.length === 0 ? undefined : { itemIds };
}

/** The body with the items themselves; references to unknown ones stay. */
export function withReferencedItems(body: unknown, items: ReadonlyMap<string, ResponsesItem>): unknown {
  if (items.size === 0 || !isRecord(body) || !Array.isArray(body.input)) return body;
  const input: unknown[] = body.input;
  return { ...body, input: input.map((item) => items.get(referenced(item) ?? '') ?? item) };
}

/** The type may be left out. */
function referenced(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item.id !== 'string') return undefined;
  const isReference = item.type === 'item_reference' || (item.type ?? null) === null;
  return isReference && !('role' in item) ? item.id : undefined;
}
