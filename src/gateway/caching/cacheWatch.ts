import type { CacheMiss, SessionIds } from '../../ledger/ledgerEntry.ts';
import { hashTurn, newId } from '../../ledger/sessionHash.ts';
import { MIN_FAILED_STATUS } from '../../rules/exchange.ts';
import type { ExchangeRecord } from '../core/exchangeRecord.ts';
import type { RequestSession } from '../core/requestSession.ts';
import { readBlocks } from './blockReader.ts';
import { KnownConversations } from './knownConversations.ts';
import { Lane, type LaneRequest } from './lane.ts';
import { BlockHasher, type RequestBlocks, singleQuestion } from './requestBlocks.ts';

/** Longer bodies are not compared. */
export const MAX_COMPARED_BYTES = 8 * 1024 * 1024;
/** Reading a shorter body takes some microseconds, less than another turn of the event loop. */
const SHORT_BYTES = 16 * 1024;
const MAX_LANES = 500;
/** Maximum for all lanes together. Each block takes about sixteen bytes. */
const MAX_BLOCKS = 500_000;
/** Smaller misses are not reported. `share` is that of the tokens that could have been read. */
const MIN_MISSED = { tokens: 1024, share: 0.05 };
/** Fewer identical rounds may be a coincidence. */
const LOOPING_ROUNDS = 3;
const ROUNDS_BETWEEN_NOTICES = 10;

export interface WatchedRequest {
  readonly id: string;
  readonly localKeyId: string;
  readonly userAgent: string | undefined;
  readonly model: string;
  readonly session: RequestSession | undefined;
  /** When it was sent, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Returns when its answer began, on the same clock. */
  readonly firstByteAt: () => number | undefined;
  readonly body: Buffer;
  /** False if its key does not allow to measure what it consists of. */
  readonly isMeasured?: boolean;
}

/** The result of comparing a request with earlier ones. */
export interface WatchResult {
  readonly session: SessionIds;
  readonly miss: CacheMiss | undefined;
}

/** An agent that has made the same calls with the same results several times in a row. */
export interface Loop {
  readonly sessionId: string;
  readonly localKeyId: string;
  /** Number of identical rounds. Reported at 3, and after every 10 further rounds. */
  readonly rounds: number;
}

export interface RequestMeter {
  readonly isOn: boolean;
  sent(request: WatchedRequest, session: SessionIds): void;
}

type UnnamedRequest = Pick<WatchedRequest, 'localKeyId' | 'userAgent'>;

interface LanePosition {
  readonly laneKey: string;
  /** Whether the client has named the session. */
  readonly isNamed: boolean;
  readonly session: SessionIds;
}

/** A request in its lane, completed when its answer has ended. Keeps no reference to its body. */
class LaneRequestReader implements LaneRequest {
  readonly id: string;
  readonly place: LanePosition;
  readonly model: string;
  readonly startedAt: number;
  blocks: RequestBlocks;
  upstreamModel: string;
  upstream: string | undefined = undefined;
  inputTokens: number | undefined = undefined;
  needsMarks = false;
  readonly rounds: number;
  #firstByteAt: (() => number | undefined) | number | undefined;

  constructor(sent: WatchedRequest, place: LanePosition, blocks: RequestBlocks, rounds: number) {
    const { id, model, startedAt, firstByteAt } = sent;
    this.id = id;
    this.place = place;
    this.blocks = blocks;
    this.rounds = rounds;
    this.model = model;
    this.upstreamModel = model;
    this.startedAt = startedAt;
    this.#firstByteAt = firstByteAt;
  }

  get session(): SessionIds {
    return this.place.session;
  }

  get firstByteAt(): number | undefined {
    return typeof this.#firstByteAt === 'function' ? this.#firstByteAt() : this.#firstByteAt;
  }

  /** Adds what is known after the end. Keeps no reference to the exchange afterwards. */
  complete({ at, firstByteMs, upstream, upstreamModel, usage }: ExchangeRecord, needsMarks: boolean): void {
    this.#firstByteAt = firstByteMs === undefined ? undefined : at + firstByteMs;
    this.upstream = upstream;
    this.upstreamModel = upstreamModel ?? this.model;
    this.inputTokens = usage?.inputTokens;
    this.needsMarks = needsMarks;
  }

  /** Removes the tool names, which are reported once and are the only text in the blocks. */
  forgetToolNames(): void {
    this.blocks = { ...this.blocks, toolNames: [] };
  }
}

/**
 * Compares each request with the previous one of its session, and reports why the upstream's cache missed the prefix
 * that both share. Bodies are read after they were sent, one in each turn of the event loop. Only hashes are kept.
 */
export class CacheWatch {
  readonly #key: Uint8Array;
  readonly #onLoop: (loop: Loop) => void;
  readonly #meter: RequestMeter | undefined;
  readonly #memory = { hasher: new BlockHasher(), known: new KnownConversations() };
  /** Least recently used first. */
  readonly #lanes = new Map<string, Lane>();
  readonly #unread = new Map<string, WatchedRequest>();
  readonly #running = new Map<string, LaneRequestReader>();
  /** The key of the lane that was used last. */
  #latest = '';
  #blocks = 0;
  #isReading = false;

  /**
   * @param key for the hashes of sessions.
   * @param onLoop called after a request that continues a loop was sent.
   * @param meter measures the requests of agents, and those of known sessions.
   */
  constructor(key: Uint8Array, onLoop: (loop: Loop) => void, meter?: RequestMeter) {
    this.#key = key;
    this.#onLoop = onLoop;
    this.#meter = meter;
  }

  /** Finds the session of a request that names none, before the request is sent. */
  findSession(request: UnnamedRequest, body: Buffer): SessionIds {
    for (const earlier of this.#unread.values()) this.#read(earlier);
    const blocks = this.#blocksOf(body);
    return unnamedSession(blocks, this.#lanes.get(laneKeyOf(request))?.continuedBy(blocks));
  }

  /**
   * Watches a request that was sent. Its body is read later, so that reading does not delay the request. A short one is
   * read when the exchange has ended, or before a later one is.
   */
  sent(request: WatchedRequest): void {
    const { length } = request.body;
    if (length > MAX_COMPARED_BYTES) return;
    this.#unread.set(request.id, request);
    if (length > SHORT_BYTES) this.#readLater();
  }

  /**
   * Compares a request when its exchange has ended.
   * @param needsMarks whether the upstream's cache keeps only what the client marks.
   * @returns undefined if the request was not watched.
   */
  ended(record: ExchangeRecord, needsMarks: boolean): WatchResult | undefined {
    if (this.#unread.has(record.id)) this.#readUpTo(record.id);
    const request = this.#running.get(record.id);
    if (request === undefined) return undefined;
    this.#running.delete(record.id);
    const { session, laneKey } = request.place;
    if (record.end === 'upstreamFailed' || (record.status ?? MIN_FAILED_STATUS) >= MIN_FAILED_STATUS) {
      this.#blocks -= this.#lanes.get(laneKey)?.remove(request) ?? 0;
      return { session, miss: undefined };
    }
    request.complete(record, needsMarks);
    const mayMiss = record.usage !== undefined && record.usage.inputTokens >= MIN_MISSED.tokens;
    const miss = mayMiss ? this.#missOf(request, record) : undefined;
    if (request.blocks.toolNames.length > 0) request.forgetToolNames();
    return { session, miss };
  }

  /** Reads the body of a request and of those before it, which it may continue. */
  #readUpTo(id: string): void {
    for (const request of this.#unread.values()) {
      this.#read(request);
      if (request.id === id) return;
    }
  }

  #readLater(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    setImmediate(() => {
      this.#isReading = false;
      const [next] = this.#unread.values();
      if (next !== undefined) this.#read(next);
      if (this.#unread.size > 0) this.#readLater();
    });
  }

  #read(sent: WatchedRequest): void {
    const { id, body, session: known } = sent;
    this.#unread.delete(id);
    const blocks = this.#blocksOf(body, known);
    const ids = known?.ids;
    const named = known?.isFound ? undefined : ids;
    const laneKey = laneKeyOf(sent, named);
    const lane = this.#lanes.get(laneKey);
    const before = lane?.continuedBy(blocks);
    const session = ids === undefined ? unnamedSession(blocks, before) : this.#withTurn(ids, blocks);
    const rounds = blocks.round === undefined ? 0 : before?.blocks.round === blocks.round ? before.rounds + 1 : 1;
    const isNoticed = rounds >= LOOPING_ROUNDS && (rounds - LOOPING_ROUNDS) % ROUNDS_BETWEEN_NOTICES === 0;
    const isRetry = isNoticed && lane?.hasSame(blocks) === true;
    const request = new LaneRequestReader(sent, { laneKey, isNamed: named !== undefined, session }, blocks, rounds);
    this.#running.set(id, request);
    this.#add(laneKey, request);
    const isOfSession = ids !== undefined || before !== undefined || blocks.tools.length > 0;
    if (isOfSession && sent.isMeasured !== false && this.#meter?.isOn === true) this.#meter.sent(sent, session);
    if (isNoticed && !isRetry) {
      this.#onLoop({ sessionId: session.sessionId, localKeyId: sent.localKeyId, rounds });
    }
  }

  #blocksOf(body: Buffer, session?: RequestSession): RequestBlocks {
    return singleQuestion(body, this.#memory.hasher) ?? readBlocks(body, this.#memory, session);
  }

  #withTurn(session: SessionIds, { question }: RequestBlocks): SessionIds {
    if (session.turnId !== undefined || question === undefined) return session;
    return { ...session, turnId: hashTurn(this.#key, session.sessionId, question) };
  }

  #missOf(now: LaneRequestReader, record: ExchangeRecord): CacheMiss | undefined {
    const { usage } = record;
    if (usage === undefined || record.usageIsEstimated) return undefined;
    // An upstream that reports no cache usage has no cache that could miss.
    if (usage.cachedInputTokens === undefined && usage.cacheWriteTokens === undefined) return undefined;
    const read = usage.cachedInputTokens ?? 0;
    const before = this.#lanes.get(now.place.laneKey)?.predecessorOf(now, now.place.isNamed);
    const expected =
      before === undefined ? usage.inputTokens : Math.min(totalOf(before.request, now), usage.inputTokens);
    const missedTokens = Math.round(expected - read);
    if (missedTokens < Math.max(MIN_MISSED.tokens, expected * MIN_MISSED.share)) return undefined;
    return { missedTokens, ...(before?.reason ?? { reason: 'cold' }) };
  }

  /** Adds the request to the lane with this key, and marks it as the most recently used. */
  #add(key: string, request: LaneRequest): void {
    const lane = this.#lanes.get(key) ?? new Lane();
    if (key !== this.#latest) {
      this.#latest = key;
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
    }
    this.#blocks += lane.add(request);
    if (this.#lanes.size > MAX_LANES || this.#blocks > MAX_BLOCKS) this.#forgetOldest(key);
  }

  #forgetOldest(used: string): void {
    for (const [key, { blocks }] of this.#lanes) {
      if ((this.#lanes.size <= MAX_LANES && this.#blocks <= MAX_BLOCKS) || key === used) return;
      this.#lanes.delete(key);
      this.#blocks -= blocks;
    }
  }
}

/** Continues the session of the earlier request, and its turn if the user has asked nothing new. */
function unnamedSession({ question }: RequestBlocks, before: LaneRequest | undefined): SessionIds {
  const sessionId = before?.session.sessionId ?? newId();
  if (question === undefined) return { sessionId };
  const isSameTurn = before?.blocks.question === question;
  return { sessionId, turnId: (isSameTurn ? before.session.turnId : undefined) ?? newId() };
}

/** Requests with the same key are compared with each other. */
function laneKeyOf({ localKeyId, userAgent }: UnnamedRequest, session?: SessionIds): string {
  if (session === undefined) return `${localKeyId}\nunnamed\n${userAgent ?? ''}`;
  return `${localKeyId}\n${session.sessionId}\n${session.agentId ?? ''}`;
}

/** The input tokens of a request that is still running are estimated from its size. */
function totalOf(before: LaneRequest, now: LaneRequest): number {
  if (before.inputTokens !== undefined) return before.inputTokens;
  return ((now.inputTokens ?? 0) * bytesOf(before)) / Math.max(1, bytesOf(now));
}

function bytesOf({ blocks: { tools, system, messages } }: LaneRequest): number {
  return tools.bytes + system.bytes + messages.bytes;
}
