import type { SessionIds } from '../core/requestSession.ts';
import { type MissReason, missReason, type SentRequest } from './missReason.ts';

/** Conversations of one agent that are remembered at once: a tool asks for titles and summaries in between. */
const MAX_REQUESTS = 8;

/** A request as a lane remembers it. It is completed when its answer has ended. */
export interface LaneRequest extends SentRequest {
  readonly id: string;
  /** As the client calls it. */
  readonly model: string;
  /** Undefined while the request runs. */
  readonly upstream: string | undefined;
  /** The session and the turn that it belongs to. */
  readonly session: SessionIds;
  /** How often the agent has done in a row what it did last; 0 if that is not known. */
  readonly rounds: number;
}

/** What came before a request. */
export interface Predecessor {
  readonly request: LaneRequest;
  readonly reason: MissReason;
}

/** The recent requests of one agent, the oldest first. */
export class Lane {
  #requests: LaneRequest[] = [];
  #blocks = 0;

  get blocks(): number {
    return this.#blocks;
  }

  /** @returns how many blocks there are more than before. */
  add(request: LaneRequest): number {
    const before = this.#blocks;
    let place = this.#requests.length;
    while (place > 0 && (this.#requests[place - 1]?.startedAt ?? 0) > request.startedAt) place -= 1;
    this.#requests.splice(place, 0, request);
    this.#blocks += sizeOf(request.blocks);
    if (this.#requests.length > MAX_REQUESTS) this.#removeAt(0);
    return this.#blocks - before;
  }

  /** A request that failed leaves nothing in a cache. @returns how many blocks there are fewer. */
  remove(request: LaneRequest): number {
    const place = this.#requests.indexOf(request);
    return place === -1 ? 0 : this.#removeAt(place);
  }

  /**
   * The request that this one continues: of the same upstream and model the one that it has most in common with; else
   * one of another model with the same messages.
   * @param isNamed whether the client has named the session. Otherwise only the messages show what belongs together.
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

  /** The last request whose conversation these messages continue. */
  continuedBy({ messages }: SentRequest['blocks']): LaneRequest | undefined {
    return this.#requests.findLast(({ blocks }) => {
      const common = blocks.messages.commonLength(messages);
      return messages.length > common && common > 0 && common >= blocks.messages.length / 2;
    });
  }

  #removeAt(place: number): number {
    const [removed] = this.#requests.splice(place, 1);
    const size = removed === undefined ? 0 : sizeOf(removed.blocks);
    this.#blocks -= size;
    return size;
  }
}

function sizeOf({ tools, system, messages }: SentRequest['blocks']): number {
  return tools.length + system.length + messages.length;
}

function closest(
  requests: readonly LaneRequest[],
  now: LaneRequest,
  mayShareOnlyHead: boolean,
): LaneRequest | undefined {
  let best: LaneRequest | undefined;
  let most = 0;
  for (const request of requests) {
    const messages = request.blocks.messages.commonLength(now.blocks.messages);
    const score = messages > 0 ? 1 + messages : mayShareOnlyHead && sharesHead(request, now) ? 1 : 0;
    if (score > 0 && score >= most) {
      best = request;
      most = score;
    }
  }
  return best;
}

function sharesHead(before: SentRequest, { blocks: now }: SentRequest): boolean {
  const { blocks } = before;
  const isSameSystem = now.system.length > 0 && blocks.maskedSystem === now.maskedSystem;
  return isSameSystem && blocks.tools.equals(now.tools);
}
