/** Ledgers with many exchanges, as after weeks of use, and empty ones. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { addDays, dayOf, startOfDay } from '../../src/display/day.ts';
import { toDollars } from '../../src/ledger/cost.ts';
import { Ledger } from '../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../src/ledger/ledgerEntry.ts';
import { inTransaction } from '../../src/ledger/sqlite.ts';

const MAX_LOCKED_MS = 30_000;
const RECORDS = ['exchanges', 'daily', 'daily_times', 'pruned', 'balances'] as const;
const HOUR = 60 * 60 * 1000;
const DAYS = 30;
/** Name, and US dollars per 1M tokens for input and output. The last model has no known price. */
const MODELS = [
  ['familya-opus-4.6', 5, 25],
  ['familya-sonnet-4.6', 3, 15],
  ['familyc-5.3-codex', 1.75, 14],
  ['familyb-3.1-pro', 2, 12],
  ['familya-haiku-4.5', 1, 5],
  ['familyd-code-fast-1', 0.2, 1.5],
  ['familyc-5.4', 2.5, 15],
  ['llama-local', undefined, undefined],
] as const;
const KEYS = [
  ['aider', 'aider'],
  ['notebook', 'python'],
  ['terminal', 'claude-cli'],
] as const;

/** Returns a generator of deterministic numbers from 0 to 1, exclusive. */
function createRandom(): () => number {
  let state = 42;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/**
 * Writes exchanges of the last thirty days into a ledger: in working hours, by tools through the gateway, the chat
 * panel with its conversations, and the editor's own chat. Some fail, some have no price, and some missed a cache.
 * @param now milliseconds since the epoch; no exchange is later.
 */
export function fillLedger(path: string, exchanges: number, now: number): void {
  const random = createRandom();
  const ledger = new Ledger({ path });
  const first = addDays(dayOf(now), 1 - DAYS);
  for (let index = 0; index < exchanges; index += 1) {
    const day = addDays(first, Math.floor((index * DAYS) / exchanges));
    ledger.append(exchangeAt(Math.min(now, startOfDay(day) + (8 + 10 * random()) * HOUR), index, random));
  }
  ledger.close();
}

/** Removes what was recorded from a ledger, which editors may be using at the same time. */
export function emptyLedger(path: string): void {
  if (!existsSync(path)) return;
  const database = new DatabaseSync(path, { timeout: MAX_LOCKED_MS });
  try {
    inTransaction(database, () => {
      for (const table of RECORDS) database.exec(`DELETE FROM ${table}`);
      database.exec('UPDATE summarised SET up_to = 0');
    });
  } finally {
    database.close();
  }
}

/** Returns the balance that was recorded last, in US dollars. */
export function lastBalance(path: string): number | undefined {
  const database = new DatabaseSync(path, { timeout: MAX_LOCKED_MS });
  try {
    const row = database.prepare('SELECT remaining FROM balances ORDER BY at DESC LIMIT 1').get();
    return row === undefined ? undefined : toDollars(Number(row.remaining));
  } finally {
    database.close();
  }
}

function exchangeAt(at: number, index: number, random: () => number): LedgerEntry {
  const [model, inputPrice, outputPrice] = MODELS[Math.floor(MODELS.length * random() ** 2)] ?? MODELS[0];
  const firstByteMs = 200 + 2000 * random() ** 3;
  const inputTokens = Math.floor(200 + 12_000 * random());
  return {
    id: `req_seed_${index}`,
    at: Math.floor(at),
    ...callerOf(index, random),
    model,
    upstream: inputPrice === undefined ? 'local' : 'hosted',
    status: 200,
    firstByteMs,
    durationMs: firstByteMs + 20_000 * random() ** 2,
    usage: {
      inputTokens,
      outputTokens: Math.floor(900 * random()),
      cachedInputTokens: Math.floor(inputTokens * random()),
      reasoningTokens: Math.floor(90 * random()),
    },
    ...(inputPrice !== undefined && { prices: { inputPrice, outputPrice } }),
    end: random() < 0.01 ? 'upstreamFailed' : 'completed',
    ...(index % 400 === 0 && {
      cacheMiss: { reason: index % 1200 === 0 ? 'expired' : 'tools_changed', missedTokens: 2_000 },
    }),
  };
}

function callerOf(index: number, random: () => number): Pick<LedgerEntry, 'source'> & Partial<LedgerEntry> {
  const share = random();
  if (share < 0.3) return { source: 'chatPanel', conversationId: `conversation-${Math.floor(index / 300)}` };
  if (share < 0.4) return { source: 'nativeChat' };
  const [localKeyId, client] = KEYS[Math.floor(KEYS.length * random())] ?? KEYS[0];
  return { source: 'gateway', localKeyId, client };
}
