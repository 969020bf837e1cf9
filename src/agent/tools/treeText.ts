import { isRecord } from '../../formats/json.ts';

/** The kind of an element that stands for an image, in the editor's library for prompts. */
const IMAGE = 3;

/** Returns the text of a result that an editor's tool returns as a tree of elements. */
export function textOfTree(part: unknown): string {
  if (typeof part === 'string') return part;
  if (Array.isArray(part)) return part.map(textOfTree).join('');
  if (!isRecord(part)) return '';
  const { text, children, node, value } = part;
  return [text, children, node, value].map(textOfTree).join('');
}

/** Returns the images of such a tree: base64, or addresses. */
export function imagesOfTree(part: unknown): readonly string[] {
  if (Array.isArray(part)) return part.flatMap(imagesOfTree);
  if (!isRecord(part)) return [];
  const { ctor, props, children, node, value } = part;
  const source = ctor === IMAGE && isRecord(props) ? props.src : undefined;
  return [...(typeof source === 'string' ? [source] : []), ...[children, node, value].flatMap(imagesOfTree)];
}
