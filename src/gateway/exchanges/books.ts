import type { PlannedRequest } from '../budgets/budgets.ts';
import type { KeyBalance } from '../budgets/keyBalance.ts';
import type { CappedSession } from '../budgets/sessionCaps.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { Refusal } from '../core/refusal.ts';
import type { Offer, Upstream } from '../core/upstream.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import type { Listing } from '../prices/priceList.ts';

/** An answer that is there already, or comes from elsewhere. */
export type Soon<Answer> = Answer | Promise<Answer>;

/** An exchange under way, as its books need to know it. */
export interface BegunExchange {
  readonly id: string;
  /** That was asked. */
  readonly upstream: Upstream | undefined;
  /** The record that it would give if its process died now, with an estimate of what it has used. */
  readonly soFar: ExchangeRecord;
}

/**
 * What exchanges may cost, and what they did. Each exchange is entered once at its end; what was set aside
 * for it holds until then.
 */
export interface Books {
  /** Why no exchange may begin now: nothing more could be recorded. */
  readonly refusal?: Refusal | undefined;
  /** Whether the database that they are in did not answer the last time. */
  readonly isDatabaseAway?: boolean;
  /** The key for the hashes of sessions, which lasts as long as the books. */
  readonly sessionKey: Uint8Array | undefined;
  /** Whether there are limits of the service's key, so that requests are to be read before they are sent. */
  readonly isLimiting: boolean;
  /** Why nothing may be asked there now: a limit of the service's key is reached. */
  limitRefusal(offer: Offer): Soon<Refusal | undefined>;
  /**
   * Sets aside from the limits of the service's key what an exchange may cost there, again for each further attempt.
   * @returns why it may not be sent.
   */
  admit(exchangeId: string, offer: Offer, request: PlannedRequest): Soon<Refusal | undefined>;
  /** What those who may be asked list for the model, in their order. Takes two seconds at most. */
  listings(offers: readonly Offer[]): Promise<(Listing | undefined)[]>;
  /**
   * Sets aside what an exchange may cost, until it is entered; again for each further attempt, in addition.
   * @returns why it may not be sent.
   */
  reserve(exchangeId: string, key: KeyDetails, request: PlannedRequest): Soon<Refusal | undefined>;
  /**
   * Sets aside what an exchange may cost from the cap of its session, again for each further attempt.
   * @returns why it may not be sent.
   */
  admitToSession(exchangeId: string, session: CappedSession, request: PlannedRequest): Soon<Refusal | undefined>;
  /** What `GET /balance` says to this key; `undefined` when it has no budget of its own. */
  balance(key: KeyDetails): Soon<KeyBalance | undefined>;
  /** A model is asked, or another one after it. Costs nothing now. */
  readonly sent: (exchange: BegunExchange) => void;
  /** An exchange has ended. @param asked the upstream that the gateway asked; absent when it refused. */
  readonly enter: (record: ExchangeRecord, asked: Upstream | undefined) => void;
}
