/** Deeper JSON is not indented: the white space before its lines would be much longer than the text. */
const MAX_DEPTH = 64;

/** Returns JSON with a member per line; undefined if the text is not JSON, or is nested too deep. */
export function indentedJson(text: string): string | undefined {
  if (isDeep(text)) return undefined;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    // A tool may take free text, and an answer may end in the middle of its JSON.
    return undefined;
  }
}

const MARKS = /["[\]{}]/g;

/** Brackets in strings are not counted. */
function isDeep(text: string): boolean {
  let depth = 0;
  MARKS.lastIndex = 0;
  for (let found = MARKS.exec(text); found !== null; found = MARKS.exec(text)) {
    const [mark] = found;
    if (mark === '"') MARKS.lastIndex = endOfString(text, found.index);
    else depth += mark === '[' || mark === '{' ? 1 : -1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** Not one pattern for the whole string: a long one with escapes would exceed the stack. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text[end - 1 - escapes] === '\\') escapes += 1;
    if (escapes % 2 === 0) return end + 1;
  }
  return text.length;
}
