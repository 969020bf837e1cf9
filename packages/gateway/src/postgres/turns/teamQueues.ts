import { type KeyLimits, LIMIT_NAMES, type LimitName, MAX_WAIT_MS } from '../../../../../src/gateway/core/keyLimits.ts';
import type { Refusal } from '../../../../../src/gateway/core/refusal.ts';
import type { KeyDetails } from '../../../../../src/gateway/keys/issuedKey.ts';
import type { LimitsLeft } from '../../../../../src/gateway/rateLimits/keyQueue.ts';
import { neverFits, waitedTooLong } from '../../../../../src/gateway/rateLimits/limitRefusal.ts';
import {
  type ArrivedRequest,
  type QueuePlace,
  type Queues,
  RequestQueues,
} from '../../../../../src/gateway/rateLimits/requestQueues.ts';
import { type SettledRecord, UsualOutput, usedTokens } from '../../../../../src/gateway/rateLimits/usualOutput.ts';
import type { Clock } from '../../../../../src/service/clock.ts';
import { DATABASE_AWAY } from '../databaseError.ts';
import type { TurnBatches, WaitingTurn } from './turnBatches.ts';
import type { TurnBlock } from './turnStatements.ts';

/** For keys whose limits count no requests. */
const FREE: QueuePlace = {
  turn: Promise.resolve(undefined),
  waitsFor: undefined,
  leave: () => undefined,
  settle: () => undefined,
};

/**
 * The queues of keys whose limits are counted in the database, over all replicas. While the database is away, each
 * replica counts on its own.
 */
export class TeamQueues implements Queues {
  readonly #batches: TurnBatches;
  readonly #clock: Clock;
  readonly #usual = new UsualOutput();
  readonly #own: RequestQueues;

  constructor(batches: TurnBatches, clock: Clock) {
    this.#batches = batches;
    this.#clock = clock;
    this.#own = new RequestQueues(clock, this.#usual);
  }

  update(): void {
    // The database has the limits of all keys, and waiting requests ask it every second.
  }

  enter(key: KeyDetails, arrived: ArrivedRequest): QueuePlace | Refusal {
    const { limits = {} } = key;
    if (LIMIT_NAMES.every((name) => limits[name] === undefined)) return FREE;
    const { inputTokens, format } = arrived;
    if (inputTokens > (limits.tokensPerMinute ?? Number.POSITIVE_INFINITY)) {
      return neverFits(key, inputTokens, {}, format, this.#clock.now());
    }
    return new TeamPlace(key, arrived, {
      batches: this.#batches,
      clock: this.#clock,
      usual: this.#usual,
      own: this.#own,
    });
  }
}

interface Parts {
  readonly batches: TurnBatches;
  readonly clock: Clock;
  readonly usual: UsualOutput;
  /** The queues of this replica alone. */
  readonly own: RequestQueues;
}

/** A request's place, first in the queue and then among the requests in progress. */
class TeamPlace implements QueuePlace, WaitingTurn {
  readonly id: string;
  readonly key: string;
  readonly tokens: number;
  readonly since: number;
  readonly turn: Promise<Refusal | undefined>;
  readonly #parts: Parts;
  readonly #details: KeyDetails;
  readonly #arrived: ArrivedRequest;
  readonly #resolve: (refusal: Refusal | undefined) => void;
  readonly #stopTimer: () => void;
  #state: 'waiting' | 'running' | 'over' = 'waiting';
  #hasRun = false;
  /** The place in the queue of this replica, taken while the database is away. */
  #own: QueuePlace | undefined;

  constructor(key: KeyDetails, arrived: ArrivedRequest, parts: Parts) {
    this.id = arrived.id;
    this.key = key.id;
    this.tokens = Math.ceil(parts.usual.tokensOf(arrived));
    this.since = Math.round(parts.clock.elapsed());
    this.#parts = parts;
    this.#details = key;
    this.#arrived = arrived;
    const { promise, resolve } = Promise.withResolvers<Refusal | undefined>();
    this.turn = promise;
    this.#resolve = resolve;
    this.#stopTimer = parts.clock.after(MAX_WAIT_MS, () => this.#giveUp());
    parts.batches.ask(this);
  }

  get waitsFor(): LimitName | undefined {
    return this.#state === 'waiting' ? this.#parts.batches.blockOf(this)?.limit : this.#own?.waitsFor;
  }

  admit(): void {
    this.#hasRun = true;
    this.#endWait('running');
  }

  abandon(): void {
    this.#endWait('over', false);
    const { own } = this.#parts;
    const place = own.enter(this.#details, this.#arrived);
    if ('error' in place) this.#resolve(place);
    else this.#enterOwn(place);
  }

  leave(): void {
    const { batches } = this.#parts;
    this.#own?.leave();
    if (this.#state === 'waiting') batches.leave(this);
    else if (this.#state === 'running') batches.end({ id: this.id, key: this.key, is_gone: !this.#countsPerMinute });
    this.#endWait('over');
  }

  settle(record: SettledRecord): void {
    const { batches, usual } = this.#parts;
    if (this.#own !== undefined) {
      this.#own.settle(record);
      return;
    }
    usual.learnFrom(this.#arrived.model, record);
    if (!this.#hasRun) return;
    const tokens = usedTokens(record);
    if (tokens === undefined) batches.end({ id: this.id, key: this.key, is_gone: true });
    else if (this.#countsPerMinute) batches.end({ id: this.id, key: this.key, tokens, is_gone: false });
  }

  get #limits(): KeyLimits {
    return this.#details.limits ?? {};
  }

  get #countsPerMinute(): boolean {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    return requestsPerMinute !== undefined || tokensPerMinute !== undefined;
  }

  #enterOwn(place: QueuePlace): void {
    this.#own = place;
    void place.turn.then(this.#resolve);
  }

  #giveUp(): void {
    const { batches, clock } = this.#parts;
    const block = batches.blockOf(this);
    batches.leave(this);
    if (block === undefined) {
      this.#endWait('over', DATABASE_AWAY);
      return;
    }
    const { limit, ms } = block;
    const waited = { limit, ...(ms !== null && { ms }) };
    const left = this.#left(block);
    this.#endWait('over', waitedTooLong(this.#details, waited, left, this.#arrived.format, clock.now()));
  }

  #left({ requests, tokens, resetMs }: TurnBlock): LimitsLeft {
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    const leftOf = (limit: number, used: number) => ({ limit, remaining: Math.max(0, limit - used), resetMs });
    return {
      ...(requestsPerMinute !== undefined && { requests: leftOf(requestsPerMinute, requests) }),
      ...(tokensPerMinute !== undefined && { tokens: leftOf(tokensPerMinute, tokens) }),
    };
  }

  /** @param refusal `false` if the request continues to wait elsewhere. */
  #endWait(state: 'running' | 'over', refusal?: Refusal | false): void {
    this.#state = state;
    this.#stopTimer();
    if (refusal !== false) this.#resolve(refusal);
  }
}
