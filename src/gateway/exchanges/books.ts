import type { OutputSpeeds } from '../../ledger/outputSpeeds.ts';
import type { MeasuredContext } from '../../rules/contextPart.ts';
import type { BudgetRefusal, PlannedRequest } from '../budgets/budgets.ts';
import type { CappedSession } from '../budgets/sessionCaps.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Offer, Upstream } from '../core/upstream.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Listing } from '../prices/priceBook.ts';

/** A value that is available now or later. */
export type MaybePromise<Answer> = Answer | Promise<Answer>;

/** What a request consists of, when it is measured. Undefined if that was not possible. Never rejects. */
export type LaterContext = Promise<MeasuredContext | undefined>;

export interface BegunExchange {
  readonly id: string;
  readonly upstream: Upstream | undefined;
  /** The record of the exchange if its process ended now, with an estimate of its usage. */
  readonly soFar: ExchangeRecord;
}

/** The answer to `GET /balance`. If both members are undefined, the key has no budget and the upstream is asked. */
export interface BalanceAnswer {
  readonly body?: object | undefined;
  readonly refusal?: Refusal | undefined;
}

/**
 * What exchanges may cost and have cost. Each exchange is entered once, at its end. Its reservations stay until then.
 */
export interface Books {
  /** The refusal while no exchange may begin, because nothing more could be recorded. */
  readonly refusal?: Refusal | undefined;
  /** Whether the database of the books did not answer the last time. */
  readonly isDatabaseAway?: boolean;
  /** The key for the hashes of sessions. It stays the same as long as the books exist. */
  readonly sessionKey: Uint8Array | undefined;
  /** How fast models write, which bounds the usage that no upstream reports. */
  readonly speeds: OutputSpeeds;
  /** Whether the service key has limits, so that requests must be read before they are sent. */
  readonly isLimiting: boolean;
  /** Returns the refusal if a limit of the service key is reached for this upstream. */
  limitRefusal(offer: Offer): MaybePromise<Refusal | undefined>;
  /**
   * Reserves what an exchange may cost from the limits of the service key, again for each further attempt.
   * @returns the refusal if it may not be sent.
   */
  admit(exchangeId: string, offer: Offer, request: PlannedRequest): MaybePromise<Refusal | undefined>;
  /**
   * Returns the listings of the model by the upstreams that may be asked, in their order. Takes at most two seconds.
   */
  listings(offers: readonly Offer[]): Promise<(Listing | undefined)[]>;
  /** Whether all of these upstreams have lists, of which none has the model. Known after {@link listings}. */
  areUnlisted(offers: readonly Offer[]): boolean;
  /**
   * Reserves what an exchange may cost until it is entered. Each further attempt adds a reservation.
   * @param at when the exchange began, as in its record.
   * @returns the refusal if it may not be sent.
   */
  reserve(
    exchangeId: string,
    key: KeyDetails,
    request: PlannedRequest,
    at: number,
  ): MaybePromise<BudgetRefusal | undefined>;
  /**
   * Reserves what an exchange may cost from the cap of its session, again for each further attempt.
   * @returns the refusal if it may not be sent.
   */
  admitToSession(
    exchangeId: string,
    session: CappedSession,
    request: PlannedRequest,
  ): MaybePromise<Refusal | undefined>;
  /** Called when a session was ended, so that its requests that wait at its cap are refused. */
  sessionEnded(sessionId: string): void;
  balance(key: KeyDetails): MaybePromise<BalanceAnswer>;
  /** Records that a model is asked, or another one after it. Returns without waiting for the write. */
  readonly sent: (exchange: BegunExchange) => void;
  /**
   * Records an exchange that has ended.
   * @param asked the upstream that the gateway asked. Undefined if it refused the request.
   * @param context is added to the ledger when it is there.
   */
  readonly enter: (record: ExchangeRecord, asked: Upstream | undefined, context?: LaterContext) => void;
}
