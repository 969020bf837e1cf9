/** A copy of a list in which one item has another position. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const others = items.filter((_, index) => index !== from);
  return [...others.slice(0, to), ...items.slice(from, from + 1), ...others.slice(to)];
}
