import * as l10n from '@vscode/l10n';
import { inMillionths } from '../../../display/money.ts';
import type { CostKind, CostLine, TrafficRow } from '../../../editor/traffic/protocol.ts';
import { tokensAreEstimated } from './attemptLanes.ts';

/** One line of the bill: a number of one kind times its price is its amount. */
export interface BillLine {
  readonly words: string;
  /** Tokens, or the unit in `unit`. */
  readonly count: number;
  readonly unit: 'tokens' | 'searches';
  /** US dollars per 1M tokens, or per search. Undefined if unknown. */
  readonly price?: number;
  /** True if the catalog has no such price, so that it is derived from another. */
  readonly isAssumed: boolean;
  /** True if the upstream has not reported the count. */
  readonly isEstimated: boolean;
  /** Whole millionths of a dollar. The amounts of all lines add up to the sum. */
  readonly amount?: number;
}

export interface Bill {
  readonly lines: readonly BillLine[];
  readonly tokens: number;
  /** The sum of the amounts. Undefined if the model has no price. */
  readonly amount?: number;
}

type Count = Pick<CostLine, 'amount'> & Partial<Pick<CostLine, 'price' | 'isAssumed' | 'cost'>>;
interface Part extends Count {
  readonly kind: CostKind | 'reasoning' | 'answer' | 'failedAttempts';
  readonly isEstimated?: boolean;
}

type Billed = Pick<TrafficRow, 'usage' | 'bill' | 'attempts' | 'upstream' | 'usageIsEstimated'>;

/** Returns what a request used, and the cost of each part; undefined without usage. */
export function billOf(row: Billed): Bill | undefined {
  const { usage, bill } = row;
  if (usage === undefined) return undefined;
  const isEstimated = tokensAreEstimated(row);
  const ofAnswer = (bill ?? unpricedParts(usage)).flatMap((part) => withReasoning(part, usage.reasoningTokens ?? 0));
  const failed = failedParts(row);
  const parts: Part[] = [...ofAnswer.map((part) => ({ ...part, isEstimated })), ...failed];
  // Another upstream may have a price for a failed attempt if that of the answer has none.
  const isPriced = bill !== undefined || failed.some(({ cost }) => cost !== undefined);
  const amounts = inMillionths(parts.map(({ cost = 0 }) => cost));
  const lines = parts.map((part, place) => lineOf(part, part.cost === undefined ? undefined : amounts[place]));
  const tokens = usage.inputTokens + usage.outputTokens + (failed[0]?.amount ?? 0);
  return { lines, tokens, ...(isPriced && { amount: amounts.reduce((sum, each) => sum + each, 0) }) };
}

function lineOf(
  { kind, amount: count, price, isAssumed = false, isEstimated = false }: Part,
  amount?: number,
): BillLine {
  return {
    words: wordsOf(kind),
    count,
    unit: kind === 'webSearch' ? 'searches' : 'tokens',
    isAssumed,
    isEstimated,
    ...(price !== undefined && { price }),
    ...(amount !== undefined && { amount }),
  };
}

/** Combines failed attempts into one line, because their prices may differ. */
function failedParts({ attempts = [] }: Billed): Part[] {
  const billed = attempts.filter(({ usage }) => usage !== undefined);
  if (billed.length === 0) return [];
  const amount = billed.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0);
  const costs = billed.flatMap(({ cost }) => cost ?? []);
  const cost = costs.reduce((sum, each) => sum + each, 0);
  const isEstimated = billed.some(({ usageIsEstimated }) => usageIsEstimated === true);
  return [{ kind: 'failedAttempts', amount, ...(costs.length > 0 && { cost }), isEstimated }];
}

/** Splits off reasoning, which is part of the output and has the same price, into a line of its own. */
function withReasoning(part: Part, reasoningTokens: number): Part[] {
  const reasoning = part.kind === 'output' ? Math.min(reasoningTokens, part.amount) : 0;
  if (reasoning === 0) return [part];
  const costOf = (count: number) => (part.cost === undefined ? {} : { cost: (part.cost * count) / part.amount });
  const answer = part.amount - reasoning;
  const lines: Part[] = [
    { ...part, kind: 'reasoning', amount: reasoning, ...costOf(reasoning) },
    { ...part, kind: 'answer', amount: answer, ...costOf(answer) },
  ];
  return lines.filter(({ amount }) => amount > 0);
}

/** Returns the kinds of tokens that every upstream distinguishes, for a model without a price. */
function unpricedParts(usage: NonNullable<TrafficRow['usage']>): Part[] {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0 } = usage;
  const parts: Part[] = [
    { kind: 'input', amount: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens) },
    { kind: 'cachedInput', amount: cachedInputTokens },
    { kind: 'cacheWrite', amount: cacheWriteTokens - longCacheWriteTokens },
    { kind: 'longCacheWrite', amount: longCacheWriteTokens },
    { kind: 'output', amount: outputTokens },
  ];
  return parts.filter(({ amount }) => amount > 0);
}

function wordsOf(kind: Part['kind']): string {
  switch (kind) {
    case 'input':
      return l10n.t('Uncached input');
    case 'cachedInput':
      return l10n.t('Cache read');
    case 'cacheWrite':
      return l10n.t('Cache write, 5 min');
    case 'longCacheWrite':
      return l10n.t('Cache write, 1 h');
    case 'audioInput':
      return l10n.t('Audio input');
    case 'imageInput':
      return l10n.t('Image input');
    case 'output':
      return l10n.t('Output');
    case 'reasoning':
      return l10n.t('Reasoning');
    case 'answer':
      return l10n.t('Answer');
    case 'audioOutput':
      return l10n.t('Audio output');
    case 'imageOutput':
      return l10n.t('Image output');
    case 'webSearch':
      return l10n.t('Web searches');
    case 'failedAttempts':
      return l10n.t('Failed attempts');
  }
}
