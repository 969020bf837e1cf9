import type { SessionIds } from '../../ledger/ledgerEntry.ts';
import type { CacheMissReason } from '../../rules/cacheMiss.ts';
import { AUTOMATIC_LIFETIME_MS, LIFETIME_MS, LOOKBACK_BLOCKS, minimumTokens } from './cacheRules.ts';
import type { BlockList, RequestBlocks } from './requestBlocks.ts';

/**
 * Maximum number of requests kept for one agent. It can have several conversations at the same time, because tools send
 * requests for titles and summaries in between.
 */
const MAX_REQUESTS = 8;
/** A different first message is a compaction if less than this fraction of the messages' bytes is left. */
const COMPACTED_PART = 0.7;
/** Maximum number of blocks to search for what was removed or inserted. */
const MAX_SHIFT = 50;

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

/** A sent request, with what the comparison needs. Times are in milliseconds on the same clock. */
interface ComparedRequest {
  readonly blocks: RequestBlocks;
  /** The name that the upstream uses. */
  readonly upstreamModel: string;
  readonly startedAt: number;
  /** Undefined if no answer has arrived. */
  readonly firstByteAt: number | undefined;
  /** All input tokens. Undefined if unknown. */
  readonly inputTokens: number | undefined;
  /** Whether the upstream caches only what is marked. */
  readonly needsMarks: boolean;
}

interface MissReason {
  readonly reason: CacheMissReason;
  /** The name of the tool or setting that changed. */
  readonly changed?: string;
}

/** Returns why a cache that contained the earlier request's prompt missed the prefix of the later one. */
function missReason(before: ComparedRequest, now: ComparedRequest): MissReason {
  return (
    settingsReason(before.blocks, now.blocks) ??
    toolsReason(before.blocks, now.blocks) ??
    systemReason(before.blocks, now.blocks) ??
    messagesReason(before.blocks.messages, now.blocks.messages) ??
    cacheReason(before, now)
  );
}

function toolsReason(before: RequestBlocks, now: RequestBlocks): MissReason | undefined {
  if (before.tools.equals(now.tools)) return undefined;
  const first = before.tools.commonLength(now.tools);
  const changed = now.toolNames[first];
  const isSameSet = sorted(before.tools) === sorted(now.tools);
  return { reason: isSameSet ? 'tools_reordered' : 'tools_changed', ...(changed !== undefined && { changed }) };
}

function sorted(list: BlockList): string {
  return Array.from({ length: list.length }, (_, index) => list.at(index))
    .sort()
    .join();
}

function settingsReason(before: RequestBlocks, now: RequestBlocks): MissReason | undefined {
  const names = new Set([...before.settings.keys(), ...now.settings.keys()]);
  const changed = [...names].find((name) => before.settings.get(name) !== now.settings.get(name));
  return changed === undefined ? undefined : { reason: 'settings_changed', changed };
}

function systemReason(before: RequestBlocks, now: RequestBlocks): MissReason | undefined {
  if (before.system.equals(now.system)) return undefined;
  return { reason: before.maskedSystem === now.maskedSystem ? 'system_volatile' : 'system_changed' };
}

/** Returns undefined if the later messages begin with the earlier ones, or the reverse. */
function messagesReason(before: BlockList, now: BlockList): MissReason | undefined {
  const first = before.commonLength(now);
  if (first === before.length || first === now.length) return undefined;
  if (first === 0 && now.bytes < before.bytes * COMPACTED_PART) return { reason: 'compacted' };
  if (before.isImage(first) && now.isImage(first)) return { reason: 'image_changed' };
  if (isFoundLater(before, first, now)) return { reason: 'history_removed' };
  if (isFoundLater(now, first, before)) return { reason: 'history_inserted' };
  return { reason: 'history_rewritten' };
}

/** Whether the block of `other` at `first` occurs later in `list`. */
function isFoundLater(list: BlockList, first: number, other: BlockList): boolean {
  const wanted = other.at(first);
  const end = Math.min(list.length, first + 1 + MAX_SHIFT);
  for (let index = first + 1; index < end; index++) {
    if (list.at(index) === wanted) return true;
  }
  return false;
}

/** Both requests share the prefix, so the reason is in the cache itself. */
function cacheReason(before: ComparedRequest, now: ComparedRequest): MissReason {
  if (before.firstByteAt === undefined || before.firstByteAt > now.startedAt) return { reason: 'parallel_start' };
  const lifetime = before.blocks.lifetime;
  const lifetimeMs = lifetime === undefined ? AUTOMATIC_LIFETIME_MS : LIFETIME_MS[lifetime];
  if (now.startedAt - before.startedAt > lifetimeMs) return { reason: 'expired' };
  if ((before.inputTokens ?? Number.POSITIVE_INFINITY) < minimumTokens(now.upstreamModel))
    return { reason: 'below_minimum' };
  if (now.needsMarks && !(before.blocks.hasMarks && now.blocks.hasMarks)) return { reason: 'unmarked' };
  return { reason: isBeyondLookback(before.blocks, now.blocks) ? 'lookback' : 'server' };
}

/** Whether every mark is too far after the last mark of the earlier request. */
function isBeyondLookback(before: RequestBlocks, now: RequestBlocks): boolean {
  if (!now.hasMarks) return false;
  const last = marks(before.messages).at(-1);
  if (last === undefined) return false;
  const distances = marks(now.messages)
    .filter((mark) => mark >= last)
    .map((mark) => positions(now.messages, last, mark));
  return distances.length > 0 && Math.min(...distances) > LOOKBACK_BLOCKS;
}

function marks(list: BlockList): number[] {
  return Array.from({ length: list.length }, (_, index) => index).filter((index) => list.isMarked(index));
}

function positions(list: BlockList, from: number, to: number): number {
  let count = 0;
  for (let index = from + 1; index <= to; index++) {
    if (!(list.isToolUse(index) && list.isToolUse(index - 1))) count += 1;
  }
  return count;
}
