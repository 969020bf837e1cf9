/** Texts of at least this length that start with base64 characters alone are treated as files or pictures. */
const BASE64_LENGTH = 1000;
const BASE64 = /^[A-Za-z0-9+/=_-]+$/;
/** Members that contain the arguments of a tool call, which are JSON in a string. */
const NESTED_NAMES: ReadonlySet<string> = new Set(['arguments', 'input']);

/**
 * Returns all strings in the body of a request, each on its own line as `"name": "text"`, because the rules also look
 * at the name to which a secret is assigned. A body that is not JSON is returned as it is.
 */
export function requestText(body: Uint8Array): string {
  const source = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  const root = parsed(source);
  if (root === undefined) return source;
  const lines: string[] = [];
  // The loop appends to the list that it iterates over. Recursion could overflow the stack, since requests can be
  // nested deeply.
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
