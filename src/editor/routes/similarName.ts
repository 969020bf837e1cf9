const MAX_DISTANCE = 2;

/** Returns the name that was probably meant; undefined if none is similar. Patterns are no names. */
export function similarName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .filter((name) => !name.includes('*'))
    .map((name) => ({ name, distance: distanceOf(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** The number of characters to insert, remove, or replace; exchanging two neighbors counts as two. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DISTANCE) return MAX_DISTANCE + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index++) {
      const replaced = (row[index - 1] ?? 0) + Number(letter !== other[index - 1]);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
