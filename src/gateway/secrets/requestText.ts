/** Longer than this, a text of these letters alone is a file or a picture in base64. */
const BASE64_LENGTH = 1000;
const BASE64 = /^[A-Za-z0-9+/=_-]+$/;
/** Arguments of a tool call, which are JSON in a text. */
const NESTED_NAMES: ReadonlySet<string> = new Set(['arguments', 'input']);

/**
 * All texts in the body of a request, each as `"name": "text"` on a line of its own: what a secret is assigned to may be
 * the name of a member. A body that is not JSON is its own text.
 */
export function requestText(body: Uint8Array): string {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const root = parsed(source);
  if (root === undefined) return source;
  const lines: string[] = [];
  // The list goes on growing while it is read; a request may be nested deeper than functions can be.
  const waiting: (readonly [name: string, value: unknown])[] = [['', root]];
  for (const [name, value] of waiting) {
    const nested = typeof value === 'string' && NESTED_NAMES.has(name) ? parsed(value) : value;
    if (typeof nested === 'object' && nested !== null) {
      const isList = Array.isArray(nested);
      for (const [key, member] of Object.entries(nested)) waiting.push([isList ? name : key, member]);
    } else if (typeof value === 'string' && !isBinary(value)) lines.push(`"${name}": "${value}"`);
  }
  return lines.join('\n');
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function isBinary(text: string): boolean {
  return text.startsWith('data:') || (text.length > BASE64_LENGTH && BASE64.test(text.slice(0, BASE64_LENGTH)));
}
