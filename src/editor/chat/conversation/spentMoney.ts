/** What answers or chats cost together. */
export interface SpentMoney {
  /** US dollars; absent when no price is known. */
  readonly cost?: number;
  /** It is the sandbox's sample money. */
  readonly isSample?: true;
}

/** Sample money never adds to money: it is the sum only where nothing else was spent. */
export function sumOf(parts: readonly SpentMoney[]): SpentMoney {
  const priced = parts.filter(({ cost }) => cost !== undefined);
  const money = priced.filter(({ isSample }) => isSample !== true);
  const counted = money.length > 0 ? money : priced;
  if (counted.length === 0) return {};
  const cost = counted.reduce((sum, part) => sum + (part.cost ?? 0), 0);
  return { cost, ...(money.length === 0 && { isSample: true }) };
}
