import type { FormatName } from '../../formats/conversation.ts';
import { type Clock, systemClock } from '../../service/clock.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { LimitName } from '../core/keyLimits.ts';
import type { Refusal } from '../core/refusal.ts';
import type { KeyDetails } from '../keys/issuedKey.ts';
import { KeyQueue, type QueuedRequest } from './keyQueue.ts';
import { neverFits, waitedTooLong } from './limitRefusal.ts';
import { UsualOutput } from './usualOutput.ts';

/** What is known about a request when it arrives. */
export interface ArrivedRequest {
  readonly format: FormatName;
  readonly model: string;
  /** An estimate. */
  readonly inputTokens: number;
  /** The request's output limit. Undefined if it has none. */
  readonly maxOutputTokens?: number | undefined;
}

/** A request's place in the queue of its key. */
export interface QueuePlace {
  /** Resolves with a refusal, or with `undefined` when the request may be sent or its client has disconnected. */
  readonly turn: Promise<Refusal | undefined>;
  /** Undefined once the request may be sent. */
  readonly waitsFor: LimitName | undefined;
  /** Called when the connection is closed. */
  leave(): void;
  /** Called when the usage is known. */
  settle(record: Pick<ExchangeRecord, 'queueMs' | 'usage' | 'usageIsEstimated' | 'attempts'>): void;
}

/** The queues of all keys that have limits. */
export class RequestQueues {
  readonly #clock: Clock;
  readonly #queues = new Map<string, KeyQueue>();
  readonly #usual = new UsualOutput();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  /** Applies changed limits immediately. If a key no longer has limits, all its waiting requests may be sent. */
  update(keys: readonly KeyDetails[]): void {
    for (const [id, queue] of this.#queues) {
      const key = keys.find((each) => each.id === id);
      if (key === undefined) this.#queues.delete(id);
      queue.limits = key?.limits ?? {};
    }
  }

  /** @param key must have limits. */
  enter(key: KeyDetails, arrived: ArrivedRequest): QueuePlace | Refusal {
    const queue = this.#queueOf(key);
    const { format, model, inputTokens, maxOutputTokens = Number.POSITIVE_INFINITY } = arrived;
    if (inputTokens > (key.limits?.tokensPerMinute ?? Number.POSITIVE_INFINITY)) {
      return neverFits(key, inputTokens, queue, format, this.#clock.now());
    }
    const request = queue.enter(inputTokens + Math.min(maxOutputTokens, this.#usual.of(model)));
    const turn = request.turn.promise.then(
      (block) => block && waitedTooLong(key, block, queue, format, this.#clock.now()),
    );
    return this.#placeOf(request, queue, model, turn);
  }

  #queueOf({ id, limits = {} }: KeyDetails): KeyQueue {
    const known = this.#queues.get(id);
    if (known !== undefined) return known;
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
      settle: ({ queueMs, usage, usageIsEstimated = false, attempts = [] }) => {
        const usages = [{ usage }, ...attempts].map((each) => each.usage);
        const used = usages.reduce((sum, each) => sum + (each?.inputTokens ?? 0) + (each?.outputTokens ?? 0), 0);
        queue.settle(request, queueMs === undefined ? undefined : used);
        if (usage !== undefined && !usageIsEstimated) this.#usual.learn(model, usage.outputTokens);
      },
    };
  }
}
