const LENGTH = 10;
const FULL = '█';
const EMPTY = '░';

/**
 * A bar of characters, because trees cannot draw anything else. Any spending shows at least one mark, and a bar is full
 * only if nothing is left.
 * @param share The spent share of the budget, from 0. Values above 1 are full.
 */
export function budgetBar(share: number): string {
  const marks = share >= 1 ? LENGTH : Math.min(LENGTH - 1, Math.max(share > 0 ? 1 : 0, Math.round(share * LENGTH)));
  return FULL.repeat(marks) + EMPTY.repeat(LENGTH - marks);
}
