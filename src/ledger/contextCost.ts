import type { Usage } from '../formats/usage.ts';
import {
  type BilledContext,
  type BilledPart,
  CONTEXT_KINDS,
  type ContextKind,
  type MeasuredContext,
  type MeasuredPart,
} from '../rules/contextPart.ts';
import type { Prices } from '../service/modelPrices.ts';
import { redact } from '../service/redact.ts';
import { type CostKind, type CostLine, costLines, sumOf } from '../tokens/price.ts';
import type { CacheMiss, LedgerEntry } from './ledgerEntry.ts';

const BILLIONTHS = 1e9;
/** In the order of the prompt: what the cache had is its beginning, and what was written to it follows. */
const CACHED: readonly CostKind[] = ['cachedInput', 'longCacheWrite', 'cacheWrite'];
/** Their tokens may be anywhere in the rest. */
const UNCACHED: ReadonlySet<CostKind> = new Set<CostKind>(['input', 'audioInput', 'imageInput']);

/** The tokens and cost of parts in whole numbers, whose sums are exactly those of the request. */
type BilledBits = readonly [tokens: number, cost: number | undefined];

/**
 * Divides the billed input of a request among its parts. A cache reads and writes a prefix, so the price of a part
 * depends on its position.
 */
export function billedContext(context: MeasuredContext, usage: Usage, prices: Prices | undefined): BilledContext {
  const { parts, order, isWhole } = context;
  const estimated = sumOfTokens(order);
  const input = Math.floor(usage.inputTokens);
  const stored = isWhole ? undefined : parts.findIndex(({ kind }) => kind === 'stored');
  const rest = stored === undefined ? 0 : Math.max(0, input - Math.round(estimated));
  const scale = (input - rest) / Math.max(1, estimated);
  const costUpTo = costCurve(usage, prices);
  const sums = parts.map(() => [0, costUpTo && 0] as [number, number | undefined]);
  let [before, tokens, cost] = [0, 0, 0];
  for (let at = 0; at < order.length; at += 2) {
    const place = order[at] ?? 0;
    before += (order[at + 1] ?? 0) * scale + (place === stored ? rest : 0);
    // Rounding the sums instead of the parts keeps each within one token, and the total exact.
    const end = at + 2 >= order.length ? input : Math.min(input, Math.round(before));
    const costAtEnd = costUpTo?.(end) ?? 0;
    const sum = sums[place];
    if (sum !== undefined) {
      sum[0] += end - tokens;
      if (sum[1] !== undefined) sum[1] += costAtEnd - cost;
    }
    [tokens, cost] = [end, costAtEnd];
  }
  return { scale, parts: parts.map((part, place) => billedPart(part, sums[place] ?? [0, undefined])) };
}

function billedPart(part: MeasuredPart, [tokens, cost]: BilledBits): BilledPart {
  return { ...part, tokens, ...(cost !== undefined && { cost }) };
}

/**
 * Returns a function that returns the cost of the first tokens of the input, without the answer and fees, in billionths
 * of a US dollar. Undefined if a price is not known.
 */
function costCurve(usage: Usage, prices: Prices | undefined): ((tokens: number) => number) | undefined {
  const lines = prices === undefined ? undefined : costLines(usage, prices);
  if (lines === undefined) return undefined;
  const regions = regionsOf(lines, factorOf(usage, lines));
  return (tokens) => {
    let [left, cost] = [tokens, 0];
    for (const { amount, cost: ofRegion } of regions) {
      cost += left >= amount ? ofRegion : (ofRegion * left) / amount;
      left -= amount;
      if (left <= 0) break;
    }
    return Math.round(cost);
  };
}

/** If the upstream has reported what it charged, the lines have their shares of it. */
function factorOf({ reportedCost }: Usage, lines: readonly CostLine[]): number {
  const sum = sumOf(lines);
  return reportedCost === undefined || sum === 0 ? 1 : reportedCost / sum;
}

function regionsOf(lines: readonly CostLine[], factor: number) {
  const cached = CACHED.flatMap((kind) => lines.filter((line) => line.kind === kind));
  const uncached = lines.filter(({ kind }) => UNCACHED.has(kind));
  const rest = { amount: uncached.reduce((sum, { amount }) => sum + amount, 0), cost: sumOf(uncached) };
  return [...cached, rest].map(({ amount, cost }) => ({ amount, cost: cost * factor * BILLIONTHS }));
}

function sumOfTokens(order: readonly number[]): number {
  let sum = 0;
  for (let at = 1; at < order.length; at += 2) sum += order[at] ?? 0;
  return sum;
}

/** A part in the ledger: kind, name, server, tokens, cost, calls, file, item, flags, and file name. Missing at the end: none. */
type StoredPart = readonly (string | number | null)[];

const REPEATED = 1;
const UNUSED = 2;
const CHANGED = 4;
/** A part has at least its kind, its name, its server, its tokens, and its cost. */
const MIN_VALUES = 5;

/** Returns the text of the ledger's column, which has numbers, names of tools, and hashes. */
function storedContext({ scale, parts }: BilledContext): string {
  return JSON.stringify([Number(scale.toPrecision(4)), ...parts.map(storedPart)]);
}

function storedPart({
  kind,
  name,
  server,
  tokens,
  cost,
  calls,
  file,
  item,
  fileName,
  ...part
}: BilledPart): StoredPart {
  const flags =
    (part.isRepeated === true ? REPEATED : 0) +
    (part.isUnused === true ? UNUSED : 0) +
    (part.isChanged === true ? CHANGED : 0);
  const values = [
    kind,
    nameOf(name),
    nameOf(server),
    tokens,
    cost ?? null,
    calls ?? 0,
    file ?? null,
    item ?? null,
    flags,
    nameOf(fileName),
  ];
  while (values.length > MIN_VALUES && (values.at(-1) === null || values.at(-1) === 0)) values.pop();
  return values;
}

/** A caller chooses the names of tools, so secrets are redacted. */
function nameOf(name: string | undefined): string | null {
  return name === undefined ? null : redact(name);
}

const KINDS: ReadonlySet<unknown> = new Set(CONTEXT_KINDS);

/** Reads the ledger's column. Returns undefined for a value of a later version, or a damaged one. */
export function readContext(stored: unknown): BilledContext | undefined {
  if (typeof stored !== 'string') return undefined;
  const [scale, ...parts] = JSON.parse(stored) as readonly [number, ...StoredPart[]];
  return { scale, parts: parts.map(readPart) };
}

function readPart([kind, name, server, tokens, cost, calls, file, item, flags, fileName]: StoredPart): BilledPart {
  return {
    kind: KINDS.has(kind) ? (kind as ContextKind) : 'other',
    ...(typeof name === 'string' && { name }),
    ...(typeof server === 'string' && { server }),
    tokens: Number(tokens ?? 0),
    ...(typeof cost === 'number' && { cost }),
    ...(typeof calls === 'number' && calls > 0 && { calls }),
    ...(typeof file === 'string' && { file }),
    ...(typeof item === 'string' && { item }),
    ...(typeof fileName === 'string' && { fileName }),
    ...((Number(flags ?? 0) & REPEATED) !== 0 && { isRepeated: true as const }),
    ...((Number(flags ?? 0) & UNUSED) !== 0 && { isUnused: true as const }),
    ...((Number(flags ?? 0) & CHANGED) !== 0 && { isChanged: true as const }),
  };
}

/** The name of what has changed is not kept, so the definition is marked. */
function withChange(part: BilledPart, miss: CacheMiss | undefined): BilledPart {
  const isChanged = miss?.reason === 'tools_changed' && part.kind === 'tools' && part.name === miss.changed;
  return isChanged ? { ...part, isChanged: true } : part;
}

/** Returns the value of the ledger's column for a request. NULL if it was not measured or not billed. */
export function contextValue(
  context: MeasuredContext | undefined,
  { usage, prices, cacheMiss }: Pick<LedgerEntry, 'usage' | 'prices' | 'cacheMiss'>,
): string | null {
  if (context === undefined || usage === undefined || usage.inputTokens < 1) return null;
  const { scale, parts } = billedContext(context, usage, prices);
  return storedContext({ scale, parts: parts.map((part) => withChange(part, cacheMiss)) });
}
