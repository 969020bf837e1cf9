import type { SessionIds } from '../../ledger/ledgerEntry.ts';
import { type ComparedRequest, type MissReason, missReason } from './missReason.ts';

/**
 * Maximum number of requests kept for one agent. It can have several conversations at the same time, because tools send
 * requests for titles and summaries in between.
 */
const MAX_REQUESTS = 8;

/** A request in a lane. It is completed when its answer has ended. */
export interface LaneRequest extends ComparedRequest {
  readonly id: string;
  /** The name that the client uses. */
  readonly model: string;
  /** Undefined while the request is running. */
  readonly upstream: string | undefined;
  readonly session: SessionIds;
  /** How many times in a row the agent's last round was the same. 0 if that is not known. */
  readonly rounds: number;
}

/** The earlier request that a request continues. */
export interface Predecessor {
  readonly request: LaneRequest;
  readonly reason: MissReason;
}

/** The recent requests of one agent, oldest first. */
export class Lane {
  #requests: LaneRequest[] = [];
  #blocks = 0;

  get blocks(): number {
    return this.#blocks;
  }

  /** @returns by how many blocks the lane has grown. Negative if it has shrunk. */
  add(request: LaneRequest): number {
    const before = this.#blocks;
    let place = this.#requests.length;
    while (place > 0 && (this.#requests[place - 1]?.startedAt ?? 0) > request.startedAt) place -= 1;
    if (place === this.#requests.length) this.#requests.push(request);
    else this.#requests.splice(place, 0, request);
    this.#blocks += sizeOf(request.blocks);
    if (this.#requests.length > MAX_REQUESTS) this.#removeAt(0);
    return this.#blocks - before;
  }

  /**
   * Removes a request that failed, because it leaves nothing in a cache.
   * @returns the number of removed blocks.
   */
  remove(request: LaneRequest): number {
    const place = this.#requests.indexOf(request);
    return place === -1 ? 0 : this.#removeAt(place);
  }

  /**
   * Finds the request that this one continues: of those with the same upstream and model, the one with the most blocks
   * in common; otherwise one of another model with the same messages.
   * @param isNamed whether the client has named the session. Otherwise only the messages show which requests belong
   * together.
   */
  predecessorOf(now: LaneRequest, isNamed: boolean): Predecessor | undefined {
    const earlier = this.#requests.filter(({ id, startedAt }) => id !== now.id && startedAt <= now.startedAt);
    const ofModel = earlier.filter(
      ({ model, upstream }) => model === now.model && (upstream ?? now.upstream) === now.upstream,
    );
    const others = earlier.filter(({ model }) => model !== now.model);
    const request = closest(ofModel, now, isNamed) ?? closest(others, now, false);
    if (request === undefined) return undefined;
    return { request, reason: ofModel.includes(request) ? missReason(request, now) : { reason: 'model_changed' } };
  }

  /** Returns the last request whose conversation these messages continue. */
  continuedBy({ messages }: ComparedRequest['blocks']): LaneRequest | undefined {
    if (messages.length < 2) return undefined;
    return this.#requests.findLast(({ blocks }) => {
      const common = blocks.messages.commonLength(messages);
      return messages.length > common && common > 0 && common >= blocks.messages.length / 2;
    });
  }

  /** Whether one of the requests has the same messages, as a request has that is sent again. */
  hasSame({ messages }: ComparedRequest['blocks']): boolean {
    return this.#requests.some(({ blocks }) => blocks.messages.equals(messages));
  }

  #removeAt(place: number): number {
    const [removed] = this.#requests.splice(place, 1);
    const size = removed === undefined ? 0 : sizeOf(removed.blocks);
    this.#blocks -= size;
    return size;
  }
}

function sizeOf({ tools, system, messages }: ComparedRequest['blocks']): number {
  return tools.length + system.length + messages.length;
}

function closest(
  requests: readonly LaneRequest[],
  now: LaneRequest,
  mayShareOnlyHead: boolean,
): LaneRequest | undefined {
  let best: LaneRequest | undefined;
  let highest = 0;
  for (const request of requests) {
    const messages = request.blocks.messages.commonLength(now.blocks.messages);
    const score = messages > 0 ? 1 + messages : mayShareOnlyHead && sharesHead(request, now) ? 1 : 0;
    if (score > 0 && score >= highest) {
      best = request;
      highest = score;
    }
  }
  return best;
}

function sharesHead(before: ComparedRequest, { blocks: now }: ComparedRequest): boolean {
  const { blocks } = before;
  const isSameSystem = now.system.length > 0 && blocks.maskedSystem === now.maskedSystem;
  return isSameSystem && blocks.tools.equals(now.tools);
}
