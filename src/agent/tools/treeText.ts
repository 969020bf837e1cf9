import { isRecord } from '../../formats/json.ts';

/** Returns the text of a result that an editor's tool returns as a tree of elements. */
export function textOfTree(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textOfTree).join('');
  if (!isRecord(part)) return '';
  const { text, children, node, value } = part;
  return [text, children, node, value].map(textOfTree).join('');
}
