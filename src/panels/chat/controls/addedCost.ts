import { formatEstimate } from '../../../display/money.ts';
import { spokenTokens } from '../../../display/tokens.ts';
import type { ChatState } from '../../../pages/chat/protocol.ts';

/**
 * Returns the tokens that an attachment or prompt adds to the request and what they cost as input of all these models:
 * `276 tokens, ≈ $0.0008`. Without prices, it returns only the tokens.
 */
export function addedText({ catalog }: Pick<ChatState, 'catalog'>, models: readonly string[], tokens: number): string {
  const prices = models.map((model) => catalog.models.find(({ id }) => id === model)?.inputPrice);
  if (prices.length === 0 || prices.some((price) => price === undefined)) return spokenTokens(tokens);
  // The sign stays on the line of its amount.
  const cost = formatEstimate(prices.reduce<number>((sum, price) => sum + (tokens * (price ?? 0)) / 1e6, 0)).replace(
    '\u2009',
    '\u202f',
  );
  return `${spokenTokens(tokens)}, ${cost}`;
}
