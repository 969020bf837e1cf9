/** Compares texts without regard to spaces that separate nothing, because models write `a+b` where a file has `a + b`. */

const WORD = /[\p{L}\p{N}_$]/u;
const SPACES = /[ \t]*/y;

/** Whether two lines differ in nothing but such spaces. */
export function isSameLine(a: string, b: string): boolean {
  const [text, other] = [a.trim(), b.trim()];
  return endOfStart(text, other) === text.length;
}

/**
 * Returns where the part of `text` ends that is the same as `start`: `undefined` if it begins with another text,
 * `incomplete` if it ends before that is known.
 */
export function endOfStart(text: string, start: string): number | 'incomplete' | undefined {
  let [at, wanted] = [0, 0];
  for (;;) {
    const [next, nextWanted] = [afterSpaces(text, at), afterSpaces(start, wanted)];
    if (nextWanted === start.length) return nextWanted > wanted && separates(text, at, next) ? undefined : at;
    if (next === text.length) return 'incomplete';
    if (text[next] !== start[nextWanted]) return undefined;
    const isSeparated = next > at === nextWanted > wanted;
    if (!isSeparated && WORD.test(text[at - 1] ?? '') && WORD.test(text[next] ?? '')) return undefined;
    [at, wanted] = [next + 1, nextWanted + 1];
  }
}

/** Whether a space is missing here that the other text has between two words. */
function separates(text: string, at: number, next: number): boolean {
  return at === next && WORD.test(text[at - 1] ?? '') && WORD.test(text[next] ?? '');
}

function afterSpaces(text: string, at: number): number {
  SPACES.lastIndex = at;
  SPACES.exec(text);
  return SPACES.lastIndex;
}
