import { type MissReason, missReason, type SentRequest } from './missReason.ts';

/** Conversations of one agent that are remembered at once: a tool asks for titles and summaries in between. */
const MAX_REQUESTS = 8;

/** A request as a lane remembers it, and completes it when its answer ends. */
export interface LaneRequest extends SentRequest {
  readonly id: string;
  /** As the client calls it. */
  readonly model: string;
  /** Undefined while the request runs. */
  readonly upstream: string | undefined;
  /** The session that it belongs to. */
  readonly sessionId: string;
}

/** What came before a request. */
export interface Predecessor {
  readonly request: LaneRequest;
  readonly reason: MissReason;
}

/** The recent requests of one agent, the oldest first. */
export class Lane {
  #requests: LaneRequest[] = [];

  get blocks(): number {
    return this.#requests.reduce((sum, { blocks }) => sum + sizeOf(blocks), 0);
  }

  add(request: LaneRequest): void {
    this.#requests = [...this.#requests.filter(({ id }) => id !== request.id), request]
      .sort((one, other) => one.startedAt - other.startedAt)
      .slice(-MAX_REQUESTS);
  }

  /** A request that failed leaves nothing in a cache. */
  remove(id: string): void {
    this.#requests = this.#requests.filter((request) => request.id !== id);
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

  /** The session of the conversation that a request without a named session continues. */
  sessionOf({ messages }: SentRequest['blocks']): string | undefined {
    return this.#requests.findLast(({ blocks }) => {
      const common = blocks.messages.commonLength(messages);
      return messages.length > common && common > 0 && common >= blocks.messages.length / 2;
    })?.sessionId;
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
