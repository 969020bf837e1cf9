/** Items of the input that stand for items of earlier answers, as clients send them to a service that stores answers. */
import { isRecord } from '../../formats/json.ts';
import type { ResponsesItem } from '../../formats/responses/index.ts';

/** The stored item of this id. */
export type FindItem = (id: string) => ResponsesItem | undefined;

/** The body with the items themselves; references to unknown ones stay. */
export function withReferencedItems(body: unknown, find: FindItem): unknown {
  if (!isRecord(body) || !Array.isArray(body.input)) return body;
  const input: unknown[] = body.input;
  if (!input.some((item) => referenced(item) !== undefined)) return body;
  return { ...body, input: input.map((item) => find(referenced(item) ?? '') ?? item) };
}

/** The type may be left out. */
function referenced(item: unknown): string | undefined {
  if (!isRecord(item) || typeof item.id !== 'string') return undefined;
  const isReference = item.type === 'item_reference' || (item.type ?? null) === null;
  return isReference && !('role' in item) ? item.id : undefined;
}
