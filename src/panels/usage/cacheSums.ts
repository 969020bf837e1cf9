import { numberFormat } from '../../display/numberFormat.ts';
import type { CacheSums } from '../../pages/usage/protocol.ts';

/** The amounts of a saving as texts, rounded so that the net amount is exactly the difference of the two others. */
export interface SavingTexts {
  /** Without a sign. */
  readonly net: string;
  readonly reads: string;
  readonly writes: string;
  /** Whether writes cost more than reads saved. */
  readonly isLoss: boolean;
}

/** The number of decimals from these amounts in US dollars. */
const DECIMALS = [
  [1, 2],
  [0.01, 4],
  [0, 6],
] as const;

export function savingTexts({ readsSaved, writesExtra }: CacheSums): SavingTexts {
  const largest = Math.max(Math.abs(readsSaved), Math.abs(writesExtra));
  const decimals = DECIMALS.find(([from]) => largest >= from)?.[1] ?? 6;
  const steps = 10 ** decimals;
  const [reads, writes] = [Math.round(readsSaved * steps), Math.round(writesExtra * steps)];
  const format = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: decimals });
  const text = (amount: number) => `${amount < 0 ? '−' : ''}$${format(Math.abs(amount) / steps)}`;
  return { net: text(Math.abs(reads - writes)), reads: text(reads), writes: text(writes), isLoss: writes > reads };
}
