const LENGTH = 16;
const FULL = '█';
const EMPTY = '░';

/**
 * A bar of characters, for trees, which draw nothing else. Something spent shows at least one mark, and a bar is full
 * only when nothing is left.
 * @param share of the budget that is spent, from 0; beyond 1 is full.
 */
export function budgetBar(share: number): string {
  const marks = share >= 1 ? LENGTH : Math.min(LENGTH - 1, Math.max(share > 0 ? 1 : 0, Math.round(share * LENGTH)));
  return FULL.repeat(marks) + EMPTY.repeat(LENGTH - marks);
}
