import { toDollars } from '../../ledger/cost.ts';
import { Ledger } from '../../ledger/ledger.ts';
import type { LedgerEntry } from '../../ledger/ledgerEntry.ts';
import { OutputSpeeds } from '../../ledger/outputSpeeds.ts';
import { LedgerError } from '../../ledger/sqlite.ts';
import { type BudgetRefusal, Budgets, maxOf, type PlannedRequest } from '../budgets/budgets.ts';
import type { KeyBalance } from '../budgets/keyBalance.ts';
import { ReservationQueue } from '../budgets/reservationQueue.ts';
import { type CappedSession, SessionCaps } from '../budgets/sessionCaps.ts';
import { sessionRequest } from '../budgets/sessionPace.ts';
import { SpendingGuard, type SpendingLimits } from '../budgets/spendingLimits.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { Refusal } from '../core/refusal.ts';
import type { CappedSessionState, SessionNotice } from '../core/sessionNotice.ts';
import type { Offer, Upstream } from '../core/upstream.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Listing } from '../prices/priceBook.ts';
import type { BegunExchange, Books, LaterContext, MaybePromise } from './books.ts';
import { type BilledUsage, ExchangePrices, type Priced, pricedExchange } from './exchangePrices.ts';

export interface BookkeeperOptions {
  /** The path of the ledger. If undefined, nothing is written, and budgets count from the start of the gateway. */
  readonly ledger?: string;
  /** Called with each record, including its cost if that is known. */
  readonly onRecord?: (record: ExchangeRecord) => void;
  /** Called with the IDs of exchanges when they are in the ledger. */
  readonly onEntered?: (ids: readonly string[]) => void;
  /** Called with a message for the user when the ledger cannot be written: once until it works again. */
  readonly onProblem?: (message: string) => void;
  /** Called with notifications and questions about a session. If undefined, there is no user to ask. */
  readonly onSessionNotice?: (notice: SessionNotice) => void;
  /** How long a request waits for what running requests of its key have reserved. */
  readonly maxWaitMs?: number;
}

const NOTHING = { inputTokens: 0, outputTokens: 0, cost: 0 };

/**
 * The books of one process. Calculates the cost of each exchange and writes it to the ledger after its end. Reserves
 * what exchanges of keys with a budget may cost before they are sent.
 */
export class Bookkeeper implements Books {
  readonly speeds: OutputSpeeds;
  readonly #ledger: Ledger | undefined;
  readonly #prices = new ExchangePrices();
  readonly #budgets: Budgets;
  readonly #guard: SpendingGuard;
  readonly #caps: SessionCaps;
  /** What requests whose entries were written consist of. */
  readonly #contexts = new Set<LaterContext>();
  readonly #queue: ReservationQueue;
  /** Exchanges that wait for what others have reserved. */
  readonly #waiting = new Set<string>();
  readonly #onRecord: ((record: ExchangeRecord) => void) | undefined;

  /** A ledger that cannot be opened is reported as a problem, and the gateway continues without one. */
  constructor(options: BookkeeperOptions = {}) {
    const { ledger, onRecord, onEntered, onSessionNotice, onProblem = () => undefined, maxWaitMs } = options;
    this.#ledger = ledger === undefined ? undefined : openLedger(ledger, onEntered, onProblem);
    this.#onRecord = onRecord;
    this.#queue = new ReservationQueue(maxWaitMs === undefined ? {} : { maxWaitMs });
    this.speeds = new OutputSpeeds((model) => this.#ledger?.outputSpeeds(model) ?? []);
    this.#budgets = new Budgets((id, since, before) => this.#ledger?.spentBy(id, since, before) ?? NOTHING);
    this.#guard = new SpendingGuard((upstream, day) => this.#ledger?.spentSince(upstream, day) ?? 0);
    this.#caps = new SessionCaps({
      spentOn: (sessionId) => this.#ledger?.spentOnSession(sessionId) ?? 0,
      onWarning: onProblem,
      onNotice: onSessionNotice,
    });
  }

  /**
   * Sets the limits for all spending at the service, which apply to new exchanges. Without a ledger, there is no limit.
   */
  setLimits(limits: SpendingLimits): void {
    this.#guard.set(limits);
  }

  get sessionKey(): Uint8Array | undefined {
    return this.#ledger?.sessionKey;
  }

  get isLimiting(): boolean {
    return this.#guard.isOn;
  }

  limitRefusal({ member }: Offer): Refusal | undefined {
    return this.#guard.refusal(member.upstream.id);
  }

  admit(exchangeId: string, { member }: Offer, request: PlannedRequest): Refusal | undefined {
    return this.#guard.admit(exchangeId, member.upstream.id, maxOf(request).cost ?? 0);
  }

  listings(offers: readonly Offer[]): Promise<(Listing | undefined)[]> {
    return this.#prices.listings(offers);
  }

  areUnlisted(offers: readonly Offer[]): boolean {
    return this.#prices.areUnlisted(offers);
  }

  reserve(
    exchangeId: string,
    key: KeyDetails,
    request: PlannedRequest,
    at: number,
  ): MaybePromise<BudgetRefusal | undefined> {
    const reserve = () => this.#budgets.reserve(exchangeId, key, request, at);
    const shortage = reserve();
    if (shortage === undefined || !shortage.mayWait) return shortage?.refusal;
    this.#waiting.add(exchangeId);
    const again = async () => {
      // Nothing would release the reservation of an exchange that has ended.
      const further = this.#waiting.has(exchangeId) ? reserve() : { ...shortage, mayWait: false };
      return further && { refused: further.refusal, mayWait: further.mayWait };
    };
    return this.#queue.retry(key.id, shortage.refusal, again).finally(() => this.#waiting.delete(exchangeId));
  }

  admitToSession(
    exchangeId: string,
    session: CappedSession,
    request: PlannedRequest,
  ): MaybePromise<Refusal | undefined> {
    return this.#caps.admit(exchangeId, session, sessionRequest(request, session.bytes));
  }

  get cappedSessions(): readonly CappedSessionState[] {
    return this.#caps.states;
  }

  /** @param cap US dollars. */
  raiseSessionCap(sessionId: string, cap: number): void {
    this.#caps.raise(sessionId, cap);
  }

  sessionEnded(sessionId: string): void {
    this.#caps.end(sessionId);
  }

  balance(key: KeyDetails): { readonly body: KeyBalance | undefined } {
    return { body: this.#budgets.balance(key) };
  }

  readonly sent = (exchange: BegunExchange): void => {
    this.#ledger?.begin(exchange.id, () => this.#prices.lostEntry(exchange), this.#isCounted(exchange.id));
  };

  readonly enter = (record: ExchangeRecord, asked: Upstream | undefined, context?: LaterContext): void => {
    this.#waiting.delete(record.id);
    const wantsCost = this.#ledger !== undefined || this.#onRecord !== undefined || this.#isCounted(record.id);
    if (wantsCost) this.#prices.price(record, asked, (priced) => this.#write(record, priced, context));
    else this.#write(record);
  };

  /** Waits at most two seconds for the prices of exchanges that have ended, and writes them all. */
  async close(): Promise<void> {
    await this.#prices.settled();
    await Promise.all(this.#contexts);
    this.#ledger?.close();
  }

  /** Whether a budget or a cap of a session pays for the exchange. */
  #isCounted(id: string): boolean {
    return (this.#budgets.isInUse && this.#budgets.has(id)) || (this.#caps.isInUse && this.#caps.has(id));
  }

  /**
   * Settles the reservation and appends the entry in one step, because a budget counts both the ledger and
   * reservations.
   */
  #write(ended: ExchangeRecord, priced?: Priced, context?: LaterContext): void {
    const { record, amounts, cost, entry } = pricedExchange(ended, priced);
    const isUrgent = this.#isCounted(record.id);
    if (this.#budgets.isInUse) this.#settle(record, amounts);
    if (this.#guard.isInUse) this.#guard.settle(record.id, amounts);
    if (isUrgent) this.#caps.settle(record.id, cost);
    this.#onRecord?.(cost === undefined ? record : { ...record, cost: toDollars(cost) });
    this.#ledger?.append(entry, { isUrgent });
    if (context !== undefined) void this.#addLater(entry, context);
  }

  /** The entry does not wait for it, because budgets need it at once. */
  async #addLater(entry: LedgerEntry, context: LaterContext): Promise<void> {
    this.#contexts.add(context);
    const measured = await context;
    if (measured !== undefined) this.#ledger?.addContext(entry, measured);
    this.#contexts.delete(context);
  }

  #settle({ id, at, localKeyId }: ExchangeRecord, amounts: readonly BilledUsage[]): void {
    if (localKeyId === undefined) return;
    const hasReserved = this.#budgets.has(id);
    this.#budgets.settle(id, localKeyId, at, amounts);
    if (hasReserved) this.#queue.released(localKeyId);
  }
}

function openLedger(
  path: string,
  onEntered: BookkeeperOptions['onEntered'],
  onProblem: (message: string) => void,
): Ledger | undefined {
  try {
    return new Ledger({
      path,
      ...(onEntered !== undefined && { onEntered }),
      onProblem: ({ message }) => onProblem(message),
    });
  } catch (error) {
    if (!(error instanceof LedgerError)) throw error;
    onProblem(error.message);
    return undefined;
  }
}
