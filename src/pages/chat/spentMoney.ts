/** The cost of answers or chats. */
export interface SpentMoney {
  /** In US dollars. Undefined if no price is known. */
  readonly cost?: number;
  /** Whether the cost is the sandbox's sample money. */
  readonly isSample?: true;
}

/** Adds costs. Sample money is never added to real money; it is the sum only if nothing else was spent. */
export function sumOf(parts: readonly SpentMoney[]): SpentMoney {
  const priced = parts.filter(({ cost }) => cost !== undefined);
  const money = priced.filter(({ isSample }) => isSample !== true);
  const counted = money.length > 0 ? money : priced;
  if (counted.length === 0) return {};
  const cost = counted.reduce((sum, part) => sum + (part.cost ?? 0), 0);
  return { cost, ...(money.length === 0 && { isSample: true }) };
}
