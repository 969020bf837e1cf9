import * as l10n from '@vscode/l10n';
import { inMillionths } from '../../../display/money.ts';
import type { CostKind, CostLine, TrafficRow } from '../../../pages/traffic/protocol.ts';
import { tokensAreEstimated } from './attemptLanes.ts';

const PART_WORDS: Readonly<Record<BillPart['kind'], () => string>> = {
  input: () => l10n.t('Uncached input'),
  cachedInput: () => l10n.t('Cache read'),
  cacheWrite: () => l10n.t('Cache write, 5 min'),
  longCacheWrite: () => l10n.t('Cache write, 1 h'),
  audioInput: () => l10n.t('Audio input'),
  imageInput: () => l10n.t('Image input'),
  output: () => l10n.t('Output'),
  reasoning: () => l10n.t('Reasoning'),
  answer: () => l10n.t('Answer'),
  audioOutput: () => l10n.t('Audio output'),
  imageOutput: () => l10n.t('Image output'),
  webSearch: () => l10n.t('Web searches'),
  request: () => l10n.t('Fee for each request'),
  reported: () => l10n.t('Reported by the upstream'),
  difference: () => l10n.t('Difference from these prices'),
  failedAttempts: () => l10n.t('Failed attempts'),
};

/** Smaller differences are not shown. In US dollars. */
const MIN_DIFFERENCE = 5e-10;

/** One line of the bill: a number of one kind times its price is its amount. */
export interface BillLine {
  readonly words: string;
  /** Tokens, or the unit in `unit`. Undefined for an amount alone. */
  readonly count?: number;
  readonly unit: 'tokens' | 'searches' | 'requests';
  /** US dollars per 1M tokens, per search, or per request. Undefined if unknown. */
  readonly price?: number;
  /** True if the catalog has no such price, so that it is derived from another. */
  readonly isAssumed: boolean;
  /** True if the upstream has not reported the count. */
  readonly isEstimated: boolean;
  /** Whole millionths of a dollar. The amounts of all lines add up to the sum. */
  readonly amount?: number;
}

export interface ShownBill {
  readonly lines: readonly BillLine[];
  readonly tokens: number;
  /** The sum of the amounts. Undefined if the model has no price. */
  readonly amount?: number;
}

type Count = Partial<Pick<CostLine, 'amount' | 'price' | 'isAssumed' | 'cost'>>;
interface BillPart extends Count {
  readonly kind: CostKind | 'answer' | 'reported' | 'difference' | 'failedAttempts';
  readonly isEstimated?: boolean;
}

type RowUsage = NonNullable<TrafficRow['usage']>;
type Billed = Pick<TrafficRow, 'usage' | 'bill' | 'attempts' | 'upstream' | 'usageIsEstimated'>;

/** Returns what a request used, and the cost of each part; undefined without usage. */
export function billOf(row: Billed): ShownBill | undefined {
  const { usage, bill } = row;
  if (usage === undefined) return undefined;
  const isEstimated = tokensAreEstimated(row);
  const listed = (bill ?? unpricedParts(usage)).flatMap((part) =>
    withReasoning(part, bill, usage.reasoningTokens ?? 0),
  );
  const ofAnswer = [...listed, ...reportedPart(usage, bill)];
  const failed = failedParts(row);
  const parts: BillPart[] = [...ofAnswer.map((part) => ({ ...part, isEstimated })), ...failed];
  // Another upstream may have a price for a failed attempt if that of the answer has none.
  const isPriced = [...ofAnswer, ...failed].some(({ cost }) => cost !== undefined);
  const amounts = inMillionths(parts.map(({ cost = 0 }) => cost));
  const lines = parts.map((part, place) => lineOf(part, part.cost === undefined ? undefined : amounts[place]));
  const tokens = usage.inputTokens + usage.outputTokens + (failed[0]?.amount ?? 0);
  return { lines, tokens, ...(isPriced && { amount: amounts.reduce((sum, each) => sum + each, 0) }) };
}

function lineOf(
  { kind, amount: count, price, isAssumed = false, isEstimated = false }: BillPart,
  amount?: number,
): BillLine {
  return {
    words: PART_WORDS[kind](),
    unit: kind === 'webSearch' ? 'searches' : kind === 'request' ? 'requests' : 'tokens',
    isAssumed,
    isEstimated,
    ...(count !== undefined && { count }),
    ...(price !== undefined && { price }),
    ...(amount !== undefined && { amount }),
  };
}

/** Combines failed attempts into one line, because their prices may differ. */
function failedParts({ attempts = [] }: Billed): BillPart[] {
  const billed = attempts.filter(({ usage }) => usage !== undefined);
  if (billed.length === 0) return [];
  const amount = billed.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0), 0);
  const costs = billed.flatMap(({ cost }) => cost ?? []);
  const cost = costs.reduce((sum, each) => sum + each, 0);
  const isEstimated = billed.some(({ usageIsEstimated }) => usageIsEstimated === true);
  return [{ kind: 'failedAttempts', amount, ...(costs.length > 0 && { cost }), isEstimated }];
}

/** The reported amount is charged, whatever follows from the prices. */
function reportedPart({ reportedCost }: RowUsage, bill: TrafficRow['bill'] = []): BillPart[] {
  if (reportedCost === undefined) return [];
  if (bill.length === 0) return [{ kind: 'reported', cost: reportedCost }];
  const cost = reportedCost - bill.reduce((sum, line) => sum + line.cost, 0);
  return Math.abs(cost) < MIN_DIFFERENCE ? [] : [{ kind: 'difference', cost }];
}

/** Splits reasoning, which is part of the output, off into a line of its own, unless it has one because of its price. */
function withReasoning(part: BillPart, bill: readonly BillPart[] = [], reasoningTokens: number): BillPart[] {
  const { kind, amount = 0 } = part;
  if (kind === 'output' && bill.some((line) => line.kind === 'reasoning')) return [{ ...part, kind: 'answer' }];
  const reasoning = kind === 'output' ? Math.min(reasoningTokens, amount) : 0;
  if (reasoning === 0) return [part];
  const costOf = (count: number) => (part.cost === undefined ? {} : { cost: (part.cost * count) / amount });
  const answer = amount - reasoning;
  const lines: BillPart[] = [
    { ...part, kind: 'reasoning', amount: reasoning, ...costOf(reasoning) },
    { ...part, kind: 'answer', amount: answer, ...costOf(answer) },
  ];
  return lines.filter((line) => line.amount !== 0);
}

/** Returns the kinds of tokens that every upstream distinguishes, for a model without a price. */
function unpricedParts(usage: RowUsage): BillPart[] {
  const { inputTokens, outputTokens, cachedInputTokens = 0, cacheWriteTokens = 0, longCacheWriteTokens = 0 } = usage;
  const parts: BillPart[] = [
    { kind: 'input', amount: Math.max(0, inputTokens - cachedInputTokens - cacheWriteTokens) },
    { kind: 'cachedInput', amount: cachedInputTokens },
    { kind: 'cacheWrite', amount: cacheWriteTokens - longCacheWriteTokens },
    { kind: 'longCacheWrite', amount: longCacheWriteTokens },
    { kind: 'output', amount: outputTokens },
  ];
  return parts.filter(({ amount = 0 }) => amount > 0);
}
