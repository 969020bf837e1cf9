import type { FormatName } from '../../formats/conversation.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import type { LimitName, QueueState } from '../core/keyLimits.ts';
import type { Refusal } from '../core/refusal.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { KeyQueue, type QueuedRequest } from './keyQueue.ts';
import { neverFits, waitedTooLong } from './limitRefusal.ts';
import { type SettledRecord, UsualOutput, usedTokens } from './usualOutput.ts';

export interface ArrivedRequest {
  /** ID of the exchange. */
  readonly id: string;
  readonly format: FormatName;
  readonly model: string;
  /** An estimate. */
  readonly inputTokens: number;
  /** The request's output limit. Undefined if it has none. */
  readonly maxOutputTokens?: number | undefined;
}

export interface QueuePlace {
  /** Resolves with a refusal, or with `undefined` when the request may be sent or its client has disconnected. */
  readonly turn: Promise<Refusal | undefined>;
  /** Undefined once the request may be sent. */
  readonly waitsFor: LimitName | undefined;
  /** Called when the connection is closed. */
  leave(): void;
  /** Called when the usage is known. */
  settle(record: SettledRecord): void;
}

export interface Queues {
  /** Called when keys have changed. */
  update(keys: readonly KeyDetails[]): void;
  /** @param key must have limits. */
  enter(key: KeyDetails, arrived: ArrivedRequest): QueuePlace | Refusal;
}

/** Queues in the memory of this process. */
export class RequestQueues implements Queues {
  readonly #clock: Clock;
  readonly #queues = new Map<string, KeyQueue>();
  readonly #usual: UsualOutput;

  constructor(clock: Clock = systemClock, usual = new UsualOutput()) {
    this.#clock = clock;
    this.#usual = usual;
  }

  /** Applies changed limits immediately. If a key no longer has limits, all its waiting requests may be sent. */
  update(keys: readonly KeyDetails[]): void {
    for (const [id, queue] of this.#queues) {
      const key = keys.find((each) => each.id === id);
      if (key === undefined) this.#queues.delete(id);
      queue.limits = key?.limits ?? {};
    }
  }

  enter(key: KeyDetails, arrived: ArrivedRequest): QueuePlace | Refusal {
    const queue = this.#queueOf(key);
    const { format, model, inputTokens } = arrived;
    if (inputTokens > (key.limits?.tokensPerMinute ?? Number.POSITIVE_INFINITY)) {
      queue.refused();
      return neverFits(key, inputTokens, queue.left(), format, this.#clock.now());
    }
    const request = queue.enter(this.#usual.tokensOf(arrived));
    const turn = request.turn.promise.then(
      (block) => block && waitedTooLong(key, block, queue.left(), format, this.#clock.now()),
    );
    return this.#placeOf(request, queue, model, turn);
  }

  /** The states of all keys with limits that have been used since the gateway started. */
  get states(): readonly QueueState[] {
    return [...this.#queues].map(([localKeyId, queue]) => ({ localKeyId, ...queue.state }));
  }

  #queueOf({ id, limits = {} }: KeyDetails): KeyQueue {
    const known = this.#queues.get(id);
    if (known !== undefined) {
      known.limits = limits;
      return known;
    }
    const queue = new KeyQueue(limits, this.#clock);
    this.#queues.set(id, queue);
    return queue;
  }

  #placeOf(request: QueuedRequest, queue: KeyQueue, model: string, turn: QueuePlace['turn']): QueuePlace {
    return {
      turn,
      get waitsFor() {
        return queue.blockOf(request)?.limit;
      },
      leave: () => queue.leave(request),
      settle: (record) => {
        queue.settle(request, usedTokens(record));
        this.#usual.learnFrom(model, record);
      },
    };
  }
}
