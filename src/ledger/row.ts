import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Usage } from '../formats/usage.ts';
import type { ExchangeEnd } from '../rules/exchange.ts';
import type { FlatPrices } from '../service/modelPrices.ts';
import { redact } from '../service/redact.ts';
import { pricesFor } from '../tokens/price.ts';
import {
  CHAT,
  COLUMN_NAMES,
  type FACTS,
  FINDINGS,
  PLAIN_NAMES,
  PRICE_DETAILS,
  ROUTE,
  SESSION,
  USAGE,
  USAGE_DETAILS,
} from './columns.ts';
import { type Bill, billOf, missCostOf, toBillionths } from './cost.ts';
import type { LedgerEntry } from './ledgerEntry.ts';
import type { UpstreamAttempt } from './upstreamAttempt.ts';

/** Strings chosen by a caller are truncated to this length, in characters. */
const MAX_TEXT_LENGTH = 200;

/** The values of one row, in the order of {@link COLUMN_NAMES}. Columns that are missing at the end are NULL. */
export type RowValues = readonly SQLInputValue[];

const insertInto = (names: readonly string[]) =>
  `INSERT INTO exchanges (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;

/** Inserts rows of both lengths. SQLite takes a tenth of a microsecond for each value, even for NULL. */
export class RowInsertion {
  readonly #whole: StatementSync;
  readonly #plain: StatementSync;

  constructor(database: DatabaseSync) {
    this.#whole = database.prepare(insertInto(COLUMN_NAMES));
    this.#plain = database.prepare(insertInto(PLAIN_NAMES));
  }

  run(values: RowValues): void {
    (values.length === PLAIN_NAMES.length ? this.#plain : this.#whole).run(...values);
  }
}

/** Returns a value for each of {@link COLUMN_NAMES}, for statements that need all. */
export function allValues(values: RowValues): RowValues {
  return values.length === COLUMN_NAMES.length ? values : [...values, ...NO_FURTHER];
}

/** Returns the values of a row with what the request consists of. */
export function withContext(values: RowValues, context: string): RowValues {
  return [...allValues(values).slice(0, -1), context];
}

type ColumnValues<Names extends readonly string[]> = { readonly [Place in keyof Names]: SQLInputValue };

const NO_USAGE = USAGE.map(() => null);
const NO_USAGE_DETAILS = USAGE_DETAILS.map(() => null);
const NO_PRICE_DETAILS = PRICE_DETAILS.map(() => null);
const NO_SESSION = SESSION.map(() => null);
const NO_CHAT = CHAT.map(() => null);
const NO_FINDINGS = FINDINGS.map(() => null);
const NO_ROUTE = ROUTE.map(() => null);
const NO_FURTHER = [...NO_USAGE_DETAILS, ...NO_PRICE_DETAILS, ...NO_CHAT, ...NO_FINDINGS, ...NO_ROUTE, null];

/**
 * Returns the values in order: SQLite takes three times as long for a row with named parameters.
 * @param end how the exchange ended: `lost` for one that is running, whose row counts if its process dies.
 */
export function valuesOf(entry: LedgerEntry, end: ExchangeEnd = entry.end): RowValues {
  const usage = entry.usage && isWhole(entry.usage) ? entry.usage : undefined;
  const prices = entry.prices && pricesFor(usage?.inputTokens ?? 0, entry.prices);
  const isDetailed = usage !== undefined && hasDetails(usage);
  // Nothing but input and output at listed prices, whose cost is known.
  const isPlainBill = !isDetailed && entry.cost !== undefined && prices?.requestPrice === undefined;
  const bill = !isPlainBill && usage && prices ? billOf(prices, usage) : undefined;
  const hasSession = entry.sessionId !== undefined || entry.toolMs !== undefined || entry.agentType !== undefined;
  const plain = [
    ...factsOf(entry, bill, end),
    ...(usage === undefined && prices === undefined ? NO_USAGE : usageOf(usage, prices, bill)),
    ...(hasSession ? sessionOf(entry) : NO_SESSION),
  ];
  const details = isDetailed ? usageDetailsOf(usage) : NO_USAGE_DETAILS;
  const billed = bill?.isPlain === false ? priceDetailsOf(bill, entry) : NO_PRICE_DETAILS;
  const hasChat = entry.conversationId !== undefined || entry.step !== undefined || entry.repository !== undefined;
  const chat = hasChat ? chatOf(entry) : NO_CHAT;
  const hasFindings =
    entry.cacheMiss || entry.upstreamMissReason || entry.secrets || entry.estimateAccuracy || entry.outputLimit;
  const findings = hasFindings ? findingsOf(entry, usage) : NO_FINDINGS;
  const route = entry.route || entry.attempts || entry.answeredModel ? routeOf(entry) : NO_ROUTE;
  const isPlain =
    details === NO_USAGE_DETAILS &&
    billed === NO_PRICE_DETAILS &&
    chat === NO_CHAT &&
    findings === NO_FINDINGS &&
    route === NO_ROUTE;
  return isPlain ? plain : [...plain, ...details, ...billed, ...chat, ...findings, ...route, null];
}

function factsOf(entry: LedgerEntry, bill: Bill | undefined, end: ExchangeEnd): ColumnValues<typeof FACTS> {
  const { usage, usageBound, client, model, attempts } = entry;
  const own = entry.cost ?? (usage?.reportedCost === undefined ? bill?.cost : toBillionths(usage.reportedCost));
  const cost = entry.cost === undefined && attempts !== undefined ? withAttempts(own, attempts) : own;
  return [
    entry.id,
    Number.isSafeInteger(entry.at) ? entry.at : 0,
    entry.source,
    entry.localKeyId ?? null,
    client === undefined ? null : chosen(client),
    entry.endpoint ?? null,
    entry.callerFormat ?? null,
    entry.upstreamFormat ?? null,
    model === undefined ? null : chosen(model),
    entry.upstream ?? null,
    end,
    entry.usageIsEstimated || attempts?.some((attempt) => attempt.usageIsEstimated === true) ? 1 : 0,
    usageBound ?? null,
    cost === undefined ? null : wholeNumber(cost),
    cost === undefined || (usageBound === 'reported' && attempts === undefined) ? null : unconfirmed(entry, cost),
    Number.isSafeInteger(entry.status) ? (entry.status ?? null) : null,
    entry.firstByteMs ?? null,
    Number.isFinite(entry.durationMs) ? entry.durationMs : 0,
    entry.queueMs ?? null,
  ];
}

/** @param usage with numbers that were checked. */
function usageOf(
  usage: Usage | undefined,
  prices: FlatPrices | undefined,
  bill: Bill | undefined,
): ColumnValues<typeof USAGE> {
  const { inputPrice = null, outputPrice = null, cachedInputPrice = null } = prices ?? {};
  const cachedPrice = bill?.isPlain === false ? bill.priceOf('cachedInput') : null;
  return [
    usage === undefined ? null : Math.floor(usage.inputTokens),
    usage === undefined ? null : Math.floor(usage.outputTokens),
    inputPrice,
    outputPrice,
    cachedPrice ?? cachedInputPrice,
  ];
}

/** Whether there is more than a number of input and of output tokens. */
function hasDetails(usage: Usage): boolean {
  for (const name in usage) if (name !== 'inputTokens' && name !== 'outputTokens') return true;
  return false;
}

function usageDetailsOf(usage: Usage): ColumnValues<typeof USAGE_DETAILS> {
  return [
    wholeNumber(usage.cachedInputTokens),
    wholeNumber(usage.cacheWriteTokens),
    wholeNumber(usage.reasoningTokens),
    wholeNumber(usage.longCacheWriteTokens),
    wholeNumber(usage.audioInputTokens),
    wholeNumber(usage.imageInputTokens),
    wholeNumber(usage.audioOutputTokens),
    wholeNumber(usage.imageOutputTokens),
    wholeNumber(usage.webSearches),
    usage.reportedCost === undefined ? null : wholeNumber(toBillionths(usage.reportedCost)),
  ];
}

function priceDetailsOf(
  { priceOf, assumed, saving }: Bill,
  { cacheIsAssumed }: LedgerEntry,
): ColumnValues<typeof PRICE_DETAILS> {
  return [
    priceOf('cacheWrite'),
    priceOf('longCacheWrite'),
    priceOf('audioInput'),
    priceOf('imageInput'),
    priceOf('audioOutput'),
    priceOf('imageOutput'),
    priceOf('webSearch'),
    priceOf('reasoning'),
    priceOf('request'),
    assumed,
    cacheIsAssumed === true ? null : saving,
  ];
}

function sessionOf(entry: LedgerEntry): ColumnValues<typeof SESSION> {
  return [
    entry.sessionId ?? null,
    entry.agentId ?? null,
    entry.turnId ?? null,
    entry.agentType === undefined ? null : chosen(entry.agentType),
    entry.toolMs === undefined ? null : wholeNumber(entry.toolMs),
  ];
}

function chatOf({ conversationId, step, repository, branch }: LedgerEntry): ColumnValues<typeof CHAT> {
  return [conversationId ?? null, wholeNumber(step), chosen(repository), chosen(branch)];
}

function findingsOf(entry: LedgerEntry, usage: Usage | undefined): ColumnValues<typeof FINDINGS> {
  return [
    entry.cacheMiss?.reason ?? null,
    wholeNumber(entry.cacheMiss?.missedTokens),
    missCostOf(entry.cacheMiss?.missedTokens, usage, entry.prices),
    entry.upstreamMissReason ?? null,
    entry.secrets?.join() ?? null,
    wholeNumber(entry.sealed),
    finite(entry.estimateAccuracy?.error),
    wholeNumber(entry.estimateAccuracy?.reports),
    wholeNumber(entry.outputLimit),
  ];
}

/** Adds what failed attempts were billed, in billionths of a US dollar. */
function withAttempts(own: number | undefined, attempts: readonly UpstreamAttempt[]): number | undefined {
  const billed = attempts.flatMap(({ cost }) => (cost === undefined ? [] : toBillionths(cost)));
  return billed.reduce((sum, cost) => (sum ?? 0) + cost, own);
}

/**
 * Returns the part of the cost that follows from usage that no upstream reported, in billionths of a US dollar. NULL if
 * there is none.
 */
function unconfirmed({ usageBound, attempts = [] }: LedgerEntry, cost: number): number | null {
  const costs = attempts
    .filter(({ usage }) => usage !== undefined)
    .map((attempt) => [attempt, toBillionths(attempt.cost ?? 0)] as const);
  const ofAttempts = costs.reduce((sum, [, each]) => sum + each, 0);
  const own = usageBound === undefined || usageBound === 'reported' ? 0 : cost - ofAttempts;
  const all = costs.reduce((sum, [{ usageBound: bound }, each]) => (bound === undefined ? sum : sum + each), own);
  return all > 0 ? wholeNumber(all) : null;
}

/** The attempts as JSON, and the sums of those that were billed although they failed. */
function routeOf({ answeredModel, route, attempts = [] }: LedgerEntry): ColumnValues<typeof ROUTE> {
  const billed = attempts.filter(({ usage }) => usage !== undefined);
  const sum = (of: (attempt: UpstreamAttempt) => number | undefined) =>
    billed.length === 0 ? null : wholeNumber(billed.reduce((total, attempt) => total + (of(attempt) ?? 0), 0));
  return [
    chosen(answeredModel),
    chosen(route?.name),
    wholeNumber(route?.rule),
    route?.when === undefined ? null : JSON.stringify(route.when),
    attempts.length === 0 ? null : JSON.stringify(attempts.map(shortened)),
    sum(({ cost = 0 }) => toBillionths(cost)),
    sum(({ usage }) => usage?.inputTokens),
    sum(({ usage }) => usage?.outputTokens),
  ];
}

function shortened({ fallbackModels: _, ...attempt }: UpstreamAttempt): UpstreamAttempt {
  const answeredModel = chosen(attempt.answeredModel);
  return { ...attempt, model: chosen(attempt.model) ?? '', ...(answeredModel !== null && { answeredModel }) };
}

/** A caller can send any string here, even a key, so secrets are redacted. */
export function chosen(text: string | undefined): string | null {
  return text === undefined ? null : redact(text.slice(0, MAX_TEXT_LENGTH));
}

/** An invalid number from an upstream must not prevent a whole batch from being written. */
function isWhole({ inputTokens, outputTokens }: Usage): boolean {
  const isValid = inputTokens >= 0 && outputTokens >= 0;
  return isValid && Number.isSafeInteger(Math.floor(inputTokens)) && Number.isSafeInteger(Math.floor(outputTokens));
}

function wholeNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isSafeInteger(Math.floor(value)) && value >= 0 ? Math.floor(value) : null;
}

function finite(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null;
}
