import { budgetExceeded, priceUnknown } from '../../../../src/gateway/budgets/budgetRefusal.ts';
import { type BudgetRefusal, maxOf, type PlannedRequest } from '../../../../src/gateway/budgets/budgets.ts';
import { ReservationQueue } from '../../../../src/gateway/budgets/reservationQueue.ts';
import { type CappedSession, SessionCaps } from '../../../../src/gateway/budgets/sessionCaps.ts';
import { sessionRequest } from '../../../../src/gateway/budgets/sessionPace.ts';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import type { Refusal } from '../../../../src/gateway/core/refusal.ts';
import type { Offer, Upstream } from '../../../../src/gateway/core/upstream.ts';
import type { BalanceAnswer, BegunExchange, Books, LaterContext } from '../../../../src/gateway/exchanges/books.ts';
import {
  ExchangePrices,
  knownCost,
  type Priced,
  pricedExchange,
} from '../../../../src/gateway/exchanges/exchangePrices.ts';
import type { KeyDetails } from '../../../../src/gateway/keys/issuedKey.ts';
import type { Listing } from '../../../../src/gateway/prices/priceBook.ts';
import { contextValue } from '../../../../src/ledger/contextCost.ts';
import { costInBillionths, toDollars } from '../../../../src/ledger/cost.ts';
import type { LedgerEntry } from '../../../../src/ledger/ledgerEntry.ts';
import type { OutputSpeeds } from '../../../../src/ledger/outputSpeeds.ts';
import type { DatabaseConnection } from './connection.ts';
import { DATABASE_AWAY, databaseError, reportUnlessAway, SPOOL_FULL } from './databaseError.ts';
import { exchangeRow, type TeamExchangeRow } from './exchangeRow.ts';
import type { ReservationRequest, Reserver, TeamShortage } from './reserver.ts';
import type { RowWriter } from './rowWriter.ts';
import { readSessionSpend } from './sessionSpend.ts';
import type { Spool } from './spool.ts';
import { readTeamBalance } from './teamBalance.ts';

export interface TeamBooksOptions {
  readonly connection: DatabaseConnection;
  readonly reserver: Reserver;
  readonly writer: RowWriter;
  readonly spool: Spool;
  readonly findKey: (id: string) => KeyDetails | undefined;
  readonly sessionKey: Uint8Array | undefined;
  readonly speeds: OutputSpeeds;
  /** Whether keys with a budget are allowed while the budget cannot be checked. */
  readonly allowsWhenAway: boolean;
  readonly isAway: () => boolean;
  readonly onProblem: (message: string) => void;
}

/** How often a waiting request tries again, because requests of other replicas may have ended. */
const POLL_MS = 500;

interface ReservedAttempt {
  readonly request: PlannedRequest;
  /** For one attempt, in billionths of a US dollar. */
  readonly cost: number | undefined;
  /** For all attempts and turns of the service, in billionths of a US dollar. */
  readonly total: number | undefined;
  /** For all of them. */
  readonly tokens: number;
  /** Number of reservations. */
  readonly times: number;
}

/**
 * The books of a replica. Budgets and the ledger are in the database. Rows that are not there yet are in the spool, so
 * that nothing is lost if the replica is killed.
 */
export class TeamBooks implements Books {
  readonly speeds: OutputSpeeds;
  readonly #options: TeamBooksOptions;
  readonly #prices = new ExchangePrices();
  readonly #caps: SessionCaps;
  readonly #contexts = new Set<LaterContext>();
  readonly #releases = new Set<Promise<void>>();
  readonly #setAside = new Map<string, ReservedAttempt>();
  readonly #queue = new ReservationQueue({ pollMs: POLL_MS });
  /** Exchanges whose reservation was requested but not answered yet, and whether they have ended since. */
  readonly #asking = new Map<string, { hasEnded: boolean }>();
  readonly isLimiting = false;
  readonly sessionKey: Uint8Array | undefined;

  constructor(options: TeamBooksOptions) {
    this.#options = options;
    this.sessionKey = options.sessionKey;
    this.speeds = options.speeds;
    this.#caps = new SessionCaps({ spentOn: () => 0, onWarning: options.onProblem });
  }

  get refusal(): Refusal | undefined {
    return this.#options.spool.isFull ? SPOOL_FULL : undefined;
  }

  get isDatabaseAway(): boolean {
    return this.#options.isAway();
  }

  /** Whether an exchange was entered and is in the database. */
  isOver(exchangeId: string): boolean {
    return !this.#setAside.has(exchangeId) && this.#options.writer.waiting === 0;
  }

  /** The service's key has no limits of its own here. */
  limitRefusal(): undefined {
    return undefined;
  }

  admit(): undefined {
    return undefined;
  }

  listings(offers: readonly Offer[]): Promise<(Listing | undefined)[]> {
    return this.#prices.listings(offers);
  }

  areUnlisted(offers: readonly Offer[]): boolean {
    return this.#prices.areUnlisted(offers);
  }

  async reserve(exchangeId: string, key: KeyDetails, request: PlannedRequest): Promise<BudgetRefusal | undefined> {
    const { cost, tokens } = maxOf(request);
    const earlier = this.#setAside.get(exchangeId);
    const { times = 0, total = 0, tokens: reservedTokens = 0 } = earlier ?? {};
    const own = { usd: total ?? 0, tokens: reservedTokens };
    const asking = { hasEnded: false };
    this.#asking.set(exchangeId, asking);
    const first = { request: earlier?.request ?? request, cost: earlier === undefined ? cost : earlier.cost };
    this.#setAside.set(exchangeId, {
      ...first,
      total: cost && total + cost,
      tokens: reservedTokens + tokens,
      times: times + 1,
    });
    try {
      const { reserver } = this.#options;
      const asked = reservationRequest(exchangeId, key, request);
      const attempt = () => (times === 0 ? reserver.reserve(asked) : reserver.reserveMore(asked, times));
      const refused = await attempt();
      const again = async () => {
        if (asking.hasEnded) return refused && { refused, mayWait: false };
        const further = await attempt();
        return further && { refused: further, mayWait: mayWait(further, own) };
      };
      const shortage =
        refused !== undefined && !request.canBeLowered && mayWait(refused, own)
          ? await this.#queue.retry(key.id, refused, again)
          : refused;
      if (asking.hasEnded) this.#release(exchangeId);
      else if (shortage !== undefined) this.#forget(exchangeId, earlier);
      return shortage && refusalOf(key, request, shortage);
    } catch (error) {
      return this.#refuseUnchecked(error);
    } finally {
      this.#asking.delete(exchangeId);
    }
  }

  /**
   * Replicas see each other's spending only once it is in the database, so running requests of other replicas can make
   * a session exceed its cap.
   */
  async admitToSession(
    exchangeId: string,
    session: CappedSession,
    request: PlannedRequest,
  ): Promise<Refusal | undefined> {
    try {
      this.#caps.learn(session.sessionId, await readSessionSpend(this.#options.connection, session.sessionId));
      return this.#caps.admit(exchangeId, session, sessionRequest(request, session.bytes));
    } catch (error) {
      return this.#refuseUnchecked(error);
    }
  }

  sessionEnded(sessionId: string): void {
    this.#caps.end(sessionId);
  }

  async balance(key: KeyDetails): Promise<BalanceAnswer> {
    try {
      return { body: await readTeamBalance(this.#options.connection, key) };
    } catch (error) {
      if (databaseError(error).problem !== 'away') throw error;
      return { refusal: DATABASE_AWAY };
    }
  }

  readonly sent = (exchange: BegunExchange): void => {
    const entry = this.#prices.lostEntry(exchange);
    const { total } = this.#setAside.get(exchange.id) ?? {};
    this.#options.spool.open(exchangeRow(entry, this.#teamOf(exchange.soFar), total));
  };

  readonly enter = (record: ExchangeRecord, asked: Upstream | undefined, context?: LaterContext): void => {
    const asking = this.#asking.get(record.id);
    if (asking !== undefined) asking.hasEnded = true;
    this.#prices.price(record, asked, (priced) => this.#write(record, priced, context));
  };

  /**
   * Waits for the prices of exchanges that have ended, two seconds at most, and writes them if the database is
   * available.
   */
  async flush(): Promise<void> {
    await this.#prices.settled();
    await Promise.all(this.#releases);
    await Promise.all(this.#contexts);
    await this.#options.writer.flush();
  }

  async close(): Promise<void> {
    await this.flush();
    this.#options.writer.close();
  }

  #write(record: ExchangeRecord, priced?: Priced, context?: LaterContext): void {
    const setAside = this.#setAside.get(record.id);
    this.#setAside.delete(record.id);
    const { amounts, entry } = pricedExchange(record, priced);
    // Usage without a known price is charged with the reserved amount, as in the books of a single process.
    const costs = amounts.map(({ usage, cost }) => ({
      cost: cost ?? (setAside && (costInBillionths(usage, setAside.request.prices ?? {}) ?? setAside.cost)),
    }));
    const row = exchangeRow(entry, this.#teamOf(record), knownCost(costs));
    this.#caps.settle(record.id, row.cost ?? 0);
    this.#options.spool.close(row);
    if (context === undefined) this.#options.writer.add(row);
    else void this.#addLater(row, entry, context);
    if (record.localKeyId !== undefined && this.#queue.hasWaiting(record.localKeyId))
      this.#releasedSoon(record.localKeyId);
  }

  /** A row is written once, so it waits for what the request consists of. */
  async #addLater(row: TeamExchangeRow, entry: LedgerEntry, context: LaterContext): Promise<void> {
    this.#contexts.add(context);
    const value = contextValue(await context, entry);
    this.#options.writer.add(value === null ? row : { ...row, details: { ...row.details, context: value } });
    this.#contexts.delete(context);
  }

  /** The database releases the reservation with the row of the exchange. */
  #releasedSoon(keyId: string): void {
    void this.#options.writer.flush().then(() => this.#queue.released(keyId));
  }

  /** A refused request may be reserved again with a lower limit. */
  #forget(exchangeId: string, earlier: ReservedAttempt | undefined): void {
    if (earlier === undefined) this.#setAside.delete(exchangeId);
    else this.#setAside.set(exchangeId, earlier);
  }

  /** Releases a reservation that was made after its exchange had been entered. */
  #release(exchangeId: string): void {
    const { connection, onProblem } = this.#options;
    const released = connection.query('SELECT release($1)', [[exchangeId]]).then(
      () => undefined,
      (error: unknown) => onProblem(`${databaseError(error).message} The reservation remains until its lease ends.`),
    );
    this.#releases.add(released);
    void released.finally(() => this.#releases.delete(released));
  }

  #refuseUnchecked(error: unknown): Refusal | undefined {
    reportUnlessAway(error, this.#options.onProblem);
    return this.#options.allowsWhenAway ? undefined : DATABASE_AWAY;
  }

  #teamOf({ localKeyId }: ExchangeRecord): string | undefined {
    return localKeyId === undefined ? undefined : this.#options.findKey(localKeyId)?.team?.id;
  }
}

function reservationRequest(id: string, key: KeyDetails, request: PlannedRequest): ReservationRequest {
  return {
    id,
    key: key.id,
    team: key.team?.id ?? null,
    model: request.model.toWellFormed().replaceAll('\0', '\uFFFD'),
    input_tokens: Math.ceil(request.inputTokens),
    output_tokens: Math.ceil(request.maxOutputTokens),
    cost: maxOf(request).cost ?? null,
    ...(request.canBeLowered && { lowers: true }),
  };
}

/**
 * Whether the budget covers the request as soon as other requests have used less than they reserve.
 * @param own what the request has reserved itself.
 */
function mayWait({ unit, left, needed }: TeamShortage, own: Readonly<Record<'usd' | 'tokens', number>>): boolean {
  return needed !== null && left > 0 && needed <= left - own[unit];
}

function refusalOf(key: KeyDetails, request: PlannedRequest, shortage: TeamShortage): BudgetRefusal {
  const { scope, unit, period, amount, left, reserved, needed, renewsAt } = shortage;
  const { team } = key;
  const holder =
    team?.id === scope ? { kind: 'team' as const, name: team.name } : { kind: 'key' as const, name: key.name };
  if (needed === null) return priceUnknown(holder, request.model);
  const budget = { unit, period, amount: unit === 'usd' ? toDollars(amount) : amount };
  const refusal = budgetExceeded(holder, budget, {
    left,
    needed,
    reserved,
    renewsAt: renewsAt ?? undefined,
    advice: request.advice,
  });
  return { ...refusal, room: { unit, free: left - reserved } };
}
