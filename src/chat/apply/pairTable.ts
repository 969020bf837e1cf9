/** What the best pairs of the items of a file and an answer are worth, and which ones they are. */

/** An item that follows its neighbor in both texts is likelier to be the same than one further away. */
export const ADJACENT = 0.1;

interface PairTable {
  readonly best: Float64Array;
  readonly paired: Float64Array;
  readonly width: number;
  readonly height: number;
}

/** @param isLate Whether of several equally good pairs the last ones are taken. */
export function trace({ best, paired, width, height }: PairTable, isLate: boolean): readonly number[] {
  const matches = new Array<number>(height).fill(-1);
  let [row, column] = [height, width - 1];
  let isAdjacent = false;
  while (row > 0 && column > 0) {
    const at = row * width + column;
    const isOptional = best[at] === best[at - 1] && !isAdjacent && !isLate;
    const isPair = isAdjacent || (paired[at] === best[at] && !isOptional);
    if (isPair && (paired[at] ?? 0) > 0) {
      matches[row - 1] = column - 1;
      isAdjacent = (paired[at - width - 1] ?? 0) + ADJACENT > (best[at - width - 1] ?? 0);
      [row, column] = [row - 1, column - 1];
      continue;
    }
    isAdjacent = false;
    const goesUp = isOptional ? false : best[at] === best[at - width];
    if (goesUp) row -= 1;
    else column -= 1;
  }
  return matches;
}
