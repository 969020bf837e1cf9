/**
 * Finds where the wanted lines begin in a text, in time that grows with the sum of both (Knuth, Morris, and Pratt). Files
 * of repeated lines would take minutes otherwise.
 * @param from the first line of the text to consider.
 */
export function linePlaces(wanted: readonly string[], lines: readonly string[], from: number): number[] {
  if (wanted.length === 0)
    return Array.from({ length: Math.max(0, lines.length - from + 1) }, (_, index) => from + index);
  const back = fallbacksOf(wanted);
  const places: number[] = [];
  let length = 0;
  for (let index = from; index < lines.length; index += 1) {
    length = longer(wanted, back, length, lines[index]);
    if (length === wanted.length) places.push(index + 1 - length);
  }
  return places;
}

/** For each number of wanted lines, how many of the first ones they also end with. */
function fallbacksOf(wanted: readonly string[]): readonly number[] {
  const back = [0];
  for (const line of wanted.slice(1)) back.push(longer(wanted, back, back.at(-1) ?? 0, line));
  return back;
}

/** The number of first lines that match up to this line, if so many did before it. */
function longer(wanted: readonly string[], back: readonly number[], before: number, line: string | undefined): number {
  let length = before;
  while (length > 0 && wanted[length] !== line) length = back[length - 1] ?? 0;
  return wanted[length] === line ? length + 1 : length;
}
