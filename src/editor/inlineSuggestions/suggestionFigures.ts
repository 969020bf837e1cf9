import * as vscode from 'vscode';
import { dayOf } from '../../display/day.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import { priceOf } from '../../tokens/price.ts';
import type { SuggestionServices } from './suggestionServices.ts';

const STATE_KEY = 'modelAccess.inlineSuggestions.day';
/** How long the sums from the ledger are used, in milliseconds. Other windows also ask for suggestions. */
const SUMS_MS = 60_000;

/** How often suggestions were shown and accepted on a day. */
interface DayCounts {
  readonly day: string;
  readonly shown: number;
  readonly accepted: number;
}

export interface LastRequest {
  readonly durationMs: number;
  /** In US dollars; undefined if the price is unknown. */
  readonly cost: number | undefined;
  readonly outcome: 'shown' | 'nothing' | 'canceled' | 'late' | 'failed';
}

/** What suggestions have cost today, how many were accepted, and the last one. */
export class SuggestionFigures implements vscode.Disposable {
  readonly #services: SuggestionServices;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  #counts: DayCounts;
  /** All requests of this window that have ended, also those of earlier days. */
  #added = { cost: 0, requests: 0 };
  #sums = { day: '', readAt: 0, isSample: false, cost: 0, requests: 0 };
  #last: LastRequest | undefined;
  /** The cost of the request that has ended last. */
  #lastCost: number | undefined;

  readonly onDidChange = this.#changed.event;

  constructor(services: SuggestionServices) {
    this.#services = services;
    this.#counts = services.memory.get<DayCounts>(STATE_KEY) ?? { day: '', shown: 0, accepted: 0 };
    this.#subscription = services.calls.onDidRecord((entry) => this.#add(entry));
  }

  /** In US dollars. Begins at 0 each day, although the sums of the new day are read only with its first request. */
  get cost(): number {
    return this.#isOfToday ? this.#sums.cost : 0;
  }

  get requests(): number {
    return this.#isOfToday ? this.#sums.requests : 0;
  }

  /** Whether the cost is the sandbox's sample money. */
  get isSample(): boolean {
    return this.#sums.isSample;
  }

  get counts(): DayCounts {
    const today = dayOf(Date.now());
    return this.#counts.day === today ? this.#counts : { day: today, shown: 0, accepted: 0 };
  }

  get last(): LastRequest | undefined {
    return this.#last;
  }

  /** Median time to an answer by model, as measured today. In milliseconds. */
  readonly firstTokenMs = new Map<string, number>();

  /** Reads today's sums unless they are recent. Never rejects. On failure, the previous sums stay. */
  async refresh(): Promise<void> {
    try {
      await this.#read(Date.now());
    } catch (error) {
      this.#services.log.warn('What inline suggestions have cost today could not be read', error);
    }
  }

  async shown(): Promise<void> {
    await this.#count({ shown: 1, accepted: 0 });
  }

  async accepted(): Promise<void> {
    await this.#count({ shown: 0, accepted: 1 });
  }

  ended(durationMs: number, outcome: LastRequest['outcome']): void {
    this.#last = { durationMs, outcome, cost: this.#lastCost };
    this.#changed.fire();
  }

  dispose(): void {
    vscode.Disposable.from(this.#subscription, this.#changed).dispose();
  }

  get #isOfToday(): boolean {
    return this.#sums.day === dayOf(Date.now());
  }

  async #read(now: number): Promise<void> {
    const day = dayOf(now);
    const isSample = this.#services.connection.current.kind === 'sandbox';
    const { readAt, day: known } = this.#sums;
    if (known === day && isSample === this.#sums.isSample && now - readAt < SUMS_MS) return;
    const { worker, ledger } = this.#services;
    const question = { ledger, period: { first: day, last: day }, ofSandbox: isSample };
    const before = this.#added;
    const { callers, models } = await worker.rpc.readLedger('usage', question);
    for (const { name, firstByte } of models) {
      if (firstByte !== undefined) this.firstTokenMs.set(name, firstByte.median);
    }
    const own = callers.find(({ source }) => source === 'inlineSuggestion');
    // The ledger may not have what has ended meanwhile. To count some of it twice does not exceed the cap.
    const cost = (own?.cost ?? 0) + this.#added.cost - before.cost;
    const requests = (own?.exchanges ?? 0) + this.#added.requests - before.requests;
    this.#sums = { day, readAt: now, isSample, cost, requests };
    this.#changed.fire();
  }

  #add({ source, usage, prices }: LedgerEntry): void {
    if (source !== 'inlineSuggestion') return;
    this.#lastCost = usage === undefined ? 0 : prices && priceOf(usage, prices);
    const added = this.#lastCost ?? 0;
    const { cost, requests } = this.#sums;
    this.#sums = { ...this.#sums, cost: cost + added, requests: requests + 1 };
    this.#added = { cost: this.#added.cost + added, requests: this.#added.requests + 1 };
    this.#changed.fire();
  }

  async #count(added: Omit<DayCounts, 'day'>): Promise<void> {
    const { day, shown, accepted } = this.counts;
    this.#counts = { day, shown: shown + added.shown, accepted: accepted + added.accepted };
    this.#changed.fire();
    await this.#services.memory.update(STATE_KEY, this.#counts);
  }
}
