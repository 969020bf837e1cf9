/** Input items that refer to items of earlier answers, as clients send them to a service that stores answers. */
import { FormatError } from '../../formats/apiError.ts';
import { isRecord } from '../../formats/json.ts';
import type { ResponsesItem } from '../../formats/responses/index.ts';
import type { ResponseReferences } from './responseStore.ts';

/** Returns the references to earlier answers in a Responses body, or `undefined` if there are none. */
export function referencesOf(body: unknown): ResponseReferences | undefined {
  if (!isRecord(body)) return undefined;
  const { previous_response_id: previous, input } = body;
  const itemIds = Array.isArray(input) ? input.map(referenced).filter((id) => id !== undefined) : [];
  if (typeof previous === 'string') return { previousResponseId: previous, itemIds };
  return itemIds.length === 0 ? undefined : { itemIds };
}

/**
 * Returns the body with the referenced items. References to unknown items stay unchanged.
 * @throws {FormatError} if an item is referenced twice: a short request could name a long one many thousand times.
 */
export function withReferencedItems(body: unknown, items: ReadonlyMap<string, ResponsesItem>): unknown {
  if (items.size === 0 || !isRecord(body) || !Array.isArray(body.input)) return body;
  const input: unknown[] = body.input;
  const used = new Set<string>();
  const itemOf = (reference: unknown) => {
    const id = referenced(reference);
    const item = id === undefined ? undefined : items.get(id);
    if (id === undefined || item === undefined) return reference;
    if (used.has(id)) throw new FormatError(`input: The item "${id}" is referenced more than once.`, 'input');
    used.add(id);
    return item;
  };
  return { ...body, input: input.map(itemOf) };
}

/** The type is optional. */
function referenced(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item.id !== 'string') return undefined;
  const isReference = item.type === 'item_reference' || (item.type ?? null) === null;
  return isReference && !('role' in item) ? item.id : undefined;
}
