/** Members in which servers of any kind put the sentence for a person, the most specific first. */
const MEMBERS = ['message', 'detail', 'msg', 'error', 'errors', 'title', 'reason'];
const MAX_LENGTH = 500;
const MAX_DEPTH = 6;

/**
 * Returns the sentence that explains an error, from JSON of any shape or from JSON inside a text, at most 500
 * characters long.
 * @returns undefined if there is none.
 */
export function errorSentence(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (typeof value === 'string') return errorSentence(jsonIn(value), depth + 1) ?? asSentence(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const inner: unknown[] = Array.isArray(value) ? value.slice(0, 3) : MEMBERS.map((name) => Reflect.get(value, name));
  for (const each of inner) {
    const found = errorSentence(each, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function asSentence(text: string): string | undefined {
  return text.trim().slice(0, MAX_LENGTH) || undefined;
}

function jsonIn(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
